/** A number in a JSON text, also one that is a string of digits alone or of digits and commas, by parts. */
export interface JsonNumber {
  /** Names of the members that lead to it; those of lists are ''. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;
const DIGITS = /\d{1,15}/g;

/** Finds the whole numbers of a JSON text in place, so that it can be changed without writing all of it anew. */
export function* numbersIn(json: string): Generator<JsonNumber> {
  const path: string[] = [];
  const lists: boolean[] = [];
  let isName = false;
  for (const match of json.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '{' || token === '[') {
      lists.push(token === '[');
      path.push('');
      isName = token === '{';
    } else if (token === '}' || token === ']') {
      lists.pop();
      path.pop();
      isName = false;
    } else if (token === ',') isName = lists.at(-1) === false;
    else if (token === ':') isName = false;
    else if (isName) path[path.length - 1] = token.slice(1, -1);
    else yield* within(token, match.index, path);
  }
}

function* within(token: string, index: number, path: readonly string[]): Generator<JsonNumber> {
  if (!/^(?:\d{1,15}|"\d[\d, ]*")$/.test(token)) return;
  for (const digits of token.matchAll(DIGITS)) {
    const start = index + digits.index;
    yield { path: [...path], start, end: start + digits[0].length };
  }
}

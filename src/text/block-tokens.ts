import { skipBlanks } from './blank.ts';

export interface BlockToken {
  readonly type: 'opener' | 'closer' | 'void';
  /** With namespace, such as `core/paragraph`. */
  readonly name: string;
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

const HEAD = /(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)/y;

/** Returns a reader of successive block delimiters, which examines each character a bounded number of times. */
export function tokenReader(text: string): () => BlockToken | null {
  let at = 0;
  const jsonEnd = jsonEndFinder(text);
  return () => {
    for (let start = text.indexOf('<!--', at); start >= 0; start = text.indexOf('<!--', start + 4)) {
      const token = readToken(text, start, jsonEnd);
      if (token === null) continue;
      at = token.end;
      return token;
    }
    at = text.length;
    return null;
  };
}

function readToken(text: string, start: number, jsonEnd: (from: number) => number): BlockToken | null {
  HEAD.lastIndex = skipBlanks(text, start + 4);
  if (HEAD.lastIndex === start + 4) return null;
  const head = HEAD.exec(text);
  if (head === null) return null;
  let at = skipBlanks(text, HEAD.lastIndex);
  if (at === HEAD.lastIndex) return null;
  let json = '';
  if (text[at] === '{') {
    const end = jsonEnd(at);
    if (end < 0) return null;
    json = text.slice(at, end);
    at = skipBlanks(text, end);
  }
  const empty = text[at] === '/';
  if (empty) at++;
  if (!text.startsWith('-->', at)) return null;
  const [, slash, namespace = 'core/', name = ''] = head;
  const type = empty ? 'void' : slash === undefined ? 'opener' : 'closer';
  return { type, name: namespace + name, json, start, end: at + 3 };
}

/**
 * Attributes end at the first `}` followed by white space and the end of the comment. A found end is reused for all earlier offsets, so
 * that a text of many openers is not searched for each of them.
 */
function jsonEndFinder(text: string): (from: number) => number {
  const ending = /\}[ \t\n\v\f\r]+\/?-->/g;
  let known = 0;
  let brace = -1;
  return (from) => {
    if (brace < from && known >= 0) {
      ending.lastIndex = from;
      const found = ending.exec(text);
      brace = found?.index ?? -1;
      if (brace < 0) known = -1;
    }
    return brace < from ? -1 : brace + 1;
  };
}

/** White space in the markup rules is ASCII only, unlike `\s` of JavaScript. For use in patterns. */
export const BLANK = '[ \\t\\n\\v\\f\\r]';

/** Word separators in the typography and smiley rules. */
export const SPACE = '[\\r\\n\\t ]|\\u00a0|&nbsp;';

export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Removes blanks and NULs at both ends, as for stored texts; keeps form feeds and wide spaces. */
export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charCodeAt(start))) start++;
  while (end > start && isTrimmed(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** End of the run of white space that starts at `from`. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Start of the run of white space that ends at `to`, but not before `floor`. */
export function backOverBlanks(text: string, to: number, floor = 0): number {
  let at = to;
  while (at > floor && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function isTrimmed(code: number): boolean {
  return code === 0 || (isBlank(code) && code !== 12);
}

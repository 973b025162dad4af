/**
 * Splits a text behind the last occurrence of an end mark. In the first part a pattern like `<[^>]*>` finds an end for each start, so that
 * it takes time in proportion to the text; elsewhere each start could search to the end of the text.
 */
export function upToLast(text: string, end: string): readonly [within: string, rest: string] {
  const at = text.lastIndexOf(end);
  const after = at < 0 ? 0 : at + end.length;
  return [text.slice(0, after), text.slice(after)];
}

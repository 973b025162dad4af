const INLINE = '</?(?:a|b|em|i|mark|s|span|strong|sub|sup|u)(?: [^<>]*)?>';
const ELEMENT = new RegExp(`\\s*<(p|h[1-6])(?: [^<>]*)?>([^<>]*(?:${INLINE}[^<>]*)*)</\\1>`, 'y');
const TAG = /<[^>]*>/g;
const WORD = /\S+/g;

/**
 * The beginning of a markup with about `words` words more or less, where it is told at a glance: whole paragraphs and
 * headings, whose look does not depend on what is behind them. Else all of it.
 */
export function beginning(html: string, words: number): string {
  let left = words;
  ELEMENT.lastIndex = 0;
  for (let found = ELEMENT.exec(html); found !== null; found = ELEMENT.exec(html)) {
    left -= found[2]?.replace(TAG, '').match(WORD)?.length ?? 0;
    if (left < 0) return html.slice(0, ELEMENT.lastIndex);
  }
  return html;
}

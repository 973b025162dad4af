import { skipBlanks } from './blank.ts';

const INLINE = '</?(?:a|b|em|i|mark|s|span|strong|sub|sup|u)(?: [^<>]*)?>';
const ELEMENT = new RegExp(`<(p|h[1-6])(?: [^<>]*)?>([^<>]*(?:${INLINE}[^<>]*)*)</\\1>`, 'y');
// How a straight quotation mark is rendered can depend on the text up to the next tag.
const PLAIN = new RegExp(`^[^<>"'\`]*(?:${INLINE}[^<>"'\`]*)*$`);
const EMPTY_LINE = '\n\n';
const TAG = /<[^>]*>/g;
const WORD = /\S+/g;

/**
 * The beginning of a markup with slightly more than `words` words, if it is simple to find: whole paragraphs and headings whose rendering
 * is independent of what follows. Otherwise the whole markup.
 */
export function beginning(html: string, words: number): string {
  let left = words;
  let at = 0;
  while (left >= 0) {
    const start = skipBlanks(html, at);
    const part = elementAt(html, start) ?? paragraphAt(html, start);
    if (part === null) return html;
    left -= part.text.replace(TAG, '').match(WORD)?.length ?? 0;
    at = part.end;
  }
  return html.slice(0, at);
}

interface Part {
  readonly text: string;
  readonly end: number;
}

function elementAt(html: string, at: number): Part | null {
  ELEMENT.lastIndex = at;
  const text = ELEMENT.exec(html)?.[2];
  return text === undefined ? null : { text, end: ELEMENT.lastIndex };
}

function paragraphAt(html: string, at: number): Part | null {
  const end = html.indexOf(EMPTY_LINE, at);
  if (end < 0) return null;
  const text = html.slice(at, end);
  return PLAIN.test(text) ? { text, end: end + EMPTY_LINE.length } : null;
}

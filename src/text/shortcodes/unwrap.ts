import { Edits } from '../edits.ts';
import { hasShortcodes, type PlacedShortcode, ShortcodeReader } from '../shortcode.ts';

const OPENING = /<p>(?:[\r\n\t ]|\u00a0|&nbsp;)*(?=\[(?!\[))/g;
const CLOSING = /(?:[\r\n\t ]|\u00a0|&nbsp;)*<\/p>/y;

/** Unwraps a paragraph that contains only a known shortcode, with or without content. */
export function unwrapShortcodes(html: string): string {
  if (!hasShortcodes(html)) return html;
  const reader = new ShortcodeReader(html);
  const edits = new Edits(html);
  let done = 0;
  for (const found of html.matchAll(OPENING)) {
    const start = found.index + found[0].length;
    const shortcode = found.index < done ? null : reader.at(start);
    const end = shortcode === null ? null : endOfParagraph(html, shortcode);
    if (end === null) continue;
    edits.replace(found.index, start, '');
    edits.replace(end.shortcode, end.paragraph, '');
    done = end.paragraph;
  }
  return edits.finish();
}

function endOfParagraph(html: string, { openEnd, bareEnd }: PlacedShortcode) {
  for (const shortcode of [bareEnd, openEnd]) {
    CLOSING.lastIndex = shortcode;
    const found = CLOSING.exec(html);
    if (found !== null) return { shortcode, paragraph: shortcode + found[0].length };
  }
  return null;
}

import { Edits } from '../edits.ts';
import { hasWords, type PlacedWord, WordReader } from './word.ts';

const OPENING = /<p>(?:[\r\n\t ]|\u00a0|&nbsp;)*(?=\[(?!\[))/g;
const CLOSING = /(?:[\r\n\t ]|\u00a0|&nbsp;)*<\/p>/y;

/** Unwraps a paragraph that contains only a known shortcode, with or without content. */
export function unwrapWords(html: string): string {
  if (!hasWords(html)) return html;
  const reader = new WordReader(html);
  const edits = new Edits(html);
  let done = 0;
  for (const found of html.matchAll(OPENING)) {
    const start = found.index + found[0].length;
    const word = found.index < done ? null : reader.at(start);
    const end = word === null ? null : endOfParagraph(html, word);
    if (end === null) continue;
    edits.replace(found.index, start, '');
    edits.replace(end.word, end.paragraph, '');
    done = end.paragraph;
  }
  return edits.finish();
}

function endOfParagraph(html: string, { openEnd, bareEnd }: PlacedWord) {
  for (const word of [bareEnd, openEnd]) {
    CLOSING.lastIndex = word;
    const found = CLOSING.exec(html);
    if (found !== null) return { word, paragraph: word + found[0].length };
  }
  return null;
}

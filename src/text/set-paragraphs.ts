import { paragraphs } from './paragraphs.ts';
import { typography } from './typography.ts';

/** Characters of a text that is remembered. */
const REMEMBERED = 1 << 16;

let last = { text: '', html: '' };

/** `paragraphs` of a text with `typography`. The last result is remembered: a content and the excerpt made from it share it. */
export function setParagraphs(text: string): string {
  if (text === last.text) return last.html;
  const html = paragraphs(typography(text));
  if (text.length <= REMEMBERED) last = { text, html };
  return html;
}

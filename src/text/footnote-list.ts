import { filterMarkup } from './filter.ts';
import { readFootnotes } from './footnotes.ts';
import { encodeAttribute } from './references.ts';

/** Renders the footnote list at the end of a text, each note with a link back to its mark. `wrapper`: attributes of the list's element. */
export function renderFootnotes(json: string, wrapper = 'class="wp-block-footnotes"'): string {
  const notes = json === '' ? null : readFootnotes(json);
  if (notes === null || notes.length === 0) return '';
  const items = notes.map(({ id, content }, i) => {
    const name = encodeAttribute(id);
    const label = `Jump to footnote reference ${i + 1}`;
    return `<li id="${name}">${filterMarkup(content)} <a href="#${name}-link" aria-label="${label}">↩︎</a></li>`;
  });
  return `<ol ${wrapper}>${items.join('')}</ol>`;
}

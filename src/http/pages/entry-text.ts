import type { EntryRow } from '#projections/entries/row.ts';
import { decodeReferences } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';

/** An entry's texts for people who bring no password. */

/** The title as it is rendered, markup and references included; of protected ones with a word about that. */
export function titleOf(row: EntryRow): string {
  const title = textIn(row.titleJson);
  return row.password === '' ? title : `Protected: ${title}`;
}

/** The title in plain words; there are always some. */
export function plainTitle(row: EntryRow): string {
  return plain(titleOf(row)) || 'Untitled';
}

/** The excerpt in plain words; nothing of what is protected. */
export function plainExcerpt(row: EntryRow): string {
  return row.password === '' ? plain(textIn(row.excerptJson)) : '';
}

/** The content as it is rendered, whoever asks. */
export function renderedContent(row: EntryRow): string {
  return textIn(row.contentJson);
}

/** Rendered text without its markup. */
export function plain(rendered: string): string {
  return decodeReferences(stripMarkup(rendered)).replace(/\s+/g, ' ').trim();
}

function textIn(json: string): string {
  return String(JSON.parse(json || '""'));
}

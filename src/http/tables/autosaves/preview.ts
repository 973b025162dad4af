import { createHash } from 'node:crypto';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { permalink } from '../entries/links.ts';

/** Address for a preview of an entry with the viewer's autosave. */
export function autosavePreview(row: EntryRow, model: Model, viewer: Viewer): string {
  // This server's pages show no previews: for servers whose pages do, the nonce identifies who was given the link.
  const nonce = createHash('sha256').update(`preview ${row.id} ${viewer.id}`).digest('hex').slice(0, 10);
  return withQuery(permalink(row, model), `preview_id=${row.id}&preview_nonce=${nonce}&preview=true`);
}

export function entryPreview(row: EntryRow, model: Model): string {
  return withQuery(permalink(row, model), 'preview=true');
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

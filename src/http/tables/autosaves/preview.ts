import { previewNonce } from '#commands/previews.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/entries.ts';

interface Given {
  readonly model: Model;
  readonly viewer: Viewer;
}

/** Address of the entry's page with an autosave of the viewer; whoever has it may see this one page for two days. */
export function autosavePreview(row: EntryRow, autosave: RevisionRow, { model, viewer }: Given): string {
  const nonce = previewNonce({ entry: row.id, savedGmt: autosave.dateGmt ?? row.modifiedGmt }, viewer, model);
  return withQuery(permalink(row, model), `preview_id=${row.id}&preview_nonce=${nonce}&preview=true`);
}

/** Address of the entry's page for those who may edit it. */
export function entryPreview(row: EntryRow, model: Model): string {
  return withQuery(permalink(row, model), 'preview=true');
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

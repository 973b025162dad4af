import { previewNonce } from '#commands/previews.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/entries.ts';
import { type ShownRevision, shownRevision } from '#site/entries/revisions.ts';
import type { TextRendering } from '#site/rendering/types.ts';
import type { Call, Context, Rec } from '../../engine/types.ts';
import { revisionRecord } from '../revisions/fields.ts';

/** An autosave as a record (interface behaviour, section 20). */
export function autosaveRecord(row: RevisionRow, parent: EntryRow, { call, context, rendering }: AutosaveShowing): Rec {
  const { model, viewer } = call;
  const shown: ShownRevision = Object.assign(shownRevision(row, model), {
    previewLink: autosavePreview(parent, row, { model, viewer }),
  });
  return revisionRecord(shown, { context, model, rendering, kind: kindOf(parent.kind) });
}

export function savedRecord(row: EntryRow, { call: { model }, context, rendering }: AutosaveShowing): Rec {
  const { content = '', excerpt = '' } = model.texts(row.id) ?? {};
  const floats = row.dateGmt === null;
  const shown: ShownRevision = {
    ...row,
    date: floats ? null : row.date,
    texts: { title: row.title, content, excerpt, footnotes: row.footnotes },
    previewLink: entryPreview(row, model),
  };
  return revisionRecord(shown, { context, model, rendering, kind: kindOf(row.kind) });
}

export interface AutosaveShowing {
  readonly call: Pick<Call<Model>, 'model' | 'viewer'>;
  readonly context: Context;
  readonly rendering: TextRendering;
}

interface Given {
  readonly model: Model;
  readonly viewer: Viewer;
}

/** Address of the entry's page with an autosave of the viewer; whoever has it may see this one page for two days. */
function autosavePreview(row: EntryRow, autosave: RevisionRow, { model, viewer }: Given): string {
  const nonce = previewNonce({ entry: row.id, savedGmt: autosave.dateGmt ?? row.modifiedGmt }, viewer, model);
  return withQuery(permalink(row, model), `preview_id=${row.id}&preview_nonce=${nonce}&preview=true`);
}

/** Address of the entry's page for those who may edit it. */
function entryPreview(row: EntryRow, model: Model): string {
  return withQuery(permalink(row, model), 'preview=true');
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

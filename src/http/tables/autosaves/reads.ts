import { previewNonce } from '#commands/previews.ts';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { atStore } from '#site/addresses/interface.ts';
import { permalink } from '#site/addresses/items.ts';
import { type ShownRevision, shownRevision } from '#site/entries/revisions.ts';
import type { TextRendering } from '#site/rendering/types.ts';
import type { Answer, Call, Context, Rec } from '../../engine/types.ts';
import { renderingOf } from '../rendering.ts';
import { revisionRecord } from '../revisions/fields.ts';
import { findParent } from '../revisions/permissions.ts';

type Query = (call: Call<Model>) => Answer | Refusal;

export const listAutosaves =
  (kind: EntryKind): Query =>
  (call) => {
    const parent = findParent(call, kind, 'id');
    if (isRefusal(parent)) return parent;
    const how = showing(call);
    const records = autosavesOf(parent, call.model).map((row) => autosaveRecord(row, parent, how));
    return { body: { kind: 'list', records }, dependsOnMore: () => how.rendering.dependsOn };
  };

/** The newest autosave of the entry, whichever id the address names (interface behaviour, section 20). */
export const showAutosave =
  (kind: EntryKind): Query =>
  (call) => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    const [row] = autosavesOf(parent, call.model);
    if (row === undefined) return refuse('rest_post_no_autosave', 'There is no autosave revision for this post.');
    const how = showing(call);
    const record = autosaveRecord(row, parent, how);
    const dependsOnMore = () => how.rendering.dependsOn;
    return { body: { kind: 'record', record }, version: String(row.position), dependsOnMore };
  };

function showing(call: Call<Model>): AutosaveShowing {
  return { call, context: call.params['context'] as Context, rendering: renderingOf(call) };
}

function autosavesOf(parent: EntryRow, model: Model): readonly RevisionRow[] {
  return model.revisions(parent.id).autosaves();
}

/** An autosave as a record (interface behaviour, section 20). */
export function autosaveRecord(row: RevisionRow, parent: EntryRow, { call, context, rendering }: AutosaveShowing): Rec {
  const { model, viewer } = call;
  const shown: ShownRevision = Object.assign(shownRevision(row, model), {
    previewLink: autosavePreview(parent, row, { model, viewer }),
  });
  return revisionRecord(shown, { context, model, rendering, kind: kindOf(parent.kind) });
}

export function savedRecord(row: EntryRow, { call, context, rendering }: AutosaveShowing): Rec {
  const { model, viewer } = call;
  const { content = '', excerpt = '' } = model.texts(row.id) ?? {};
  const floats = row.dateGmt === null;
  const shown: ShownRevision = {
    ...row,
    date: floats ? null : row.date,
    texts: { title: row.title, content, excerpt, footnotes: row.footnotes },
    previewLink: entryPreview(row, { model, viewer }),
  };
  return revisionRecord(shown, { context, model, rendering, kind: kindOf(row.kind) });
}

interface AutosaveShowing {
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
  const own = elsewhere(row, nonce, model);
  return (
    own ??
    withQuery(atStore(permalink(row, model), model.site()), `preview_id=${row.id}&preview_nonce=${nonce}&preview=true`)
  );
}

/** Address of the entry's page for those who may edit it. */
function entryPreview(row: EntryRow, { model, viewer }: Given): string {
  const nonce = previewNonce({ entry: row.id, savedGmt: row.modifiedGmt }, viewer, model);
  return elsewhere(row, nonce, model) ?? withQuery(atStore(permalink(row, model), model.site()), 'preview=true');
}

/** Address of a preview in a front end of the site's own; null if it has none. */
function elsewhere({ id, kind, slug }: EntryRow, token: string, model: Model): string | null {
  const { previewUrl } = model.site().names;
  const values: Readonly<Record<string, string>> = { type: kindOf(kind).base, id: String(id), slug, token };
  return (
    previewUrl?.replaceAll(/\{(type|id|slug|token)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')) ??
    null
  );
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

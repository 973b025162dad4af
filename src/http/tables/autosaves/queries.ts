import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { renderingOf } from '../rendering-of.ts';
import { findParent } from '../revisions/find.ts';
import { type AutosaveShowing, autosaveRecord } from './record.ts';

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

import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { collectionUrl } from '#site/addresses/entries.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { impossible } from '../entries/queries.ts';
import { renderingOf } from '../rendering-of.ts';
import { findRevisions } from './collection.ts';
import { type RevisionShowing, revisionRecord } from './fields.ts';
import { findParent, findRevision } from './find.ts';
import { placeHeaders, placeOf } from './place.ts';

type Query = (call: Call<Model>) => Answer | Refusal;

export const showRevision =
  (kind: EntryKind): Query =>
  (call) => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    const row = findRevision(call, parent);
    if (isRefusal(row)) return row;
    const how = showing(call, kind);
    const record = revisionRecord(shownRevision(row, call.model), how);
    const dependsOnMore = () => how.rendering.dependsOn;
    return { body: { kind: 'record', record }, version: String(row.position), dependsOnMore };
  };

export const listRevisions =
  (kind: EntryKind): Query =>
  (call) => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    const refusal = impossible(call.params);
    if (refusal !== null) return refusal;
    const { model } = call;
    const place = placeOf(call, parent.revisions);
    const { rows, total } = findRevisions(call, parent.id, place);
    const url = `${collectionUrl(kind, model)}/${parent.id}/revisions`;
    const headers = placeHeaders(call, place, { total, url, prefix: model.site().names.headers });
    if (isRefusal(headers)) return headers;
    const how = showing(call, kind);
    const records = rows.map((row) => revisionRecord(shownRevision(row, model), how));
    return {
      body: { kind: 'list', records },
      headers,
      dependsOnMore: () => how.rendering.dependsOn,
    };
  };

function showing(call: Call<Model>, kind: EntryKind): RevisionShowing {
  return { context: call.params['context'] as Context, model: call.model, rendering: renderingOf(call), kind };
}

import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/model.ts';
import { pagingHeaders } from '../../engine/paging.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { renderingOf } from '../../rendering/rendering-of.ts';
import { collectionUrl } from '../entries/links.ts';
import { impossible } from '../entries/queries.ts';
import { findRevisions } from './collection.ts';
import { revisionRecord, type Showing } from './fields.ts';
import { findParent, findRevision } from './find.ts';
import { shownRevision } from './shown.ts';

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
    const { model, params } = call;
    const rows = model.revisions(parent.id);
    const place = placeOf(call, rows.length);
    const { ids, total } = findRevisions(call, rows, place);
    const pages = place.perPage === null ? Math.min(1, total) : Math.ceil(total / place.perPage);
    const page = Number(params['page']);
    const beyond = total === 0 ? null : refuseBeyond({ ...place, page }, { total, pages });
    if (beyond !== null) return beyond;
    const how = showing(call, kind);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = ids.flatMap((id) => byId.get(id) ?? []);
    const records = found.map((row) => revisionRecord(shownRevision(row, model), how));
    const url = `${collectionUrl(kind, model)}/${parent.id}/revisions`;
    const { headers: prefix } = model.site().names;
    return {
      body: { kind: 'list', records },
      headers: pagingHeaders(call, { url, page, total, pages, prefix }),
      dependsOnMore: () => how.rendering.dependsOn,
    };
  };

interface Place {
  /** Null: everything is one page, whatever the offset. */
  readonly perPage: number | null;
  /** As it was sent; 0 for none. */
  readonly given: number;
  readonly offset: number;
  readonly limit: number;
}

function placeOf({ params, sent }: Call<Model>, count: number): Place {
  const given = sent('offset') === undefined ? 0 : Number(params['offset']);
  const perPage = params['per_page'];
  if (typeof perPage !== 'number') return { perPage: null, given, offset: 0, limit: count };
  const offset = sent('offset') === undefined ? (Number(params['page']) - 1) * perPage : Math.abs(given);
  return { perPage, given, offset, limit: perPage };
}

function refuseBeyond(
  { given, page }: { readonly given: number; readonly page: number },
  { total, pages }: { readonly total: number; readonly pages: number },
): Refusal | null {
  if (given >= total) {
    return refuse(
      'rest_revision_invalid_offset_number',
      'The offset number requested is larger than or equal to the number of available revisions.',
    );
  }
  if (given !== 0 || page <= pages) return null;
  return refuse(
    'rest_revision_invalid_page_number',
    'The page number requested is larger than the number of pages available.',
  );
}

function showing(call: Call<Model>, kind: EntryKind): Showing {
  return { context: call.params['context'] as Context, model: call.model, rendering: renderingOf(call), kind };
}

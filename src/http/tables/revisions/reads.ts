import type { EntryKind } from '#domain/entry/kinds.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { createCollections } from '#projections/collection/collections.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { RevisionRow, RevisionsFound } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery, EntryFacets, Found, OrderBy } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { createSearchIndex } from '#projections/search/index.ts';
import { collectionUrl } from '#site/addresses/items.ts';
import { shownRevision, slugOf } from '#site/entries/revisions.ts';
import { differences } from '#text/differences.ts';
import type { JsonText } from '#text/json.ts';
import { asciiJson } from '#text/json.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { impossible } from '../entries/reads.ts';
import { listIn, pagingHeaders } from '../records/listing.ts';
import { renderingOf } from '../rendering.ts';
import { type RevisionShowing, revisionRecord } from './fields.ts';
import { findParent, findRevision } from './permissions.ts';

type Query = (call: Call<Model>) => Answer | Refusal;

interface Place {
  readonly offset: number;
  readonly limit: number;
}

export interface RevisionsPlace {
  /** Null: all items are one page, whatever the offset. */
  readonly perPage: number | null;
  readonly page: number;
  /** The offset as sent; 0 for none. */
  readonly given: number;
  readonly offset: number;
  readonly limit: number;
}

const kind = 'revision';
const status = 'inherit';

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

/** Finds the revisions of an entry that a request selects (interface behaviour, sections 16 and 17). */
function findRevisions(call: Call<Model>, parent: number, { offset, limit }: Place): RevisionsFound {
  const revisions = call.model.revisions(parent);
  const { orderBy, order } = ordering(call);
  const [include, exclude = []] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  const isPlain = include === undefined && call.sent('search') === undefined;
  if (isPlain && (orderBy === 'date' || orderBy === 'id' || orderBy === 'slug')) {
    return revisions.page({ orderBy, order, exclude, offset, limit });
  }
  const named = () => [...new Set(include)].flatMap((id) => call.model.revision(id) ?? []);
  const rows = include === undefined ? revisions.all() : named().filter((row) => row.parent === parent);
  const { ids, total } = indexed(call, rows, { offset, limit });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
}

/** A temporary collection index gives the results that one of entries would. */
function indexed(call: Call<Model>, rows: readonly RevisionRow[], { offset, limit }: Place): Found {
  const { model, params } = call;
  const query: CollectionQuery = { kind, statuses: [{ status }], ...filters(call), ...ordering(call), offset, limit };
  const revisions = createCollections({ idsBySlug: () => [] });
  const titles = params['orderby'] === 'title' ? titlesOf(rows, model) : [];
  revisions.load(rows.map((row, ord) => facetsOf(row, ord, titles[ord] ?? '')));
  return revisions.find(query, query.search === undefined ? undefined : searchIn(rows, model));
}

function titlesOf(rows: readonly RevisionRow[], model: Model): readonly string[] {
  return rows.map((row) => model.revisionTexts(row).title);
}

function filters(call: Call<Model>): Partial<CollectionQuery> {
  const [include, exclude] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  return {
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(call.sent('search') === undefined ? {} : searchFor(String(call.params['search']))),
  };
}

/** Ordering by a list of slugs, which does not exist here, means the oldest first, whatever `order` says. */
function ordering({ params }: Call<Model>): Required<Pick<CollectionQuery, 'orderBy' | 'order'>> {
  if (params['orderby'] === 'include_slugs') return { orderBy: 'date', order: 'asc' };
  return { orderBy: params['orderby'] as OrderBy, order: params['order'] as 'asc' | 'desc' };
}

function facetsOf(row: RevisionRow, ord: number, title: string): EntryFacets {
  const { id, author, parent, dateGmt } = row;
  return {
    ord,
    id,
    kind,
    status,
    author,
    parent,
    title,
    slug: slugOf(row),
    date: dateGmt,
    modified: dateGmt,
    menuOrder: 0,
    values: {},
    sticky: false,
    protected: false,
    terms: [],
  };
}

function searchIn(rows: readonly RevisionRow[], model: Model) {
  const texts = (ord: number) => {
    const row = rows[ord];
    return row && model.revisionTexts(row);
  };
  const search = createSearchIndex({ texts });
  for (const ord of rows.keys()) search.put(ord);
  return search;
}

export function placeOf<M>({ params, sent }: Call<M>, count: number): RevisionsPlace {
  const given = sent('offset') === undefined ? 0 : Number(params['offset']);
  const page = Number(params['page']);
  const perPage = params['per_page'];
  if (typeof perPage !== 'number') return { perPage: null, page, given, offset: 0, limit: count };
  const offset = sent('offset') === undefined ? (page - 1) * perPage : Math.abs(given);
  return { perPage, page, given, offset, limit: perPage };
}

export interface Listed {
  readonly total: number;
  readonly url: string;
  readonly prefix: string;
}

/** Headers of the page; a refusal if it lies beyond the end. */
export function placeHeaders<M>(
  call: Call<M>,
  { perPage, page, given }: RevisionsPlace,
  { total, url, prefix }: Listed,
): Record<string, string> | Refusal {
  const pages = perPage === null ? Math.min(1, total) : Math.ceil(total / perPage);
  if (total > 0 && given >= total) {
    return refuse(
      'rest_revision_invalid_offset_number',
      'The offset number requested is larger than or equal to the number of available revisions.',
    );
  }
  if (total > 0 && given === 0 && page > pages) {
    return refuse(
      'rest_revision_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    );
  }
  return pagingHeaders(call, { url, page, total, pages, prefix });
}

/**
 * The differences between two revisions, text by text. `from` defaults to the one saved before; the oldest is compared with empty
 * texts.
 */
export const diffRevisions =
  (kind: EntryKind) =>
  (call: Call<Model>): Answer | Refusal => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    const to = findRevision(call, parent);
    if (isRefusal(to)) return to;
    const from = call.sent('from') === undefined ? before(to, call.model) : findRevision(call, parent, 'from');
    return isRefusal(from) ? from : answerOf(call.model, { parent, from, to });
  };

interface Compared {
  readonly parent: EntryRow;
  readonly from: RevisionRow | null;
  readonly to: RevisionRow;
}

function before(row: RevisionRow, model: Model): RevisionRow | null {
  return model.revisions(row.parent).before(row) ?? null;
}

function answerOf(model: Model, { parent, from, to }: Compared): Answer {
  const old = from === null ? nothing : model.revisionTexts(from);
  const now = model.revisionTexts(to);
  const diff = (name: keyof RevisionTexts) => asciiJson(differences(old[name], now[name]));
  const fields: Readonly<Record<string, () => JsonText>> = {
    parent: () => String(parent.id),
    from: () => String(from?.id ?? null),
    to: () => String(to.id),
    title: () => diff('title'),
    content: () => diff('content'),
    excerpt: () => diff('excerpt'),
    meta: () => `{"footnotes":${diff('footnotes')}}`,
  };
  const record = { names: Object.keys(fields), json: (name: string) => fields[name]?.() ?? 'null' };
  return { body: { kind: 'record', record } };
}

const nothing: RevisionTexts = { title: '', content: '', excerpt: '', footnotes: '' };

import { createCollections } from '#projections/collection/collections.ts';
import { searchFor } from '#projections/collection/search-query.ts';
import type { RevisionRow, RevisionsFound } from '#projections/entries/revisions.ts';
import type { CollectionQuery, EntryFacets, Found, OrderBy } from '#projections/kernel/collection-query.ts';
import { rowsInPieces } from '#projections/kernel/long-rows.ts';
import type { Model } from '#projections/reading/model.ts';
import { createSearchIndex } from '#projections/search/index.ts';
import { slugOf } from '#site/entries/revisions.ts';
import { listIn } from '../../engine/listing.ts';
import type { Call } from '../../engine/types.ts';

interface Place {
  readonly offset: number;
  readonly limit: number;
}

const kind = 'revision';
const status = 'inherit';

/** Finds the revisions of an entry that a request selects (interface behaviour, sections 16 and 17). */
export function findRevisions(call: Call<Model>, parent: number, { offset, limit }: Place): RevisionsFound {
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
  return rowsInPieces(({ length }, limit) =>
    rows.slice(length, length + limit).map((row) => model.revisionTexts(row).title),
  );
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

import { searchTerms } from '#text/fold.ts';
import { type Bits, bitsToArray, countBits, keepBits, newBits } from '../kernel/bits.ts';
import type { CollectionQuery, Found, SearchQuery } from '../kernel/collection-query.ts';
import { allColumns, type Searcher, type TermQuery } from '../search/types.ts';
import { asBits, asksForTerms, type Filtered, filtered, isAmong, type Matches } from './filter.ts';
import type { KindIndex } from './kind-index.ts';
import { cutPage, KnownOrders, type OrderRoom } from './page.ts';
import { mostRelevant, plainSearch, type RelevancePart, type RelevanceQuery } from './relevance.ts';

export interface Sources extends Filtered {
  readonly search: Searcher | undefined;
}

export interface Fitting {
  readonly found: Matches;
  readonly total: number;
  readonly known: KnownOrders;
}

/** In bytes of UTF-8. */
const longestSearch = 1600;

/** The search of a query. An empty or too long one is ignored (interface behaviour, section 17). */
export function searchFor(
  text: string,
  options: Partial<Omit<SearchQuery, 'text'>> = {},
): Pick<CollectionQuery, 'search'> {
  if (text === '' || isTooLong(text)) return {};
  return { search: { text, columns: [], exact: false, skipProtected: false, ...options } };
}

/** Finds the entries that match a query. `room`: space for keeping them sorted; by default none. */
export function fitting(query: CollectionQuery, sources: Sources, room: OrderRoom = { ords: 0 }): Fitting {
  const found = filtered(query, sources);
  const known = new KnownOrders(room);
  if (!(found instanceof Uint32Array)) return { found, total: found.length, known };
  if (query.search !== undefined) keepBySearch(found, query.search, sources);
  return { found, total: countBits(found), known };
}

export function find(query: CollectionQuery, sources: Sources, fits: Fitting): Found {
  const { index } = sources;
  const { total } = fits;
  const page = pageOf(fits, { query, sources });
  const ords = putsStickyFirst(query) ? withStickyFirst(page, query, index) : page;
  return { ids: ords.map((ord) => index.columns.id[ord]!), total };
}

function keepBySearch(found: Bits, asked: SearchQuery, { index, search }: Sources): void {
  const terms = termsOf(asked);
  if (terms.include.length + terms.exclude.length === 0) return;
  if (asked.skipProtected) index.protected.dropFrom(found);
  if (index.files.size === 0) searchIn(search).narrow(found, terms);
  else index.files.narrow(found, terms, searchIn(search));
}

function pageOf(fits: Fitting, { query, sources }: { query: CollectionQuery; sources: Sources }): number[] {
  const { found, total } = fits;
  const { orderBy, offset, limit } = query;
  const descending = query.order === 'desc';
  if (orderBy === 'include' || orderBy === 'include_slugs') {
    return listed(query, sources)
      .filter((ord) => isAmong(found, ord))
      .slice(offset, offset + limit);
  }
  if (orderBy !== 'relevance') return cutPage(fits, sources.index, { by: orderBy, descending, offset, limit, total });
  return mostRelevant([relevancePart(sources, found)], relevanceQuery(query)).map(({ ord }) => ord);
}

export function relevanceQuery({ search, offset, limit, order }: CollectionQuery): RelevanceQuery {
  const asked = search ?? { text: '', columns: [], exact: false, skipProtected: false };
  return { text: plainSearch(asked.text), terms: termsOf(asked), descending: order === 'desc', offset, limit };
}

export function relevancePart({ index, search }: Sources, found: Matches): RelevancePart {
  return { found: asBits(found, index), index, search: searchIn(search) };
}

function listed({ kind, orderBy, include = [], slugs = [] }: CollectionQuery, { index, idsBySlug }: Sources): number[] {
  const ids =
    orderBy === 'include' ? include : slugs.flatMap((slug) => [...idsBySlug(kind, slug)].sort((a, b) => a - b));
  const ords = ids.map((id) => index.ordOf(id)).filter((ord) => ord !== undefined);
  return [...new Set(ords)];
}

function termsOf({ text, columns, exact }: SearchQuery): TermQuery {
  return { ...searchTerms(text), columns: columns.length === 0 ? allColumns : columns, exact };
}

function searchIn(search: Searcher | undefined): Searcher {
  if (search === undefined) throw new Error('A query with a search needs a search index');
  return search;
}

export function putsStickyFirst(query: CollectionQuery): boolean {
  const { stickyFirst = false, offset, firstPage = offset === 0, include, search, sticky } = query;
  const plain = include === undefined && search === undefined && sticky !== true && !asksForTerms(query);
  return stickyFirst && firstPage && plain;
}

/**
 * The page with its sticky entries first, then other published sticky ones, newest first, unless the query excludes them; then the rest.
 * It may exceed the limit.
 */
function withStickyFirst(page: readonly number[], query: CollectionQuery, index: KindIndex): number[] {
  const own = page.filter((ord) => index.sticky.has(ord));
  const others = page.filter((ord) => !index.sticky.has(ord));
  return [...own, ...missing(new Set(own), query, index), ...others];
}

function missing(own: ReadonlySet<number>, { exclude = [], sticky }: CollectionQuery, index: KindIndex): number[] {
  if (sticky === false) return [];
  const excluded = new Set(exclude);
  return publishedSticky(index)
    .filter((ord) => !own.has(ord) && !excluded.has(index.columns.id[ord]!))
    .sort(index.order('date').compare)
    .reverse();
}

export function publishedSticky(index: KindIndex): number[] {
  const published = index.status.any(['publish'], index.columns.end);
  const all = newBits(index.columns.end);
  index.sticky.addTo(all);
  keepBits(all, published);
  return bitsToArray(all);
}

/** A UTF-16 code unit takes at least one byte, so a very long text need not be encoded. */
function isTooLong(text: string): boolean {
  return text.length > longestSearch || Buffer.byteLength(text) > longestSearch;
}

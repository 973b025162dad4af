import { searchTerms } from '#text/fold.ts';
import { type Bits, bitsToArray, countBits, keepBits, newBits } from '../kernel/bits.ts';
import type { CollectionQuery, SearchQuery } from '../kernel/collection-query.ts';
import { allColumns, type Searcher, type TermQuery } from '../search/types.ts';
import { asBits, asksForTerms, type Filtered, filtered, type Matches } from './filter.ts';
import type { KindIndex } from './kind-index.ts';
import { KnownOrders } from './page.ts';
import { plainSearch, type RelevancePart, type RelevanceQuery } from './relevance.ts';

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

/** Finds the entries that match a query. */
function fitting(query: CollectionQuery, sources: Sources): Fitting {
  const found = filtered(query, sources);
  const known = new KnownOrders();
  if (!(found instanceof Uint32Array)) return { found, total: found.length, known };
  if (query.search !== undefined) keepBySearch(found, query.search, sources);
  return { found, total: countBits(found), known };
}

/** The same in each of several indexes. */
export function fittingAll(query: CollectionQuery, parts: readonly Sources[]): readonly Fitting[] {
  return parts.map((part) => fitting(query, part));
}

function keepBySearch(found: Bits, asked: SearchQuery, { index, search }: Sources): void {
  const terms = termsOf(asked);
  if (terms.include.length + terms.exclude.length === 0) return;
  if (asked.skipProtected) index.protected.dropFrom(found);
  if (index.files.size === 0) searchIn(search).narrow(found, terms);
  else index.files.narrow(found, terms, searchIn(search));
}

export function relevanceQuery({ search, offset, limit, order }: CollectionQuery): RelevanceQuery {
  const asked = search ?? { text: '', columns: [], exact: false, skipProtected: false };
  return { text: plainSearch(asked.text), terms: termsOf(asked), descending: order === 'desc', offset, limit };
}

export function relevancePart({ index, search }: Sources, found: Matches): RelevancePart {
  return { found: asBits(found, index), index, search: searchIn(search) };
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

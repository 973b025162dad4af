import { bitsToArray, keepBits, newBits } from '../kernel/bits.ts';
import type { CollectionQuery } from '../kernel/collection-query.ts';
import type { KindIndex } from './kind-index.ts';
import { asksForTerms } from './taxonomy.ts';

export function putsStickyFirst(query: CollectionQuery): boolean {
  const { stickyFirst = false, offset, firstPage = offset === 0, include, search, sticky } = query;
  const plain = include === undefined && search === undefined && sticky !== true && !asksForTerms(query);
  return stickyFirst && firstPage && plain;
}

/**
 * The page with its sticky entries first, then other published sticky ones, newest first, unless the query excludes them; then the rest.
 * It may exceed the limit.
 */
export function withStickyFirst(page: readonly number[], query: CollectionQuery, index: KindIndex): number[] {
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

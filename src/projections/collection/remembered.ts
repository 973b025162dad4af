import { LRUCache } from 'lru-cache';
import type { CollectionQuery } from '../kernel/collection-query.ts';

/** Queries whose results are kept: a few megabytes. */
const max = 256;

/**
 * Caches the results of queries, because the next request is often for another page or order. Cleared by any change of any entry, so that
 * results are never outdated.
 */
export class Remembered<T extends object> {
  readonly #known = new LRUCache<string, T>({ max });

  of(query: CollectionQuery, find: () => T): T {
    const key = keyOf(query);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = find();
    this.#known.set(key, found);
    return found;
  }

  forget(): void {
    if (this.#known.size > 0) this.#known.clear();
  }
}

/** Everything but the page and its order. */
function keyOf(query: CollectionQuery): string {
  let key = '';
  for (const name in query) {
    if (paging.has(name)) continue;
    key += `${name} ${JSON.stringify(query[name as keyof CollectionQuery])} `;
  }
  return key;
}

const paging: ReadonlySet<string> = new Set<keyof CollectionQuery>([
  'offset',
  'limit',
  'firstPage',
  'orderBy',
  'order',
]);

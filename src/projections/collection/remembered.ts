import type { CollectionQuery } from '../kernel/collection-query.ts';

/** Queries whose results are kept: a few megabytes. */
const max = 256;

/**
 * Caches the results of queries, because the next request is often for another page or order. Cleared by any change of any entry, so that
 * results are never outdated.
 */
export class Remembered<T> {
  readonly #known = new Map<string, T>();

  of(query: CollectionQuery, find: () => T): T {
    const key = keyOf(query);
    const known = this.#known.get(key);
    const fits = known ?? find();
    this.#known.delete(key);
    this.#known.set(key, fits);
    const [oldest] = this.#known.keys();
    if (this.#known.size > max && oldest !== undefined) this.#known.delete(oldest);
    return fits;
  }

  forget(): void {
    this.#known.clear();
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

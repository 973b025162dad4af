import type { Fitting } from './find.ts';
import type { CollectionQuery } from './types.ts';

/** What fits some hundred queries takes a few megabytes at most. */
const most = 128;

/**
 * Remembers what fitted a query, because the next request is often for the next page of it. Any change of any
 * entry makes it forget everything: what it remembers is never wrong.
 */
export class Remembered {
  readonly #known = new Map<string, Fitting>();

  of(query: CollectionQuery, find: () => Fitting): Fitting {
    const { offset: _, limit: __, firstPage: ___, ...rest } = query;
    const key = JSON.stringify(rest);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const fits = find();
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(key, fits);
    return fits;
  }

  forget(): void {
    if (this.#known.size > 0) this.#known.clear();
  }
}

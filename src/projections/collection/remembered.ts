import type { Fitting } from './find.ts';
import type { CollectionQuery } from './types.ts';

/** What fits so many queries takes a few megabytes. */
const most = 256;

/**
 * Remembers what fitted a query, because the next request is often for another page or order of it. Any change of any
 * entry makes it forget everything: what it remembers is never wrong.
 */
export class Remembered {
  readonly #known = new Map<string, Fitting>();

  of(query: CollectionQuery, find: () => Fitting): Fitting {
    const { offset: _, limit: __, firstPage: ___, orderBy: ____, order: _____, ...rest } = query;
    const key = JSON.stringify(rest);
    const known = this.#known.get(key);
    const fits = known ?? find();
    this.#known.delete(key);
    this.#known.set(key, fits);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= most) break;
      this.#known.delete(oldest);
    }
    return fits;
  }

  forget(): void {
    if (this.#known.size > 0) this.#known.clear();
  }
}

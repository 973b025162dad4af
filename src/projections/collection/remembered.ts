import type { Fitting } from './find.ts';
import type { Room } from './known-orders.ts';
import type { CollectionQuery } from './types.ts';

/** What fits so many queries takes a few megabytes. */
const most = 256;
/** Eight megabytes. */
const mostSorted = 2_000_000;

/**
 * Remembers what fitted a query, because the next request is often for another page or order of it. Any change of any
 * entry makes it forget everything: what it remembers is never wrong.
 */
export class Remembered {
  readonly #known = new Map<string, Fitting>();
  #room: Room = { ords: mostSorted };

  of(query: CollectionQuery, find: (room: Room) => Fitting): Fitting {
    const { offset: _, limit: __, firstPage: ___, orderBy: ____, order: _____, ...rest } = query;
    const key = JSON.stringify(rest);
    const known = this.#known.get(key);
    const fits = known ?? find(this.#room);
    this.#known.delete(key);
    this.#known.set(key, fits);
    for (const [oldest, { known: orders }] of this.#known) {
      if (this.#known.size <= most) break;
      orders.drop();
      this.#known.delete(oldest);
    }
    return fits;
  }

  forget(): void {
    if (this.#known.size === 0) return;
    this.#known.clear();
    this.#room = { ords: mostSorted };
  }
}

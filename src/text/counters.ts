/** Names of separate counters; everything else uses `common`. */
export type CounterName =
  | `menu ${string}`
  | 'comment'
  | 'modal'
  | 'thread'
  | 'common'
  | 'elements'
  | 'accordion'
  | 'lightbox'
  | 'tabs'
  | 'gallery'
  | 'audio'
  | 'video';

export type Counts = Readonly<Record<string, number>>;

/** Counters for rendering the texts of one response; each starts at 1. */
export class Counters {
  #last = new Map<string, number>();
  #total = 0;

  next(name: CounterName = 'common'): number {
    const number = (this.#last.get(name) ?? 0) + 1;
    this.#last.set(name, number);
    this.#total += 1;
    return number;
  }

  get total(): number {
    return this.#total;
  }

  distinct(id: string): string {
    const number = (this.#last.get(`id ${id}`) ?? 0) + 1;
    this.#last.set(`id ${id}`, number);
    this.#total += 1;
    return number === 1 ? id : `${id}-${number}`;
  }

  counts(): Counts {
    return Object.fromEntries(this.#last);
  }

  set(counts: Counts): void {
    this.#last = new Map(Object.entries(counts));
    this.#total = [...this.#last.values()].reduce((sum, count) => sum + count, 0);
  }

  advance(from: Counts, to: Counts): void {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const more = (to[name] ?? 0) - (from[name] ?? 0);
      this.#last.set(name, (this.#last.get(name) ?? 0) + more);
      this.#total += more;
    }
  }
}

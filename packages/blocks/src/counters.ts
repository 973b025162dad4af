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

/** Counters for rendering the texts of one response; each starts at 1, or after `before`. */
export class Counters {
  readonly #last = new Map<string, number>();
  readonly #before: number;
  #total = 0;

  constructor(before = 0) {
    this.#before = before;
  }

  next(name: CounterName = 'common'): number {
    const number = (this.#last.get(name) ?? this.#before) + 1;
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
}

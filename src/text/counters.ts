/** What is numbered on its own; everything else shares the numbers of `common`. */
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

/** The numbers given out while the texts of an answer are rendered: each counter starts at 1. */
export class Counters {
  readonly #last = new Map<string, number>();

  next(name: CounterName = 'common'): number {
    const number = (this.#last.get(name) ?? 0) + 1;
    this.#last.set(name, number);
    return number;
  }

  /** The id itself where it is new, then the id with a number. */
  distinct(id: string): string {
    const number = (this.#last.get(`id ${id}`) ?? 0) + 1;
    this.#last.set(`id ${id}`, number);
    return number === 1 ? id : `${id}-${number}`;
  }
}

/** What is numbered on its own; everything else shares the numbers of `common`. */
export type CounterName = 'common' | 'elements' | 'accordion' | 'lightbox' | 'tabs';

/** The numbers given out while the texts of an answer are rendered: each counter starts at 1. */
export class Counters {
  readonly #last = new Map<string, number>();

  next(name: CounterName = 'common'): number {
    const number = (this.#last.get(name) ?? 0) + 1;
    this.#last.set(name, number);
    return number;
  }
}

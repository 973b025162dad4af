import { type Bits, newBits } from '../kernel/bits.ts';

const max = 2;

/** Reusable sets of positions for searches: new ones for each would be megabytes of garbage. */
export class SetPool {
  readonly #free: Bits[] = [];

  /** Returns an empty set of at least that capacity. */
  take(capacity: number): Bits {
    const set = this.#free.pop();
    return set === undefined || set.length * 32 < capacity ? newBits(capacity) : set.fill(0);
  }

  give(set: Bits): void {
    if (this.#free.length < max) this.#free.push(set);
  }
}

import type { Bits } from '../collection/bits.ts';

/** Reusable empty sets of one capacity: new ones for each step of a query would be costly garbage. */
export class Scratch {
  #words = 0;
  #sets: Bits[] = [];
  #used = 0;

  reset(words: number): void {
    if (words !== this.#words) this.#sets = [];
    this.#words = words;
    this.#used = 0;
  }

  take(): Bits {
    let set = this.#sets[this.#used];
    if (set === undefined) {
      set = new Uint32Array(this.#words);
      this.#sets.push(set);
    } else set.fill(0);
    this.#used += 1;
    return set;
  }
}

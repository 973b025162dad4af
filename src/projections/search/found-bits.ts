import { type Bits, newBits } from '../collection/bits.ts';

const mostBytes = 1 << 22;

/** The entries of a segment that were found for terms, as long as there is room. They stay the same as long as it does. */
export class FoundBits {
  readonly #found = new Map<string, Bits>();
  readonly #most: number;

  /** `end`: all ords are below it. */
  constructor(end: number) {
    this.#most = Math.trunc(mostBytes / (newBits(end).byteLength + 1));
  }

  get(key: string): Bits | undefined {
    return this.#found.get(key);
  }

  set(key: string, bits: Bits): void {
    if (this.#found.size >= this.#most) this.#found.clear();
    this.#found.set(key, bits);
  }
}

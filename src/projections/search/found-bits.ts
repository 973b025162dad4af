import { type Bits, newBits } from '../kernel/bits.ts';

const maxBytes = 1 << 22;
/** Approximate bytes of an array and its key. */
const overhead = 256;

/** Cache of the entries of a segment found for terms. They never change while the segment exists. */
export class FoundBits {
  readonly #found = new Map<string, Bits>();
  readonly #max: number;

  /** `end`: all ords are below it. */
  constructor(end: number) {
    this.#max = Math.trunc(maxBytes / (newBits(end).byteLength + overhead));
  }

  get(key: string): Bits | undefined {
    return this.#found.get(key);
  }

  set(key: string, bits: Bits): void {
    if (this.#found.size >= this.#max) this.#found.clear();
    this.#found.set(key, bits);
  }
}

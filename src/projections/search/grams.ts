import { type Bits, bitsToArray, newBits, setBit } from '../kernel/bits.ts';

/**
 * N-grams are what short terms consist of: two adjacent bytes of a text, or two with a blank between. So many units contain them that it
 * would take long to read the lists of all these. A text ends with `end`, so that its last byte is in a pair, too.
 */

/** N-grams from `first` to `last`, by their numbers. */
export interface Grams {
  readonly first: number;
  readonly last: number;
}

const end = 0xff;
const blank = 32;
/** Added to the number of a pair with a blank between. */
const apart = 1 << 16;
const numbers = 2 * apart;

/** Bytes read between two pauses. */
const readAtOnce = 1 << 16;

/** N-grams of which exactly the texts with a folded term (a byte string) have at least one; null: there are none. */
export function gramsOf(bytes: string): Grams | null {
  const [first, second, third] = [0, 1, 2].map((i) => bytes.charCodeAt(i)) as [number, number, number];
  if (bytes.length === 1) return { first: first << 8, last: (first << 8) + end };
  if (bytes.length === 2) return only((first << 8) + second);
  return bytes.length === 3 && second === blank ? only(apart + (first << 8) + third) : null;
}

function only(number: number): Grams {
  return { first: number, last: number };
}

/** Collects the n-grams of entries while they are indexed. */
export class GramCollector {
  readonly #ords: readonly number[];
  /** Index of the entry whose texts are added. */
  #entry = -1;
  /** For each n-gram, the last entry with it, counted from 1. */
  readonly #latest = new Uint32Array(numbers);
  /** N-grams, in order of their first appearance. */
  readonly #found: number[] = [];
  /** For each n-gram, the indexes of its entries: sets of their numbers would be as large as the largest number. */
  readonly #entries: (Bits | undefined)[] = new Array(numbers).fill(undefined);

  /** `ords`: of all entries, in ascending order. */
  constructor(ords: readonly number[]) {
    this.#ords = ords;
  }

  /** Goes on to the next entry. */
  next(): void {
    this.#entry += 1;
  }

  /** Adds a text of the entry, with an end at both sides. Pauses regularly. */
  *add(text: Buffer): Generator<void> {
    const last = text.length - 1;
    for (let from = 1; from < last; from += readAtOnce) {
      if (from > 1) yield;
      this.#read(text, from, Math.min(from + readAtOnce, last));
    }
  }

  /** Calls `add` for each n-gram, in order, with its entries, a set that is used again. Pauses regularly. */
  *each(add: (number: number, entries: Bits) => void): Generator<void> {
    const entries = newBits((this.#ords.at(-1) ?? 0) + 1);
    for (const number of this.#found.sort((a, b) => a - b)) {
      for (const index of bitsToArray(this.#entries[number]!)) setBit(entries, this.#ords[index]!);
      add(number, entries);
      entries.fill(0);
      yield;
    }
  }

  #read(text: Buffer, from: number, to: number): void {
    const [latest, entry] = [this.#latest, this.#entry + 1];
    let next = text[from]!;
    for (let at = from; at < to; at++) {
      const first = next << 8;
      next = text[at + 1]!;
      if (latest[first + next] !== entry) this.#note(first + next);
      if (next !== blank) continue;
      const around = apart + first + text[at + 2]!;
      if (latest[around] !== entry) this.#note(around);
    }
  }

  #note(number: number): void {
    this.#latest[number] = this.#entry + 1;
    let entries = this.#entries[number];
    if (entries === undefined) {
      entries = newBits(this.#ords.length);
      this.#entries[number] = entries;
      this.#found.push(number);
    }
    setBit(entries, this.#entry);
  }
}

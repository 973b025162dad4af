import {
  type Bits,
  clearBit,
  countBits,
  eachBit,
  hasBit,
  keepBits,
  lowerBound,
  newBits,
  setBit,
} from '../kernel/bits.ts';
import { numbersIn, unpack } from './bytes.ts';
import { addListed } from './entry-lists.ts';
import type { Grams } from './grams.ts';
import { type Lists, Room, storedSize } from './lists.ts';
import { Places } from './places.ts';
import { PositionReader } from './positions.ts';
import { endsWithoutBlank, marks, startsWithoutBlank } from './tokens.ts';
import { Vocabulary } from './vocabulary.ts';

/** Positions read between two pauses: about a millisecond of work. */
const none = new Uint8Array(0);

/** Bytes from which a list of positions is not kept in memory, but read from the file of the segment: it takes longer to decode than to read. */
export const longList = 256;
/** For what is read without a pause. */
const room = new Room();
const reader = new PositionReader();

/**
 * Index of the texts of some entries. Immutable, except for the set of live entries.
 *
 * An index of our own: a search for parts of words has an exact total, and takes 0.5 ms for a word in half of 100,000 posts, for which FTS5
 * with trigrams took 32. Segments never change, so a changed entry is removed from its segment and waits in the tail, which is looked
 * through as text.
 *
 * Why, and what was rejected: `docs/adr/0005-search-index.md`, `docs/adr/0055-positions-in-the-search-index.md`.
 */
export class Segment {
  /** Everything except the set of live entries and long lists. */
  readonly head: Uint8Array;
  readonly ords: Uint32Array;
  readonly live: Bits;
  readonly vocabulary: Vocabulary;
  readonly places: Places;
  /** Entries with a run that was split, so that units do not cover all of its parts; null: none. */
  readonly cut: Bits | null;
  readonly #short: Uint8Array;
  /** Where each list starts, among the short or the long ones, and its size in bytes. */
  readonly #starts: Uint32Array;
  readonly #sizes: Uint32Array;
  /** Sizes of the lists of entries, each after a long list. */
  readonly #entrySizes: Uint32Array;
  /** The n-grams of all entries, in ascending order; perhaps also of some that are not live. */
  readonly grams: Uint32Array;
  /** Where the list of entries with each n-gram starts among the long lists, and its size in bytes. */
  readonly #gramStarts: Uint32Array;
  readonly #gramSizes: Uint32Array;
  #lists: Lists;
  #afterGap: Bits | undefined;
  #beforeGap: Bits | undefined;
  #liveCount: number;

  constructor(head: Uint8Array, lists: Lists, live?: Bits) {
    const parts = unpack(head);
    const [ords = none, units = none, starts = none, sizes = none, entrySizes = none, ...texts] = parts;
    const [lengths = none, words = none, short = none, grams = none, gramStarts = none, gramSizes = none] = texts;
    this.head = head;
    this.ords = numbersIn(ords);
    this.live = live ?? setOf(this.ords);
    this.#liveCount = countBits(this.live);
    this.places = Places.read(lengths, this.ords.length);
    this.vocabulary = new Vocabulary(words, numbersIn(units));
    this.#starts = numbersIn(starts);
    this.#sizes = numbersIn(sizes);
    this.#entrySizes = numbersIn(entrySizes);
    this.#short = short;
    this.grams = numbersIn(grams);
    this.#gramStarts = numbersIn(gramStarts);
    this.#gramSizes = numbersIn(gramSizes);
    this.#lists = lists;
    const cut = this.vocabulary.numbersWith(marks.edge + marks.rest);
    this.cut = cut.length === 0 ? null : this.#having(cut);
  }

  get liveCount(): number {
    return this.#liveCount;
  }

  /** Lists that are not in the head. */
  get lists(): Lists {
    return this.#lists;
  }

  /** Has the same lists read from elsewhere. */
  moveLists(lists: Lists): void {
    this.#lists.close();
    this.#lists = lists;
  }

  kill(ord: number): void {
    if (!hasBit(this.live, ord)) return;
    clearBit(this.live, ord);
    this.#liveCount -= 1;
  }

  keepAlive(bits: Bits): void {
    keepBits(this.live, bits);
    this.#liveCount = countBits(this.live);
  }

  /** Bytes of the positions of a unit: the cost of reading them. */
  sizeOf(number: number): number {
    return this.#sizes[number]!;
  }

  /** Opens the positions of a unit in a reader. `own`: for readers that pause before they have read the list. */
  open(number: number, reader: PositionReader, own = room): void {
    const [start, size] = [this.#starts[number]!, this.#sizes[number]!];
    if (size < longList) reader.open(this.#short, start, size);
    else reader.open(this.#lists.read(start, size, own), 0, size);
  }

  /** Bytes to be read for the entries with a unit. */
  costOf(number: number): number {
    return this.#entrySizes[number]! || this.#sizes[number]!;
  }

  /** Adds to `found` the live entries with a unit that are in `within`. */
  addEntries(number: number, found: Bits, within: Bits): void {
    const [start, size, entrySize] = [this.#starts[number]!, this.#sizes[number]!, this.#entrySizes[number]!];
    if (entrySize > 0) {
      const list = this.#lists.read(start + storedSize(size), entrySize, room);
      addListed(found, list, entrySize, [this.live, within]);
      return;
    }
    reader.open(this.#short, start, size);
    let place = 0;
    for (let count = reader.read(); count > 0; count = reader.read()) {
      for (let i = 0; i < count; i++) {
        place = this.places.of(reader.found[i]!, place);
        const ord = this.ords[place % this.ords.length]!;
        if (hasBit(this.live, ord) && hasBit(within, ord)) setBit(found, ord);
      }
    }
  }

  /** Adds to `found` the live entries with one of some n-grams that are in `within`. */
  addWithGrams({ first, last }: Grams, found: Bits, within: Bits): void {
    for (let i = lowerBound(this.grams, first); i < this.grams.length && this.grams[i]! <= last; i++) {
      const size = this.#gramSizes[i]!;
      addListed(found, this.#lists.read(this.#gramStarts[i]!, size, room), size, [this.live, within]);
    }
  }

  /** The entries at some positions. */
  entriesAt(positions: Bits): Bits {
    const bits = newBits(this.live.length * 32);
    let place = 0;
    for (const position of eachBit(positions)) {
      place = this.places.of(position, place);
      setBit(bits, this.ords[place % this.ords.length]!);
    }
    return bits;
  }

  /** Positions of tokens after a gap without a blank at its end. */
  afterGap(): Bits {
    this.#afterGap ??= this.#beside(endsWithoutBlank, 1);
    return this.#afterGap;
  }

  /** Positions of tokens before a gap without a blank at its start, or before a glued token. */
  beforeGap(): Bits {
    this.#beforeGap ??= this.#beside(startsWithoutBlank, -1);
    return this.#beforeGap;
  }

  #beside(isGap: (unit: string) => boolean, shift: number): Bits {
    const gaps: number[] = [];
    for (let number = 0; number < this.vocabulary.size; number++) {
      if (isGap(this.vocabulary.unit(number))) gaps.push(number);
    }
    const bits = newBits(this.places.end + 1);
    this.#each(gaps, (position) => {
      if (position + shift >= 0) setBit(bits, position + shift);
    });
    return bits;
  }

  #having(numbers: readonly number[]): Bits {
    const bits = newBits(this.live.length * 32);
    let place = 0;
    this.#each(numbers, (position) => {
      // The next list starts from the beginning.
      if (position < this.places.starts[place]!) place = 0;
      place = this.places.of(position, place);
      setBit(bits, this.ords[place % this.ords.length]!);
    });
    return bits;
  }

  #each(numbers: readonly number[], visit: (position: number) => void): void {
    const reader = new PositionReader();
    const own = new Room();
    for (const number of numbers) {
      this.open(number, reader, own);
      for (let count = reader.read(); count > 0; count = reader.read()) {
        for (let i = 0; i < count; i++) visit(reader.found[i]!);
      }
    }
  }
}

function setOf(ords: Uint32Array): Bits {
  const bits = newBits(ords.reduce((max, ord) => Math.max(max, ord), -1) + 1);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

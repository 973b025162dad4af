import { finished } from '#text/finished.ts';
import { pieceDone } from '#text/suspended.ts';
import { addBits, type Bits, clearBit, countBits, eachBit, hasBit, keepBits, newBits, setBit } from '../kernel/bits.ts';
import { numbersIn, unpack } from './bytes.ts';
import { type Lists, Room } from './lists.ts';
import { Places } from './places.ts';
import { PositionReader } from './positions.ts';
import { endsWithoutBlank, marks, startsWithoutBlank } from './tokens.ts';
import { Vocabulary } from './vocabulary.ts';

/** A unit is frequent when its positions take at least a byte per this number of entries. */
const oftenShare = 8;
/** Positions read between two pauses: about a millisecond of work. */
const readAtOnce = 100_000;
/** Segments with fewer entries are searched as fast without preparation. */
const few = 1000;
const none = new Uint8Array(0);
const maxBytes = 1 << 22;
/** Approximate bytes of an array and its key. */
const overhead = 256;

/** Bytes from which a list of positions is not kept in memory, but read from the file of the segment: it takes longer to decode than to read. */
export const longList = 256;
/** For readers that nobody else uses before they have read the list. */
const room = new Room();

/** Index of the texts of some entries. Immutable, except for the set of live entries. */
export class Segment {
  /** Everything except the set of live entries and long lists. */
  readonly head: Uint8Array;
  readonly ords: Uint32Array;
  /** All ords, including dead ones. */
  readonly all: Bits;
  readonly live: Bits;
  readonly vocabulary: Vocabulary;
  readonly places: Places;
  /** Cached results for terms. */
  readonly found: FoundBits;
  /** Entries with a run that was split, so that units do not cover all of its parts; null: none. */
  readonly cut: Bits | null;
  readonly #short: Uint8Array;
  /** Where each list starts, among the short or the long ones, and its size in bytes. */
  readonly #starts: Uint32Array;
  readonly #sizes: Uint32Array;
  #lists: Lists;
  #afterGap: Bits | undefined;
  #beforeGap: Bits | undefined;
  /** From the first word with an entry: the entries of a new segment are the last ones of many. */
  readonly #often = new Map<number, Bits>();
  readonly #firstWord: number;
  #isWarm = false;
  #liveCount: number;

  constructor(head: Uint8Array, lists: Lists, live?: Bits) {
    const parts = unpack(head);
    const [ords = none, units = none, starts = none, sizes = none, lengths = none, words = none, short = none] = parts;
    this.head = head;
    this.ords = numbersIn(ords);
    this.all = allOf(this.ords);
    this.#firstWord = this.all.findIndex((word) => word !== 0);
    this.live = live ?? this.all.slice();
    this.#liveCount = countBits(this.live);
    this.places = Places.read(lengths, this.ords.length);
    this.vocabulary = new Vocabulary(words, numbersIn(units));
    this.found = new FoundBits(this.all.length * 32);
    this.#starts = numbersIn(starts);
    this.#sizes = numbersIn(sizes);
    this.#short = short;
    this.#lists = lists;
    const cut = this.vocabulary.numbersWith(marks.edge + marks.rest);
    this.cut = cut.length === 0 ? null : finished(this.#having(cut));
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

  /** Adds the entries with a frequent unit. Returns false for other units. */
  addOften(number: number, bits: Bits): boolean {
    const often = this.#often.get(number);
    if (often !== undefined) addBits(bits.subarray(this.#firstWord), often);
    return often !== undefined;
  }

  /** The entries at some positions. */
  entriesAt(positions: Bits): Bits {
    const bits = newBits(this.all.length * 32);
    let place = 0;
    for (const position of eachBit(positions)) {
      place = this.places.of(position, place);
      setBit(bits, this.ords[place % this.ords.length]!);
    }
    return bits;
  }

  /** Prepares faster searches, a few milliseconds at a time; null: nothing is left to do. */
  warmUp(): Generator<void> | null {
    const isReady = this.#isWarm || this.ords.length < few;
    return this.vocabulary.warmUp() ?? (isReady ? null : this.#warming());
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

  *#warming(): Generator<void> {
    for (let number = 0; number < this.vocabulary.size; number++) {
      if (this.sizeOf(number) * oftenShare < this.ords.length) continue;
      this.#often.set(number, (yield* this.#having([number])).slice(this.#firstWord));
      yield;
    }
    this.#isWarm = true;
  }

  #beside(isGap: (unit: string) => boolean, shift: number): Bits {
    const gaps: number[] = [];
    for (let number = 0; number < this.vocabulary.size; number++) {
      if (isGap(this.vocabulary.unit(number))) gaps.push(number);
    }
    const bits = newBits(this.places.end + 1);
    const reading = this.#each(gaps, (position) => {
      if (position + shift >= 0) setBit(bits, position + shift);
    });
    for (const _ of reading) pieceDone();
    return bits;
  }

  *#having(numbers: readonly number[]): Generator<void, Bits> {
    const bits = newBits(this.all.length * 32);
    let place = 0;
    yield* this.#each(numbers, (position) => {
      // The next list starts from the beginning.
      if (position < this.places.starts[place]!) place = 0;
      place = this.places.of(position, place);
      setBit(bits, this.ords[place % this.ords.length]!);
    });
    return bits;
  }

  *#each(numbers: readonly number[], visit: (position: number) => void): Generator<void> {
    const reader = new PositionReader();
    const own = new Room();
    let read = 0;
    for (const number of numbers) {
      this.open(number, reader, own);
      for (let count = reader.read(); count > 0; count = reader.read()) {
        for (let i = 0; i < count; i++) visit(reader.found[i]!);
        read += count;
        if (read < readAtOnce) continue;
        read = 0;
        yield;
      }
    }
  }
}

function allOf(ords: Uint32Array): Bits {
  const bits = newBits(ords.reduce((max, ord) => Math.max(max, ord), -1) + 1);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

/** Cache of the entries of a segment found for terms. They never change while the segment exists. */
class FoundBits {
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

import { type Bits, clearBit, countBits, hasBit, keepBits, newBits, setBit } from '../collection/bits.ts';
import type { NumberSink } from './bytes.ts';
import { addColumns, type Columns, columnIn, columnsOf, listsIn, listsWithout } from './column-postings.ts';
import { addPostings, addPostingsUnless, clearPostings, listPostings, type Range, type Stretch } from './postings.ts';
import { type SegmentParts, unpackSegment } from './segment-parts.ts';
import { type Section, type Sides, sections } from './units.ts';
import { Vocabulary } from './vocabulary.ts';

// In bytes.
const longList = 512;
const manyUnits = 100;
const keptBytes = 1 << 22;
/** Bytes of parts that are looked for in any column. */
export const shortPart = 2;
const none: readonly null[] = [];

/** Index of the texts of some entries. It never changes; which of the entries it still speaks for does. */
export class Segment {
  /** All of it but what is alive; as `packSegment` made it. */
  readonly bytes: Uint8Array;
  readonly range: Range;
  readonly ords: Uint32Array;
  readonly live: Bits;
  readonly common: ReadonlySet<number>;
  readonly #parts: SegmentParts;
  readonly #vocabularies: readonly Vocabulary[];
  readonly #byShortPart = new Map<string, Bits>();
  #liveCount: number;

  constructor(bytes: Uint8Array, live?: Bits) {
    const parts = unpackSegment(bytes);
    this.bytes = bytes;
    this.#parts = parts;
    this.ords = parts.ords;
    this.range = rangeOf(parts.ords);
    this.common = new Set(parts.common);
    this.#vocabularies = parts.sections.map(({ units, starts }) => new Vocabulary(units, starts));
    this.live = live ?? allOf(parts.ords);
    this.#liveCount = countBits(this.live);
  }

  get liveCount(): number {
    return this.#liveCount;
  }

  get postingsSize(): number {
    return this.#parts.postings.length;
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

  commonWords(): ReadonlySet<string> {
    const plain = this.vocabulary('plain');
    return new Set(Array.from(this.common, (number) => plain.unit(number)));
  }

  /** Makes searches in it faster, a few milliseconds at a time; null: nothing is left to do. */
  warmUp(): Generator<void> | null {
    return this.#vocabularies.reduce<Generator<void> | null>((work, vocabulary) => work ?? vocabulary.warmUp(), null);
  }

  vocabulary(section: Section): Vocabulary {
    return this.#vocabularies[sections.indexOf(section)]!;
  }

  /** Adds to `bits` the entries that have one of the units in one of the columns; of those not wanted, maybe not all. */
  addEntries(bits: Bits, { section, numbers }: Units, { columns, wanted }: Search): void {
    const { offsets } = this.#parts.sections[sections.indexOf(section)]!;
    const where = { columns, range: this.range };
    const written = { bytes: this.#parts.postings, from: 0, to: 0 };
    let open = 0;
    for (const number of this.#longFirst(numbers, offsets)) {
      written.from = offsets[number]!;
      written.to = offsets[number + 1]!;
      addColumns(bits, written, where);
      while (open < wanted.length && (wanted[open]! & ~bits[open]!) === 0) open += 1;
      if (open === wanted.length) return;
    }
  }

  /**
   * All entries with a unit that has `part`, of at most `shortPart` bytes, in one of the columns. Such parts are few, and in
   * thousands of units each: what was found is kept.
   */
  withShortPart(section: Section, part: string, columns: Columns): Bits {
    const key = `${section} ${columns} ${part}`;
    const known = this.#byShortPart.get(key);
    if (known !== undefined) return known;
    const bits = newBits((this.ords.at(-1) ?? -1) + 1);
    const numbers = this.vocabulary(section).numbersWith(part);
    this.addEntries(bits, { section, numbers }, { columns, wanted: allOf(this.ords) });
    if ((this.#byShortPart.size + 1) * bits.byteLength > keptBytes) this.#byShortPart.clear();
    this.#byShortPart.set(key, bits);
    return bits;
  }

  /** As `addEntries`, of plain words where they have a blank on these sides. `marks` is empty before and after. */
  addBeside(bits: Bits, numbers: readonly number[], { columns, sides, wanted, marks }: BesideSearch): void {
    const { offsets } = this.#parts.sections[sections.indexOf('plain')]!;
    const without = columnsOf(columns).map((column) => ({ column, lists: listsWithout(column, sides) }));
    const exceptions = without.reduce((mask, { lists }) => lists.reduce((sum, list) => sum | (1 << list), mask), 0);
    const where = { columns, range: this.range };
    const written = { bytes: this.#parts.postings, from: 0, to: 0 };
    let open = 0;
    for (const number of this.#longFirst(numbers, offsets)) {
      written.from = offsets[number]!;
      written.to = offsets[number + 1]!;
      if ((listsIn(written.bytes, written.from) & exceptions) === 0) addColumns(bits, written, where);
      else for (const each of without) this.#addUnless(bits, written, each, marks);
      while (open < wanted.length && (wanted[open]! & ~bits[open]!) === 0) open += 1;
      if (open === wanted.length) return;
    }
  }

  #addUnless(bits: Bits, written: Stretch, { column, lists }: Without, marks: Bits): void {
    const list = columnIn(written, column);
    if (list === null) return;
    const first = columnIn(written, lists[0]!);
    const others = lists.length === 1 ? none : lists.slice(1).map((one) => columnIn(written, one));
    if (first !== null) addPostings(first, this.range, marks);
    for (const one of others) if (one !== null) addPostings(one, this.range, marks);
    addPostingsUnless(list, this.range, { bits, marks });
    if (first !== null) clearPostings(first, this.range, marks);
    for (const one of others) if (one !== null) clearPostings(one, this.range, marks);
  }

  /** Parts of words are in tens of thousands of units. The few long lists first: after them often nothing is left to find. */
  #longFirst(numbers: readonly number[], offsets: Uint32Array): readonly number[] {
    if (numbers.length < manyUnits) return numbers;
    return [...numbers.filter((number) => offsets[number + 1]! - offsets[number]! >= longList), ...numbers];
  }

  /** Writes the entries that have one unit in one column to `sink`, ascending, if they are `live`. */
  listEntries(sink: NumberSink, { section, number, column, live }: UnitPlace & { readonly live: Bits }): void {
    const { offsets } = this.#parts.sections[sections.indexOf(section)]!;
    const list = columnIn(this.#written(offsets, number), column);
    if (list !== null) listPostings(list, this.range, { sink, live });
  }

  /** Adds to `bits` the entries whose text in that column has that length. */
  addOfLength(bits: Bits, length: number, column: number): void {
    const { lengths } = this.#parts;
    for (let i = 0; i < this.ords.length; i++) if (lengths[i * 3 + column] === length) setBit(bits, this.ords[i]!);
  }

  lengthAt(place: number, column: number): number {
    return this.#parts.lengths[place * 3 + column]!;
  }

  #written(offsets: Uint32Array, number: number): Stretch {
    return { bytes: this.#parts.postings, from: offsets[number]!, to: offsets[number + 1]! };
  }
}

export interface UnitPlace {
  readonly section: Section;
  readonly number: number;
  readonly column: number;
}

/** Unit numbers of one section. */
export interface Units {
  readonly section: Section;
  readonly numbers: readonly number[];
}

export interface Search {
  readonly columns: Columns;
  readonly wanted: Bits;
}

interface Without {
  readonly column: number;
  readonly lists: readonly number[];
}

export interface BesideSearch {
  readonly columns: Columns;
  readonly sides: Sides;
  readonly wanted: Bits;
  readonly marks: Bits;
}

export function rangeOf(ords: Uint32Array): Range {
  const base = (ords[0] ?? 0) & ~31;
  return { base, words: ((ords.at(-1) ?? 0) - base + 32) >>> 5 };
}

function allOf(ords: Uint32Array): Bits {
  const bits = newBits((ords.at(-1) ?? -1) + 1);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

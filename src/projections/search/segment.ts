import { type Bits, clearBit, countBits, hasBit, keepBits, newBits, setBit } from '../collection/bits.ts';
import type { NumberSink } from './bytes.ts';
import { type Columns, columnIn, columnsIn } from './column-postings.ts';
import { addPostings, listPostings, type Range, type Stretch } from './postings.ts';
import { type SegmentParts, unpackSegment } from './segment-parts.ts';
import { type Section, sections } from './units.ts';
import { Vocabulary } from './vocabulary.ts';

// In bytes.
const longList = 512;
const manyUnits = 100;

/** Index of the texts of some entries. It never changes; which of the entries it still speaks for does. */
export class Segment {
  /** All of it but what is alive; as `packSegment` made it. */
  readonly bytes: Uint8Array;
  readonly range: Range;
  readonly ords: Uint32Array;
  /** Covered entries whose texts are still the ones indexed. */
  readonly live: Bits;
  readonly common: ReadonlySet<number>;
  readonly #parts: SegmentParts;
  readonly #vocabularies: readonly Vocabulary[];
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

  /** From now on, does not speak for that entry. */
  kill(ord: number): void {
    if (!hasBit(this.live, ord)) return;
    clearBit(this.live, ord);
    this.#liveCount -= 1;
  }

  /** From now on, speaks for no entry but these. */
  keepAlive(bits: Bits): void {
    keepBits(this.live, bits);
    this.#liveCount = countBits(this.live);
  }

  /** Words that make pairs, as byte strings. */
  commonWords(): ReadonlySet<string> {
    const plain = this.vocabulary('plain');
    return new Set(Array.from(this.common, (number) => plain.unit(number)));
  }

  vocabulary(section: Section): Vocabulary {
    return this.#vocabularies[sections.indexOf(section)]!;
  }

  /** Adds to `bits` the entries that have one of the units in one of the columns; of those not wanted, maybe not all. */
  addEntries(bits: Bits, { section, numbers }: Units, { columns, wanted }: Search): void {
    const { offsets } = this.#parts.sections[sections.indexOf(section)]!;
    const isLong = (number: number) => offsets[number + 1]! - offsets[number]! >= longList;
    // Parts of words are in tens of thousands of units. The few long lists first: after them often nothing is left to find.
    const ordered = numbers.length < manyUnits ? numbers : [...numbers.filter(isLong), ...numbers];
    let open = 0;
    for (const number of ordered) {
      for (const list of columnsIn(this.#written(offsets, number), columns)) addPostings(list, this.range, bits);
      while (open < wanted.length && (wanted[open]! & ~bits[open]!) === 0) open += 1;
      if (open === wanted.length) return;
    }
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

export function rangeOf(ords: Uint32Array): Range {
  const base = (ords[0] ?? 0) & ~31;
  return { base, words: ((ords.at(-1) ?? 0) - base + 32) >>> 5 };
}

function allOf(ords: Uint32Array): Bits {
  const bits = newBits((ords.at(-1) ?? -1) + 1);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

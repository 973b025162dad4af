import { type Bits, clearBit, countBits, hasBit, keepBits, newBits, setBit } from '../collection/bits.ts';
import { type NumberSink, numbersIn, pack, unpack } from './bytes.ts';
import { columnIn } from './column-postings.ts';
import { addPostings, listPostings, type Range, type Stretch } from './postings.ts';
import { type Section, sections } from './units.ts';
import { Vocabulary } from './vocabulary.ts';

/** What a segment is made of, as bytes. */
export interface SegmentParts {
  /** Covered entries, ascending. */
  readonly ords: Uint32Array;
  /** Folded length of title, content and excerpt of each, at most 65,535. */
  readonly lengths: Uint16Array;
  /** Numbers of the plain units that make pairs. */
  readonly common: Uint32Array;
  readonly postings: Uint8Array;
  readonly sections: readonly SectionParts[];
}

export interface SectionParts {
  readonly units: Uint8Array;
  readonly starts: Uint32Array;
  /** Where in the postings those of each unit begin; one more for the end. */
  readonly offsets: Uint32Array;
}

/** Index of the texts of some entries. It never changes; which of the entries it still speaks for does. */
export class Segment {
  readonly range: Range;
  readonly ords: Uint32Array;
  /** Covered entries whose texts are still the ones indexed. */
  readonly live: Bits;
  readonly common: ReadonlySet<number>;
  readonly #parts: SegmentParts;
  readonly #vocabularies: readonly Vocabulary[];
  #liveCount: number;

  constructor(parts: SegmentParts, live?: Bits) {
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

  /** Adds to `bits` the entries, dead ones too, that have the units in that column. */
  addEntries(bits: Bits, units: Units, column: number): void {
    const { offsets } = this.#parts.sections[sections.indexOf(units.section)]!;
    for (const number of units.numbers) {
      const list = this.#list(offsets, number, column);
      if (list !== null) addPostings(list, this.range, bits);
    }
  }

  /** Writes the entries that have one unit in one column to `sink`, ascending, if they are `live`. */
  listEntries(sink: NumberSink, { section, number, column, live }: UnitPlace & { readonly live: Bits }): void {
    const { offsets } = this.#parts.sections[sections.indexOf(section)]!;
    const list = this.#list(offsets, number, column);
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

  #list(offsets: Uint32Array, number: number, column: number): Stretch | null {
    return columnIn({ bytes: this.#parts.postings, from: offsets[number]!, to: offsets[number + 1]! }, column);
  }

  toBytes(): Uint8Array {
    const { ords, lengths, common, postings, sections: all } = this.#parts;
    return pack([
      ords,
      lengths,
      common,
      postings,
      ...all.flatMap(({ units, starts, offsets }) => [units, starts, offsets]),
    ]);
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
  readonly numbers: Iterable<number>;
}

export function segmentFrom(bytes: Uint8Array, live: Bits): Segment {
  const [ords = none, lengths = none, common = none, postings = none, ...rest] = unpack(bytes);
  const sectionParts = sections.map((_, i) => ({
    units: rest[i * 3] ?? none,
    starts: numbersIn(rest[i * 3 + 1] ?? none),
    offsets: numbersIn(rest[i * 3 + 2] ?? none),
  }));
  return new Segment(
    {
      ords: numbersIn(ords),
      lengths: new Uint16Array(lengths.buffer, lengths.byteOffset, lengths.byteLength >>> 1),
      common: numbersIn(common),
      postings,
      sections: sectionParts,
    },
    live,
  );
}

const none = new Uint8Array(0);

export function rangeOf(ords: Uint32Array): Range {
  const base = (ords[0] ?? 0) & ~31;
  return { base, words: ((ords.at(-1) ?? 0) - base + 32) >>> 5 };
}

function allOf(ords: Uint32Array): Bits {
  const bits = newBits((ords.at(-1) ?? -1) + 1);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

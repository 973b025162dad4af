import { addBits, type Bits, bitsToArray, hasBit, newBits } from '../collection/bits.ts';
import { NumberSink } from './bytes.ts';
import { listsOf } from './column-postings.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';
import { type Section, sections } from './units.ts';
import type { Vocabulary } from './vocabulary.ts';

const listWork = 10;

/** Makes one segment of several, without what is dead in them, in steps of a few milliseconds. */
export function* mergeSegments(sources: readonly Segment[], pause: number): Generator<void, Segment | null> {
  const live = sources.map((source) => source.live.slice());
  const { ords, lengths } = coveredBy(sources, live);
  if (ords.length === 0) return null;
  const size = sources.reduce((sum, source) => sum + source.postingsSize, 0);
  const writer = new SegmentWriter(ords, lengths, size);
  const common = new Set<string>();
  const merger = new EntryMerger(sources, live);
  for (const section of sections) {
    for (const { unit, numbers } of unitsOf(sources, section)) {
      if (section === 'pair' && !common.has(unit.slice(0, unit.indexOf(' ')))) continue;
      const entries = Array.from({ length: listsOf(section) }, (_, list) => merger.merge(section, numbers, list));
      if (entries.every(({ length }) => length === 0)) continue;
      writer.add(unit, entries);
      if (section === 'plain' && isCommon(sources, numbers)) {
        writer.markCommon();
        common.add(unit);
      }
      if (merger.takeDone(pause)) yield;
    }
    writer.endSection();
  }
  return writer.finish();
}

const none = new Uint32Array(0);

class EntryMerger {
  readonly #sources: readonly Segment[];
  readonly #live: readonly Bits[];
  readonly #gathered = new NumberSink();
  #done = 0;

  constructor(sources: readonly Segment[], live: readonly Bits[]) {
    this.#sources = sources;
    this.#live = live;
  }

  /** `numbers`: of the unit in each source, -1 where it is not. */
  merge(section: Section, numbers: readonly number[], column: number): Uint32Array {
    this.#gathered.clear();
    for (const [i, number] of numbers.entries()) {
      if (number >= 0) this.#sources[i]!.listEntries(this.#gathered, { section, number, column, live: this.#live[i]! });
    }
    this.#done += this.#gathered.size + listWork;
    if (this.#gathered.size === 0) return none;
    const entries = this.#gathered.finish();
    return isAscending(entries) ? entries : entries.sort();
  }

  /** Whether `count` postings were gathered since this last said so. */
  takeDone(count: number): boolean {
    if (this.#done < count) return false;
    this.#done = 0;
    return true;
  }
}

function coveredBy(sources: readonly Segment[], live: readonly Bits[]): { ords: Uint32Array; lengths: Uint16Array } {
  const end = Math.max(...sources.map(({ ords }) => (ords.at(-1) ?? -1) + 1));
  const owners = new Uint8Array(end);
  const places = new Uint32Array(end);
  for (const [i, { ords }] of sources.entries()) {
    for (let place = 0; place < ords.length; place++) {
      const ord = ords[place]!;
      if (!hasBit(live[i]!, ord)) continue;
      owners[ord] = i + 1;
      places[ord] = place;
    }
  }
  const ords = Uint32Array.from(bitsToArray(unionOf(live, end)));
  const lengths = new Uint16Array(ords.length * 3);
  for (let i = 0; i < ords.length; i++) {
    const source = sources[owners[ords[i]!]! - 1]!;
    for (let column = 0; column < 3; column++) {
      lengths[i * 3 + column] = source.lengthAt(places[ords[i]!]!, column);
    }
  }
  return { ords, lengths };
}

function unionOf(sets: readonly Bits[], end: number): Bits {
  const union = newBits(end);
  for (const set of sets) addBits(union, set);
  return union;
}

interface MergedUnit {
  readonly unit: string;
  /** Of the unit in each source, -1 where it is not. */
  readonly numbers: readonly number[];
}

function* unitsOf(sources: readonly Segment[], section: Section): Generator<MergedUnit> {
  const cursors = sources.map((source) => new Cursor(source.vocabulary(section)));
  for (;;) {
    let unit: string | null = null;
    for (const cursor of cursors) if (cursor.unit !== null && (unit === null || cursor.unit < unit)) unit = cursor.unit;
    if (unit === null) return;
    yield { unit, numbers: cursors.map((cursor) => cursor.take(unit)) };
  }
}

class Cursor {
  readonly #vocabulary: Vocabulary;
  #next = 0;
  unit: string | null = null;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#read();
  }

  /** The number of that unit, if it is the next one; then goes on. Else -1. */
  take(unit: string): number {
    if (this.unit !== unit) return -1;
    this.#next += 1;
    this.#read();
    return this.#next - 1;
  }

  #read(): void {
    this.unit = this.#next < this.#vocabulary.size ? this.#vocabulary.unit(this.#next) : null;
  }
}

function isCommon(sources: readonly Segment[], numbers: readonly number[]): boolean {
  return sources.every((source, i) => numbers[i] === -1 || source.common.has(numbers[i]!));
}

function isAscending(numbers: Uint32Array): boolean {
  for (let i = 1; i < numbers.length; i++) if (numbers[i]! < numbers[i - 1]!) return false;
  return true;
}

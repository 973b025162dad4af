import { foldText } from '#text/fold.ts';
import { NumberSink, toByteString } from './bytes.ts';
import { GramCollector } from './grams.ts';
import { SegmentWriter } from './merge.ts';
import { zones } from './places.ts';
import type { Segment } from './segment.ts';
import { cutText, endedBytes, marks } from './tokens.ts';
import { allColumns, type TextsOf } from './types.ts';

interface Zone {
  /** The units of all tokens, in order. */
  readonly tokens: NumberSink;
  /** Where the texts end. */
  readonly ends: NumberSink;
  /** Units that are not tokens, each followed by its position. */
  readonly asides: NumberSink;
}

/** Characters from which a text is processed with pauses. */
const long = 1 << 18;

// Amounts of work between two pauses.
const countedAtOnce = 20_000;
const readAtOnce = 500;
const writtenAtOnce = 10;
const firstSlots = 1 << 12;

/**
 * Indexes the texts of some entries, in ascending order, in steps of a few milliseconds; entries without texts are left out. Null if none
 * is left.
 */
export function* buildSegment(ords: readonly number[], textsOf: TextsOf): Generator<void, Segment | null> {
  const collector = new UnitCollector();
  const grams = new GramCollector(ords);
  const found = new NumberSink();
  for (const ord of ords) {
    grams.next();
    const texts = textsOf(ord);
    if (texts === undefined) continue;
    for (const [zone, column] of zones.entries()) {
      const text = texts[allColumns[column]!];
      const isLong = text.length > long;
      if (isLong) yield;
      const folded = foldText(text);
      if (isLong) yield;
      const bytes = endedBytes(toByteString(folded));
      if (isLong) yield;
      yield* collect(bytes, zone, collector);
      yield* grams.add(bytes);
    }
    found.push(ord);
    yield;
  }
  if (found.size === 0) return null;
  const writer = new SegmentWriter(found.view(), collector.starts());
  yield* collector.each((unit, positions) => writer.add(unit, positions));
  yield* grams.each((number, entries) => writer.addGram(number, entries));
  return yield* writer.finish();
}

function* collect(bytes: Buffer, zone: number, collector: UnitCollector): Generator<void> {
  const hasBlank = yield* cutText(bytes, (token, from, to) => collector.add(zone, token, from, to));
  if (hasBlank) collector.addAside(zone, marks.blank);
  collector.endText(zone);
}

/** Collects the positions of units while a segment is built. */
class UnitCollector {
  readonly #table = new UnitTable();
  readonly #zones = zones.map(
    (): Zone => ({
      tokens: new NumberSink(),
      ends: new NumberSink(),
      asides: new NumberSink(),
    }),
  );

  add(zone: number, text: string, from: number, to: number): void {
    this.#zones[zone]!.tokens.push(this.#table.number(text, from, to));
  }

  /** Adds a unit that is not a token at the position of the last token. */
  addAside(zone: number, unit: string): void {
    const { tokens, asides } = this.#zones[zone]!;
    asides.push(this.#table.number(unit, 0, unit.length));
    asides.push(tokens.size - 1);
  }

  /** Ends the next text of a zone. */
  endText(zone: number): void {
    const { tokens, ends } = this.#zones[zone]!;
    ends.push(tokens.size);
  }

  /** The starts of all texts, see `Places`. */
  starts(): Uint32Array {
    const starts = new NumberSink();
    starts.push(0);
    let first = 0;
    for (const { tokens, ends } of this.#zones) {
      for (const end of ends.view()) starts.push(first + end);
      first += tokens.size;
    }
    return starts.finish();
  }

  /** Calls `add` for each unit, in byte order, with its positions. Pauses regularly. */
  *each(add: (unit: string, positions: Uint32Array) => Generator<void>): Generator<void> {
    const { starts, positions } = yield* this.#byUnit();
    const buckets = yield* this.#buckets();
    let done = 0;
    for (const bucket of buckets) {
      for (const { unit, number } of bucket.sort((a, b) => (a.unit < b.unit ? -1 : 1))) {
        yield* add(unit, positions.subarray(starts[number], starts[number + 1]));
        if (++done % writtenAtOnce === 0) yield;
      }
    }
  }

  *#byUnit(): Generator<void, { starts: Uint32Array; positions: Uint32Array }> {
    const starts = new Uint32Array(this.#table.size + 1);
    for (const zone of this.#zones) {
      const [tokens, asides] = [zone.tokens.view(), zone.asides.view()];
      for (let i = 0; i < asides.length; i += 2) starts[asides[i]! + 1]! += 1;
      for (let at = 0; at < tokens.length; at++) {
        starts[tokens[at]! + 1]! += 1;
        if (at % countedAtOnce === 0) yield;
      }
    }
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    const next = starts.slice();
    const positions = new Uint32Array(starts.at(-1)!);
    yield;
    let first = 0;
    for (const zone of this.#zones) {
      const [tokens, asides] = [zone.tokens.view(), zone.asides.view()];
      for (let i = 0; i < asides.length; i += 2) positions[next[asides[i]!]!++] = first + asides[i + 1]!;
      for (let at = 0; at < tokens.length; at++) {
        positions[next[tokens[at]!]!++] = first + at;
        if (at % countedAtOnce === 0) yield;
      }
      first += tokens.length;
    }
    return { starts, positions };
  }

  /** Units grouped by their first two bytes, in order: each group is small enough to be sorted without a pause. */
  *#buckets(): Generator<void, Iterable<{ unit: string; number: number }[]>> {
    const buckets = new Map<number, { unit: string; number: number }[]>();
    for (let number = 0; number < this.#table.size; number++) {
      const unit = this.#table.unit(number);
      const start = unit.charCodeAt(0) * 256 + (unit.length > 1 ? unit.charCodeAt(1) : 0);
      const bucket = buckets.get(start);
      if (bucket === undefined) buckets.set(start, [{ unit, number }]);
      else bucket.push({ unit, number });
      if (number % readAtOnce === 0) yield;
    }
    return [...buckets].sort(([a], [b]) => a - b).map(([, bucket]) => bucket);
  }
}

/** Numbers byte strings, from 0 in order of first appearance: a hash table without string objects. */
class UnitTable {
  #bytes = new Uint8Array(1 << 16);
  #starts = new Uint32Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  /** Unit numbers plus one, 0 for empty slots; open addressing. */
  #slots = new Uint32Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  number(text: string, from: number, to: number): number {
    const hash = hashOf(text, from, to);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes[number] === hash && this.#is(number, text, { from, to })) return number;
    }
    this.#slots[slot] = this.#size + 1;
    return this.#add(text, hash, { from, to });
  }

  unit(number: number): string {
    const [from, to] = [this.#starts[number]!, this.#starts[number + 1]!];
    return Buffer.from(this.#bytes.buffer, from, to - from).toString('latin1');
  }

  #is(number: number, text: string, { from, to }: { from: number; to: number }): boolean {
    let at = this.#starts[number]!;
    if (this.#starts[number + 1]! - at !== to - from) return false;
    for (let i = from; i < to; i++) if (this.#bytes[at++] !== text.charCodeAt(i)) return false;
    return true;
  }

  #add(text: string, hash: number, { from, to }: { from: number; to: number }): number {
    const number = this.#size++;
    let at = this.#starts[number]!;
    if (at + to - from > this.#bytes.length) this.#bytes = copied(this.#bytes, new Uint8Array((at + to - from) * 2));
    for (let i = from; i < to; i++) this.#bytes[at++] = text.charCodeAt(i);
    if (this.#size + 1 > this.#starts.length) {
      this.#starts = copied(this.#starts, new Uint32Array(this.#size * 2));
      this.#hashes = copied(this.#hashes, new Int32Array(this.#size * 2));
    }
    this.#starts[number + 1] = at;
    this.#hashes[number] = hash;
    if (this.#size * 2 > this.#slots.length) this.#spread();
    return number;
  }

  #spread(): void {
    const slots = new Uint32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function copied<T extends Uint8Array | Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

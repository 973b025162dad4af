import { NumberSink } from './bytes.ts';
import type { SideList } from './column-postings.ts';
import { UnitTable } from './unit-table.ts';
import type { Sides, Span } from './units.ts';

// What is done between two pauses.
const countedAtOnce = 100_000;
const readAtOnce = 3000;
const writtenAtOnce = 500;
const none = new Uint32Array(0);

/** Which entries have which units of one section, while a segment is built. Entries must come in ascending order. */
export class UnitCollector {
  readonly #table = new UnitTable();
  #lastList = new Uint32Array(1024);
  /** Of each unit, in the list that had it last. */
  #sides = new Uint8Array(1024);
  readonly #units = new NumberSink();
  readonly #ends = new NumberSink();
  readonly #owners = new NumberSink();
  readonly #kinds = new NumberSink();
  readonly #width: number;
  #lastEnd = 0;

  /** `width`: lists that an entry can have. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Answers the unit's number: 0 for the first that was ever given one, and so on. */
  add(text: string, { from, to }: Span, sides: Sides): number {
    const number = this.number(text, from, to);
    const last = this.#ends.size + 1;
    if (this.#lastList[number] === last) {
      this.#sides[number]! |= sides;
      return number;
    }
    this.#lastList[number] = last;
    this.#sides[number] = sides;
    this.#units.push(number);
    return number;
  }

  /** As `add`, without saying that a list has it. */
  number(text: string, from: number, to: number): number {
    const number = this.#table.number(text, from, to);
    if (number >= this.#lastList.length) {
      const [lastList, sides] = [new Uint32Array(number * 2), new Uint8Array(number * 2)];
      lastList.set(this.#lastList);
      sides.set(this.#sides);
      this.#lastList = lastList;
      this.#sides = sides;
    }
    return number;
  }

  /** Ends the list of an entry and column; `others`: what else is known of its units. */
  endList(entry: number, column: number, others: readonly SideList[]): void {
    const from = this.#lastEnd;
    const to = this.#units.size;
    this.#end(entry, column);
    for (const { has, of } of others) {
      for (let i = from; i < to; i++) {
        const number = this.#units.at(i);
        if (has(this.#sides[number]!)) this.#units.push(number);
      }
      this.#end(entry, of(column));
    }
  }

  #end(entry: number, kind: number): void {
    if (this.#units.size === this.#lastEnd) return;
    this.#lastEnd = this.#units.size;
    this.#ends.push(this.#units.size);
    this.#owners.push(entry);
    this.#kinds.push(kind);
  }

  /** Calls `visit` for each unit that some list has, in byte order, with its entries by list. Pauses now and then. */
  *each(visit: (unit: UnitEntries) => void, ords: Uint32Array): Generator<void> {
    const { places, entries } = yield* this.#byUnit(ords);
    const buckets = yield* this.#buckets();
    let done = 0;
    for (const bucket of buckets) {
      for (const { unit, number } of bucket.sort((a, b) => (a.unit < b.unit ? -1 : 1))) {
        const first = number * this.#width;
        if (places[first] !== places[first + this.#width]) {
          const slices: Uint32Array[] = [];
          for (let at = first; at < first + this.#width; at++) {
            const [from, to] = [places[at]!, places[at + 1]!];
            slices.push(from === to ? none : entries.subarray(from, to));
          }
          visit({ unit, number, entries: slices });
        }
        if (++done % writtenAtOnce === 0) yield;
      }
    }
  }

  *#byUnit(ords: Uint32Array): Generator<void, { places: Uint32Array; entries: Uint32Array }> {
    const units = this.#units.view();
    const width = this.#width;
    const places = new Uint32Array(this.#table.size * width + 1);
    for (const { kind, from, to } of this.#lists()) {
      for (let i = from; i < to; i++) places[units[i]! * width + kind + 1]! += 1;
      if (pausesIn(from, to)) yield;
    }
    for (let i = 1; i < places.length; i++) places[i]! += places[i - 1]!;
    const next = places.slice();
    const entries = new Uint32Array(units.length);
    yield;
    for (const { entry, kind, from, to } of this.#lists()) {
      const ord = ords[entry]!;
      for (let i = from; i < to; i++) entries[next[units[i]! * width + kind]!++] = ord;
      if (pausesIn(from, to)) yield;
    }
    return { places, entries };
  }

  *#lists(): Generator<{ entry: number; kind: number; from: number; to: number }> {
    const [ends, owners, kinds] = [this.#ends.view(), this.#owners.view(), this.#kinds.view()];
    for (let list = 0; list < ends.length; list++) {
      yield { entry: owners[list]!, kind: kinds[list]!, from: ends[list - 1] ?? 0, to: ends[list]! };
    }
  }

  /** Units by their first two bytes, sorted by these: what is then sorted at one go must not be too much. */
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

export interface UnitEntries {
  readonly unit: string;
  readonly number: number;
  readonly entries: readonly Uint32Array[];
}

/** True about once in `n` postings. */
function pausesIn(from: number, to: number): boolean {
  return Math.trunc(from / countedAtOnce) !== Math.trunc(to / countedAtOnce);
}

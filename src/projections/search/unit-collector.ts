import { NumberSink } from './bytes.ts';
import { UnitTable } from './unit-table.ts';

// What is done between two pauses.
const countedAtOnce = 100_000;
const readAtOnce = 3000;
const writtenAtOnce = 500;

/** Which entries have which units of one section, while a segment is built. Entries must come in ascending order. */
export class UnitCollector {
  readonly #table = new UnitTable();
  /** By unit: the last text that had it, plus one. */
  #lastText = new Uint32Array(1024);
  /** Unit numbers, text after text, and where each text ends. A text is one column of one entry. */
  readonly #units = new NumberSink();
  readonly #ends = new NumberSink();

  /** Answers the unit's number: 0 for the first that was ever given one, and so on. */
  add(text: string, from: number, to: number): number {
    const number = this.number(text, from, to);
    const last = this.#ends.size + 1;
    if (this.#lastText[number] === last) return number;
    this.#lastText[number] = last;
    this.#units.push(number);
    return number;
  }

  /** As `add`, without saying that a text has it. */
  number(text: string, from: number, to: number): number {
    const number = this.#table.number(text, from, to);
    if (number >= this.#lastText.length) {
      const grown = new Uint32Array(number * 2);
      grown.set(this.#lastText);
      this.#lastText = grown;
    }
    return number;
  }

  endText(): void {
    this.#ends.push(this.#units.size);
  }

  /** Calls `visit` for each unit that some text has, in byte order, with its entries by column. Pauses now and then. */
  *each(visit: (unit: UnitEntries) => void, ords: Uint32Array): Generator<void> {
    const { places, entries } = yield* this.#byUnit(ords);
    const buckets = yield* this.#buckets();
    let done = 0;
    for (const bucket of buckets) {
      for (const { unit, number } of bucket.sort((a, b) => (a.unit < b.unit ? -1 : 1))) {
        const slice = (column: number) =>
          entries.subarray(places[number * 3 + column], places[number * 3 + column + 1]);
        if (places[number * 3] !== places[number * 3 + 3])
          visit({ unit, number, entries: [slice(0), slice(1), slice(2)] });
        if (++done % writtenAtOnce === 0) yield;
      }
    }
  }

  /** Turns units of each text into texts of each unit, by counting. */
  *#byUnit(ords: Uint32Array): Generator<void, { places: Uint32Array; entries: Uint32Array }> {
    const units = this.#units.view();
    const places = new Uint32Array(this.#table.size * 3 + 1);
    for (const { text, from, to } of this.#texts()) {
      for (let i = from; i < to; i++) places[units[i]! * 3 + (text % 3) + 1]! += 1;
      if (pausesIn(from, to)) yield;
    }
    for (let i = 1; i < places.length; i++) places[i]! += places[i - 1]!;
    const next = places.slice();
    const entries = new Uint32Array(units.length);
    yield;
    for (const { text, from, to } of this.#texts()) {
      const ord = ords[Math.trunc(text / 3)]!;
      for (let i = from; i < to; i++) entries[next[units[i]! * 3 + (text % 3)]!++] = ord;
      if (pausesIn(from, to)) yield;
    }
    return { places, entries };
  }

  *#texts(): Generator<{ text: number; from: number; to: number }> {
    const ends = this.#ends.view();
    for (let text = 0; text < ends.length; text++) yield { text, from: ends[text - 1] ?? 0, to: ends[text]! };
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
  /** Ords by column. */
  readonly entries: readonly Uint32Array[];
}

/** True about once in so many postings. */
function pausesIn(from: number, to: number): boolean {
  return Math.trunc(from / countedAtOnce) !== Math.trunc(to / countedAtOnce);
}

import { NumberSink } from './bytes.ts';
import { zones } from './places.ts';
import { UnitTable } from './unit-table.ts';

// Amounts of work between two pauses.
const countedAtOnce = 100_000;
const readAtOnce = 3000;
const writtenAtOnce = 500;

interface Zone {
  /** The units of all tokens, in order. */
  readonly tokens: NumberSink;
  /** Where the texts end. */
  readonly ends: NumberSink;
  /** Units that are not tokens, each followed by its position. */
  readonly asides: NumberSink;
}

/** Collects the positions of units while a segment is built. */
export class UnitCollector {
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

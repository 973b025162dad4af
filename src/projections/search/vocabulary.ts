import type { ByteSink } from './bytes.ts';
import { type Stretch, TrigramFilter } from './trigram-filter.ts';

const maxRemembered = 64;
const longestRemembered = 200;
// In characters: less is looked through faster than sieved.
const smallest = 4096;

/** The units of one section of a segment, sorted, one after the other with a line break around each. */
export class Vocabulary {
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #remembered = new Map<string, readonly number[]>();
  #trigramFilter: TrigramFilter | undefined;

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    this.#starts = starts;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  unit(number: number): string {
    return this.#text.slice(this.#starts[number], this.#starts[number + 1]! - 1);
  }

  /** Makes what lets most of it be passed over when parts are looked for; null: it has that, or needs none. */
  warmUp(): Generator<void> | null {
    if (this.#trigramFilter !== undefined || this.#text.length < smallest) return null;
    return this.#makeFilter();
  }

  /** Numbers of the units with `part` (a byte string) in them; a line break in it stands for a unit's edge. */
  numbersWith(part: string): readonly number[] {
    const known = this.#remembered.get(part);
    if (known !== undefined) return known;
    const numbers = this.#scan(part);
    if (this.#remembered.size === maxRemembered) this.#remembered.clear();
    if (numbers.length <= longestRemembered) this.#remembered.set(part, numbers);
    return numbers;
  }

  *#makeFilter(): Generator<void> {
    this.#trigramFilter = yield* TrigramFilter.of({ text: this.#text, starts: this.#starts });
  }

  #scan(part: string): number[] {
    const all = { from: 0, to: this.#text.length };
    if (part.length < 3 || this.#trigramFilter === undefined) return this.#scanIn(part, all);
    return [...this.#trigramFilter.mayHave(part)].flatMap((stretch) => this.#scanIn(part, stretch));
  }

  #scanIn(part: string, { from, to }: Stretch): number[] {
    const numbers: number[] = [];
    const inset = part.startsWith('\n') ? 1 : 0;
    const text = this.#text.slice(from, to);
    let at = text.indexOf(part);
    for (let number = 0; at >= 0; number += 1) {
      number = this.#numberAt(from + at + inset, number);
      numbers.push(number);
      at = text.indexOf(part, this.#starts[number + 1]! - 1 - from);
    }
    return numbers;
  }

  /** The unit, at or after number `from`, that place `at` of the text belongs to. */
  #numberAt(at: number, from: number): number {
    const starts = this.#starts;
    let low = from;
    let step = 1;
    while (low + step < starts.length && starts[low + step]! <= at) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, starts.length - 1);
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Writes units, which must come sorted, in the way that `Vocabulary` reads them; answers where the unit starts. */
export function writeUnit(sink: ByteSink, unit: string): number {
  if (sink.size === 0) sink.push(10);
  const start = sink.size;
  const bytes = sink.extend(unit.length + 1);
  for (let i = 0; i < unit.length; i++) bytes[i] = unit.charCodeAt(i);
  bytes[unit.length] = 10;
  return start;
}

import type { ByteSink } from './bytes.ts';
import { marks } from './tokens.ts';

export interface UnitText {
  readonly text: string;
  readonly starts: Uint32Array;
}

interface TrigramStretch {
  readonly from: number;
  readonly to: number;
}

// In characters: shorter texts are scanned faster than filtered.
const smallest = 4096;
const edge = marks.edge.charCodeAt(0);

// Minimum number of characters in a block.
const blockSize = 1024;
// A block has some 800 different trigrams: so about a fifth of its bits are set.
const bitsPerBlock = 4096;
const wordsPerBlock = bitsPerBlock / 32;
const blocksAtOnce = 64;

/** The units of a segment, sorted and concatenated, with an edge around each. */
export class Vocabulary {
  readonly #text: string;
  readonly #starts: Uint32Array;
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

  /** Builds the filter that speeds up look-ups of parts; null if it exists or is not needed. */
  warmUp(): Generator<void> | null {
    if (this.#trigramFilter !== undefined || this.#text.length < smallest) return null;
    return this.#makeFilter();
  }

  /** Numbers of the units that contain `part` (a byte string); edges in it match edges of units. */
  numbersWith(part: string): readonly number[] {
    return part.startsWith(marks.edge) ? this.#startingWith(part.slice(1)) : this.#scan(part);
  }

  *#makeFilter(): Generator<void> {
    this.#trigramFilter = yield* TrigramFilter.of({ text: this.#text, starts: this.#starts });
  }

  #scan(part: string): number[] {
    const all = { from: 0, to: this.#text.length };
    if (part.length < 3 || this.#trigramFilter === undefined) return this.#scanIn(part, all);
    return this.#trigramFilter.mayHave(part).flatMap((stretch) => this.#scanIn(part, stretch));
  }

  #scanIn(part: string, { from, to }: TrigramStretch): number[] {
    const numbers: number[] = [];
    const text = this.#text.slice(from, to);
    for (let at = text.indexOf(part), number = 0; at >= 0; number += 1) {
      number = this.#numberAt(from + at, number);
      numbers.push(number);
      at = text.indexOf(part, this.#starts[number + 1]! - 1 - from);
    }
    return numbers;
  }

  #startingWith(part: string): number[] {
    const start = part.endsWith(marks.edge) ? part.slice(0, -1) : part;
    const numbers: number[] = [];
    for (let number = this.#firstFrom(start); this.#text.startsWith(part, this.#starts[number]); number += 1) {
      numbers.push(number);
    }
    return numbers;
  }

  /** The first unit that is not before `unit`. */
  #firstFrom(unit: string): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.unit(middle) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The unit, at or after number `from`, that contains place `at` of the text. */
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

/** Writes units, which must be sorted, in the format of `Vocabulary`. Returns where the unit starts. */
export function writeUnit(sink: ByteSink, unit: string): number {
  if (sink.size === 0) sink.push(edge);
  const start = sink.size;
  const bytes = sink.extend(unit.length + 1);
  for (let i = 0; i < unit.length; i++) bytes[i] = unit.charCodeAt(i);
  bytes[unit.length] = edge;
  return start;
}

/**
 * Tells which blocks of units cannot contain a string. For each block it stores the trigrams in it, several to a bit: a string with a
 * missing trigram cannot be there.
 */
class TrigramFilter {
  readonly #ends: Uint32Array;
  readonly #bits: Uint32Array;

  private constructor(ends: Uint32Array, bits: Uint32Array) {
    this.#ends = ends;
    this.#bits = bits;
  }

  static *of({ text, starts }: UnitText): Generator<void, TrigramFilter> {
    const ends = blockEnds(starts);
    yield;
    const bits = new Uint32Array(ends.length * wordsPerBlock);
    let from = 0;
    for (const [block, end] of ends.entries()) {
      const base = block * wordsPerBlock;
      for (let at = from; at + 2 <= end; at++) {
        const bit = bitOf(text, at);
        bits[base + (bit >>> 5)]! |= 1 << (bit & 31);
      }
      from = end;
      if (block % blocksAtOnce === blocksAtOnce - 1) yield;
    }
    return new TrigramFilter(ends, bits);
  }

  /** Stretches that may contain `part`, which has at least three characters and lies within one unit and its edges. */
  mayHave(part: string): TrigramStretch[] {
    const bits: number[] = [];
    for (let at = 0; at + 2 < part.length; at++) bits.push(bitOf(part, at));
    const stretches: TrigramStretch[] = [];
    let start = -1;
    for (let block = 0; block <= this.#ends.length; block++) {
      const passes = block < this.#ends.length && this.#passes(block * wordsPerBlock, bits);
      if (passes && start < 0) start = block;
      if (passes || start < 0) continue;
      stretches.push(this.#stretch(start, block - 1));
      start = -1;
    }
    return stretches;
  }

  #passes(base: number, bits: readonly number[]): boolean {
    for (let i = 0; i < bits.length; i++) {
      if (((this.#bits[base + (bits[i]! >>> 5)]! >>> (bits[i]! & 31)) & 1) === 0) return false;
    }
    return true;
  }

  #stretch(first: number, last: number): TrigramStretch {
    return { from: first === 0 ? 0 : this.#ends[first - 1]!, to: this.#ends[last]! + 1 };
  }
}

function blockEnds(starts: Uint32Array): Uint32Array {
  const ends: number[] = [];
  let from = 0;
  for (let next = 1; next < starts.length; next++) {
    const end = starts[next]! - 1;
    if (end - from < blockSize && next < starts.length - 1) continue;
    ends.push(end);
    from = end;
  }
  return Uint32Array.from(ends);
}

function bitOf(text: string, at: number): number {
  const hash = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return hash & (bitsPerBlock - 1);
}

export interface UnitText {
  readonly text: string;
  readonly starts: Uint32Array;
}

export interface TrigramStretch {
  readonly from: number;
  readonly to: number;
}

// Minimum number of characters in a block.
const blockSize = 1024;
// A block has some 800 different trigrams: so about a fifth of its bits are set.
const bitsPerBlock = 4096;
const wordsPerBlock = bitsPerBlock / 32;
const blocksAtOnce = 64;

/**
 * Tells which blocks of units cannot contain a string. For each block it stores the trigrams in it, several to a bit: a string with a
 * missing trigram cannot be there.
 */
export class TrigramFilter {
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

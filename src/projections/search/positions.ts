import { ByteSink, numbersIn } from './bytes.ts';

/**
 * Lists of ascending numbers, stored as Rice codes of their distances. With parameter k, a distance d is coded as d / 2^k (rounded down)
 * zeros, a one, and the remainder in k bits, lowest first. For evenly spread numbers this is within a twentieth of the optimum. A list
 * begins with a byte for k, and is padded with zeros to a byte.
 */

/** After this many zeros the whole distance follows, in 32 bits. */
const longCode = 16;
const stretch = 1024;
/** Bytes required after a list, because bits are read in groups. */
export const slack = 8;

/** Writes one list after another. */
export class PositionWriter {
  readonly #list = new ByteSink(stretch);
  /** Pending bits, and their number. */
  #bits = 0;
  #count = 0;
  #k = 0;
  #before = -1;

  /** Begins a list of `count` numbers, all below `end`. */
  begin(count: number, end: number): void {
    this.#list.clear();
    this.#k = parameterFor(end / count);
    this.#before = -1;
    this.#put(this.#k, 8);
  }

  /** Continues the list with ascending numbers. */
  write(numbers: Uint32Array): void {
    const k = this.#k;
    let before = this.#before;
    for (let i = 0; i < numbers.length; i++) {
      const distance = numbers[i]! - before - 1;
      before = numbers[i]!;
      const zeros = distance >>> k;
      if (zeros >= longCode) {
        this.#put(0, longCode);
        this.#put(distance, 32);
      } else if (zeros + k < 16) {
        this.#add((1 << zeros) | ((distance & ((1 << k) - 1)) << (zeros + 1)), zeros + 1 + k);
      } else {
        this.#put(1 << zeros, zeros + 1);
        this.#put(distance & (2 ** k - 1), k);
      }
    }
    this.#before = before;
  }

  /** Returns the list; valid until the next one begins. */
  end(): Uint8Array {
    if (this.#count > 0) this.#put(0, 8 - this.#count);
    return this.#list.view();
  }

  #put(value: number, bits: number): void {
    if (bits > 16) {
      this.#add(value & 0xffff, 16);
      this.#add((value >>> 16) & ((1 << (bits - 16)) - 1), bits - 16);
    } else this.#add(value & ((1 << bits) - 1), bits);
  }

  /** Adds up to 16 bits; those of `value` beyond them must be 0. */
  #add(value: number, bits: number): void {
    let all = this.#bits | (value << this.#count);
    let count = this.#count + bits;
    for (; count >= 8; count -= 8) {
      this.#list.push(all & 255);
      all >>>= 8;
    }
    this.#bits = all;
    this.#count = count;
  }
}

/** Shared by all readers: no caller pauses before it has used a stretch. */
const lastStretch = new Uint32Array(stretch);

/** Reads lists one after another, each in stretches. */
export class PositionReader {
  /** The stretch read last, by any reader. */
  readonly found = lastStretch;
  #bytes: Uint8Array = new Uint8Array(0);
  #words: Uint32Array = new Uint32Array(0);
  /** Index of the word from which bits are counted. */
  #first = 0;
  #at = 0;
  #end = 0;
  #k = 0;
  #before = -1;

  /** Opens the list that starts at `from` and has `size` bytes. `bytes`: at an address that is a multiple of four, with `slack` at the end. */
  open(bytes: Uint8Array, from: number, size: number): void {
    if (bytes !== this.#bytes) this.#words = numbersIn(bytes);
    this.#bytes = bytes;
    this.#k = bytes[from]!;
    this.#first = from >>> 2;
    this.#at = (from & 3) * 8 + 8;
    this.#end = ((from & 3) + size) * 8;
    this.#before = -1;
  }

  /** Reads the next stretch. Returns its length; 0 at the end of the list. */
  read(): number {
    const words = this.#words;
    const found = this.found;
    const first = this.#first;
    const end = this.#end | 0;
    const k = this.#k | 0;
    const mask = (1 << k) - 1;
    let at = this.#at | 0;
    let before = this.#before | 0;
    let count = 0;
    while (count < stretch && at + k < end) {
      let bits = windowAt(words, first, at);
      const known = Math.min(32, end - at) | 0;
      let used = 0;
      // All short codes that lie completely within these bits.
      while (count < stretch) {
        const zeros = 31 - Math.clz32(bits & -bits);
        const length = (zeros + 1 + k) | 0;
        if (zeros < 0 || zeros >= longCode || length > 31 || used + length > known) break;
        before = (before + 1 + (zeros << k) + ((bits >>> (zeros + 1)) & mask)) | 0;
        found[count] = before;
        count = (count + 1) | 0;
        bits >>>= length;
        used = (used + length) | 0;
      }
      at = (at + used) | 0;
      if (used > 0) continue;
      const lowest = bits & -bits & ((1 << longCode) - 1);
      if (lowest !== 0) {
        const zeros = 31 - Math.clz32(lowest);
        const low = (at + zeros + 1) | 0;
        if (low + k > end) break;
        before = (before + 1 + (zeros << k) + (windowAt(words, first, low) & mask)) | 0;
        at = (low + k) | 0;
      } else {
        if (at + longCode + 32 > end) break;
        before = (before + 1 + windowAt(words, first, at + longCode)) | 0;
        at = (at + longCode + 32) | 0;
      }
      found[count] = before;
      count = (count + 1) | 0;
    }
    this.#at = at;
    this.#before = before;
    return count;
  }
}

/** 32 bits, starting at a bit offset from a word. */
function windowAt(words: Uint32Array, first: number, bit: number): number {
  const word = first + (bit >>> 5);
  const shift = bit & 31;
  return (words[word]! >>> shift) | ((words[word + 1]! << 1) << (31 - shift));
}

/** The parameter with the shortest codes for this average distance. */
function parameterFor(distance: number): number {
  const k = Math.max(0, Math.min(29, Math.floor(Math.log2(Math.LN2 * distance))));
  return lengthOf(k + 1, distance) < lengthOf(k, distance) ? k + 1 : k;
}

/** Average bits of a code. */
function lengthOf(k: number, distance: number): number {
  return k + 1 / (1 - (1 - 1 / distance) ** (2 ** k));
}

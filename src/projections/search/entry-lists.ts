import { type Bits, bitsToArray, countBits, newBits, setBit } from '../kernel/bits.ts';
import { numbersIn } from './bytes.ts';
import type { Places } from './places.ts';
import { PositionReader, PositionWriter } from './positions.ts';

/**
 * Lists of the entries with a unit, so that a search for it need not find the entry of each position, and of those with an n-gram. They are
 * stored like positions or, if at least a sixteenth of the entries between the first and the last is in the list, as bits: the mark, the
 * index of the first 32, the bits.
 */

/** In place of the parameter of a list. */
const bitsMark = 255;
/** Numbers before the bits. */
const headSize = 2;
const dense = 16;
/** Positions read between two pauses. */
const atOnce = 50_000;

export class EntryListWriter {
  readonly #ords: Uint32Array;
  readonly #places: Places;
  readonly #list = new PositionWriter();
  /** Empty between two lists. */
  readonly #bits: Bits;

  constructor(ords: Uint32Array, places: Places) {
    this.#ords = ords;
    this.#places = places;
    this.#bits = newBits(ords.reduce((max, ord) => Math.max(max, ord), 0) + 1);
  }

  /** The list of the entries at some positions, which ascend; valid until the next one is written. Pauses regularly. */
  *write(positions: Uint32Array): Generator<void, Uint8Array> {
    const { first, end } = yield* this.#mark(positions);
    const bits = this.#bits.subarray(first, end);
    const list = this.#listOf(bits, first);
    bits.fill(0);
    return list;
  }

  /** The list of some entries; valid until the next one is written. */
  writeSet(entries: Bits): Uint8Array {
    let [first, end] = [0, entries.length];
    while (first < end && entries[first] === 0) first += 1;
    while (first < end && entries[end - 1] === 0) end -= 1;
    return this.#listOf(entries.subarray(first, end), first);
  }

  #listOf(bits: Bits, first: number): Uint8Array {
    return countBits(bits) * dense < bits.length * 32 ? this.#listed(bits, first) : withHead(bits, first);
  }

  /** Sets the bits of the entries. Returns where they are, in steps of 32. */
  *#mark(positions: Uint32Array): Generator<void, { first: number; end: number }> {
    const { starts, entries } = this.#places;
    const bits = this.#bits;
    let [first, end] = [bits.length, 0];
    // The entry of all positions below `settled` is found.
    for (let i = 0, place = 0, settled = 0; i < positions.length; i++) {
      if (i % atOnce === atOnce - 1) yield;
      if (positions[i]! < settled) continue;
      place = this.#places.of(positions[i]!, place);
      settled = starts[place + 1]!;
      const ord = this.#ords[place % entries]!;
      setBit(bits, ord);
      first = Math.min(first, ord >>> 5);
      end = Math.max(end, (ord >>> 5) + 1);
    }
    return { first, end };
  }

  #listed(bits: Bits, first: number): Uint8Array {
    const ords = Uint32Array.from(bitsToArray(bits), (bit) => first * 32 + bit);
    this.#list.begin(ords.length, (first + bits.length) * 32);
    this.#list.write(ords);
    return this.#list.end();
  }
}

function withHead(bits: Bits, first: number): Uint8Array {
  const numbers = new Uint32Array(headSize + bits.length);
  numbers.set([bitsMark, first]);
  numbers.set(bits, headSize);
  return new Uint8Array(numbers.buffer);
}

const reader = new PositionReader();

/** Adds to `found` the entries of a list that are in both other sets. `list`: see `PositionReader.open`. */
export function addListed(found: Bits, list: Uint8Array, size: number, [some, others]: readonly [Bits, Bits]): void {
  if (list[0] === bitsMark) {
    addMarked(found, numbersIn(list.subarray(0, size)), [some, others]);
    return;
  }
  reader.open(list, 0, size);
  const ords = reader.found;
  for (let count = reader.read(); count > 0; count = reader.read()) {
    for (let i = 0; i < count; i++) {
      const ord = ords[i]!;
      // Beyond the end of a set there is nothing.
      const common = some[ord >>> 5]! & others[ord >>> 5]!;
      if (((common >>> (ord & 31)) & 1) === 1) setBit(found, ord);
    }
  }
}

function addMarked(found: Bits, numbers: Uint32Array, [some, others]: readonly [Bits, Bits]): void {
  const shift = numbers[1]! - headSize;
  const end = Math.min(numbers.length, Math.min(found.length, some.length, others.length) - shift);
  for (let i = headSize; i < end; i++) found[i + shift]! |= numbers[i]! & some[i + shift]! & others[i + shift]!;
}

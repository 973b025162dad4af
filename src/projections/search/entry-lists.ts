import type { Bits } from '../kernel/bits.ts';
import { newBits, setBit } from '../kernel/bits.ts';
import { NumberSink, numbersIn } from './bytes.ts';
import type { Places } from './places.ts';
import { PositionReader, PositionWriter } from './positions.ts';

/**
 * The entries with a unit, so that a search for it need not find the entry of each position. They are stored like positions or, if a
 * sixteenth of those between the first and the last has it, one bit each: the mark, the index of the first 32, and the bits.
 */

/** In place of the parameter of a list. */
const bitsMark = 255;
/** Numbers before the bits. */
const headSize = 2;
const dense = 16;
/** Positions read, or entries written, between two pauses. */
const atOnce = 50_000;

export class EntryListWriter {
  readonly #ords: Uint32Array;
  readonly #places: Places;
  readonly #list = new PositionWriter();
  readonly #found = new NumberSink();
  /** Empty between two lists. */
  readonly #bits: Bits;

  constructor(ords: Uint32Array, places: Places) {
    this.#ords = ords;
    this.#places = places;
    this.#bits = newBits(ords.reduce((max, ord) => Math.max(max, ord), 0) + 1);
  }

  /** The list of the entries at some positions, which ascend; valid until the next one is written. Pauses regularly. */
  *write(positions: Uint32Array): Generator<void, Uint8Array> {
    const { first, end, count } = yield* this.#mark(positions);
    const bits = this.#bits.subarray(first, end);
    const list = count * dense < bits.length * 32 ? yield* this.#listed(first, end, count) : withHead(first, bits);
    bits.fill(0);
    return list;
  }

  *#mark(positions: Uint32Array): Generator<void, { first: number; end: number; count: number }> {
    const { starts, entries } = this.#places;
    const bits = this.#bits;
    let [first, end, count] = [bits.length, 0, 0];
    // The entry of all positions below `settled` is found.
    for (let i = 0, place = 0, settled = 0; i < positions.length; i++) {
      if (i % atOnce === atOnce - 1) yield;
      if (positions[i]! < settled) continue;
      place = this.#places.of(positions[i]!, place);
      settled = starts[place + 1]!;
      const ord = this.#ords[place % entries]!;
      const word = ord >>> 5;
      if (((bits[word]! >>> (ord & 31)) & 1) === 0) count += 1;
      setBit(bits, ord);
      if (word < first) first = word;
      if (word >= end) end = word + 1;
    }
    return { first, end, count };
  }

  *#listed(first: number, end: number, count: number): Generator<void, Uint8Array> {
    const found = this.#found;
    found.clear();
    for (let at = first; at < end; at++) {
      for (let word = this.#bits[at]!; word !== 0; word &= word - 1)
        found.push(at * 32 + 31 - Math.clz32(word & -word));
      if (at % atOnce === atOnce - 1) yield;
    }
    this.#list.begin(count, end * 32);
    const ords = found.view();
    for (let from = 0; from < count; from += atOnce) {
      if (from > 0) yield;
      this.#list.write(ords.subarray(from, from + atOnce));
    }
    return this.#list.end();
  }
}

const reader = new PositionReader();

/** Adds to `found` the entries of a list that are in both other sets. `list`: see `PositionReader.open`. */
export function addListed(found: Bits, list: Uint8Array, size: number, [some, others]: readonly [Bits, Bits]): void {
  if (list[0] === bitsMark) {
    addMarked(found, numbersIn(list.subarray(0, size)), [some, others]);
    return;
  }
  reader.open(list, 0, size);
  for (let count = reader.read(); count > 0; count = reader.read())
    addOrds(found, reader.found, { count, some, others });
}

interface Members {
  readonly count: number;
  readonly some: Bits;
  readonly others: Bits;
}

/** Adds the first `count` ords that are in both other sets. */
function addOrds(found: Bits, ords: Uint32Array, { count, some, others }: Members): void {
  for (let i = 0; i < count; i++) {
    const ord = ords[i]!;
    const word = ord >>> 5;
    // Beyond the end of a set there is nothing.
    const isWanted = ((some[word]! & others[word]!) >>> (ord & 31)) & 1;
    if (isWanted === 1) found[word]! |= 1 << (ord & 31);
  }
}

function addMarked(found: Bits, numbers: Uint32Array, [some, others]: readonly [Bits, Bits]): void {
  const shift = numbers[1]! - headSize;
  const end = Math.min(numbers.length, Math.min(found.length, some.length, others.length) - shift);
  for (let i = headSize; i < end; i++) found[i + shift]! |= numbers[i]! & some[i + shift]! & others[i + shift]!;
}

function withHead(first: number, bits: Bits): Uint8Array {
  const numbers = new Uint32Array(headSize + bits.length);
  numbers.set([bitsMark, first]);
  numbers.set(bits, headSize);
  return new Uint8Array(numbers.buffer);
}

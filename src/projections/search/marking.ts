import { type Bits, newBits, setBit } from '../kernel/bits.ts';
import type { PlaceColumns, Places } from './places.ts';
import type { PositionReader } from './positions.ts';
import type { Segment } from './segment.ts';

/** Stretches read without a pause. */
const atOnce = 64;

/** Conditions on the positions of a part of a term. */
interface Where {
  /** Where the term can begin; null: anywhere. */
  readonly open: Bits | null;
  /** Index of the part in the term, and of its last part. */
  readonly at: number;
  readonly last: number;
  /** Where the term cannot begin, and where its last part cannot be. */
  readonly after: Bits | null;
  readonly before: Bits | null;
}

/** Collects the entries of positions. */
export class Marking {
  readonly bits: Bits;
  readonly #segment: Segment;
  readonly #isWanted: readonly boolean[];
  readonly #end: number;
  readonly #where: Where;
  readonly #isAnywhere: boolean;

  constructor(segment: Segment, columns: PlaceColumns, where: Where) {
    const { wanted, end } = segment.places.only(columns);
    this.bits = newBits(segment.live.length * 32);
    this.#segment = segment;
    this.#isWanted = wanted;
    this.#end = end;
    this.#where = where;
    this.#isAnywhere = where.open === null && where.after === null && where.before === null;
  }

  /** Reads some of a list. Returns false when the rest does not matter. */
  read(reader: PositionReader): boolean {
    for (let stretch = 0; stretch < atOnce; stretch++) {
      const count = reader.read();
      const fitting = this.#isAnywhere ? count : this.#keepFitting(reader.found, count);
      if (!this.#mark(reader.found, fitting) || count < reader.found.length) return false;
    }
    return true;
  }

  /** Returns false when the positions are beyond the columns. */
  #mark(positions: Uint32Array, count: number): boolean {
    const { bits } = this;
    const { places, ords } = this.#segment;
    const { starts, entries } = places;
    let place = 0;
    // Positions below this are settled.
    let settled = 0;
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      if (position < settled) continue;
      if (position >= this.#end) return false;
      place = places.of(position, place);
      settled = starts[place + 1]!;
      const zone = place < entries ? 0 : place < 2 * entries ? 1 : 2;
      if (this.#isWanted[zone]) setBit(bits, ords[place - zone * entries]!);
      else settled = starts[(zone + 1) * entries]!;
    }
    return true;
  }

  /** Moves the matching positions to the front. Returns their number. */
  #keepFitting(positions: Uint32Array, count: number): number {
    const { open, at, last, after, before } = this.#where;
    let kept = count;
    if (open !== null) kept = keepIn(positions, kept, { set: open, back: at, isWanted: true });
    if (after !== null) kept = keepIn(positions, kept, { set: after, back: at, isWanted: false });
    if (before !== null) kept = keepIn(positions, kept, { set: before, back: at - last, isWanted: false });
    return kept;
  }
}

/** A set that must, or must not, contain the position `back` tokens before. */
interface Test {
  readonly set: Bits;
  readonly back: number;
  readonly isWanted: boolean;
}

/** Moves the positions that pass to the front; returns their number. */
function keepIn(positions: Uint32Array, count: number, { set, back, isWanted }: Test): number {
  const flip = isWanted ? 0 : 1;
  let kept = 0;
  // No branches: the processor could not predict them.
  for (let i = behind(positions, count, back); i < count; i++) {
    const position = positions[i]!;
    const tested = position - back;
    positions[kept] = position;
    kept += ((set[tested >>> 5]! >>> (tested & 31)) & 1) ^ flip;
  }
  return kept;
}

/** Returns the number of leading positions below `back`. */
function behind(positions: Uint32Array, count: number, back: number): number {
  let i = 0;
  while (i < count && positions[i]! < back) i += 1;
  return i;
}

interface Narrowed {
  readonly open: Bits | null;
  readonly at: number;
  readonly columns: PlaceColumns;
  readonly places: Places;
}

/** Collects where a term can begin, according to one of its parts and those before. */
export class Narrowing {
  /** An empty set at first. */
  readonly positions: Bits;
  count = 0;
  readonly #open: Bits | null;
  readonly #at: number;
  readonly #end: number;

  constructor(positions: Bits, { open, at, columns, places }: Narrowed) {
    this.positions = positions;
    this.#open = open;
    this.#at = at;
    this.#end = places.only(columns).end;
  }

  /** Reads some of a list. Returns false when the rest does not matter. */
  read(reader: PositionReader): boolean {
    const { found } = reader;
    for (let stretch = 0; stretch < atOnce; stretch++) {
      const count = reader.read();
      this.count += this.#open === null ? this.#note(found, count) : this.#noteOpen(this.#open, found, count);
      if (count < found.length || found[count - 1]! >= this.#end) return false;
    }
    return true;
  }

  #note(found: Uint32Array, count: number): number {
    const { positions } = this;
    const at = this.#at;
    for (let i = behind(found, count, at); i < count; i++) {
      const first = found[i]! - at;
      positions[first >>> 5]! |= 1 << (first & 31);
    }
    return count;
  }

  #noteOpen(open: Bits, found: Uint32Array, count: number): number {
    const { positions } = this;
    const at = this.#at;
    let kept = 0;
    for (let i = behind(found, count, at); i < count; i++) {
      const first = found[i]! - at;
      const bit = (open[first >>> 5]! >>> (first & 31)) & 1;
      positions[first >>> 5]! |= bit << (first & 31);
      kept += bit;
    }
    return kept;
  }
}

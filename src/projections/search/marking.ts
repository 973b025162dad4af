import { type Bits, hasBit, newBits, setBit } from '../collection/bits.ts';
import type { Columns, Places } from './places.ts';
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

  constructor(segment: Segment, columns: Columns, where: Where) {
    const { wanted, end } = segment.places.only(columns);
    this.bits = newBits(segment.all.length * 32);
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
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      const first = position - at;
      if (first < 0 || (open !== null && (open[first >>> 5]! & (1 << (first & 31))) === 0)) continue;
      if ((after !== null && hasBit(after, first)) || (before !== null && hasBit(before, first + last))) continue;
      positions[kept] = position;
      kept += 1;
    }
    return kept;
  }
}

interface Narrowed {
  readonly open: Bits | null;
  readonly at: number;
  readonly columns: Columns;
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
    for (let i = 0; i < count; i++) {
      const first = found[i]! - at;
      if (first >= 0) positions[first >>> 5]! |= 1 << (first & 31);
    }
    return count;
  }

  #noteOpen(open: Bits, found: Uint32Array, count: number): number {
    const { positions } = this;
    const at = this.#at;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const first = found[i]! - at;
      if (first < 0) continue;
      const bit = open[first >>> 5]! & (1 << (first & 31));
      if (bit === 0) continue;
      positions[first >>> 5]! |= bit;
      kept += 1;
    }
    return kept;
  }
}

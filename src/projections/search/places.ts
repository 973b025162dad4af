import type { ByteSink } from './bytes.ts';
import { allColumns } from './types.ts';

/** A set of columns: bit 0 for the first. */
export type PlaceColumns = number;

/** Columns in the order of their texts: short texts first, because a list is read from its beginning. */
export const zones = [0, 2, 1] as const;
export const anyColumn: PlaceColumns = 2 ** allColumns.length - 1;

/** A piece of this many positions has few texts. */
const pieceBits = 9;

/** Maps positions to texts: first all texts of one column, then those of the next. */
export class Places {
  /** First position of each text, and the end. */
  readonly starts: Uint32Array;
  readonly entries: number;
  readonly #atPiece: Uint32Array;

  constructor(starts: Uint32Array) {
    this.starts = starts;
    this.entries = (starts.length - 1) / zones.length;
    this.#atPiece = new Uint32Array((this.end >>> pieceBits) + 1);
    for (let piece = 0, place = 0; piece < this.#atPiece.length; piece++) {
      while (place + 2 < starts.length && starts[place + 1]! <= piece << pieceBits) place += 1;
      this.#atPiece[piece] = place;
    }
  }

  /** Reads the output of `writeLengths`. */
  static read(bytes: Uint8Array, entries: number): Places {
    const starts = new Uint32Array(entries * zones.length + 1);
    let at = 0;
    for (let place = 0; place + 1 < starts.length; place++) {
      let length = 0;
      for (let shift = 0, byte = 128; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        length |= (byte & 127) << shift;
      }
      starts[place + 1] = starts[place]! + length;
    }
    return new Places(starts);
  }

  get end(): number {
    return this.starts.at(-1)!;
  }

  /** The place of a position; `from`: a place at or before it. */
  of(position: number, from: number): number {
    const starts = this.starts;
    let place = from;
    if (starts[place + 1]! <= position) place = Math.max(place + 1, this.#atPiece[position >>> pieceBits]!);
    while (starts[place + 1]! <= position) place += 1;
    return place;
  }

  /** Whether each zone is one of these columns, and where the last of them ends. */
  only(columns: PlaceColumns): { readonly wanted: readonly boolean[]; readonly end: number } {
    const wanted = zones.map((column) => ((columns >>> column) & 1) === 1);
    return { wanted, end: this.starts[(wanted.lastIndexOf(true) + 1) * this.entries]! };
  }
}

/** `starts`: see `Places`. */
export function writeLengths(sink: ByteSink, starts: Uint32Array): void {
  for (let place = 0; place + 1 < starts.length; place++) {
    let rest = starts[place + 1]! - starts[place]!;
    for (; rest > 127; rest >>>= 7) sink.push((rest & 127) | 128);
    sink.push(rest);
  }
}

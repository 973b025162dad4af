import type { Bits } from '../collection/bits.ts';
import type { ByteSink } from './bytes.ts';
import {
  addPostings,
  addPostingsAt,
  postingsSize,
  type Range,
  type Stretch,
  writeNumber,
  writePostings,
} from './postings.ts';
import { HELD, LED, type Section, type Sides, TRAILED } from './units.ts';

/** Columns of texts in a search. */
export const textColumns = 3;

/**
 * What else is known of a plain word in a text: that it never has a blank right before it there; never right behind it; never
 * on both sides at once, though it has it on each. Few texts are in these lists.
 */
export const sideLists: readonly [SideList, SideList, SideList] = [
  { has: (sides: Sides) => (sides & LED) === 0, of: (column: number) => textColumns + column },
  { has: (sides: Sides) => (sides & TRAILED) === 0, of: (column: number) => 2 * textColumns + column },
  { has: (sides: Sides) => sides === (LED | TRAILED), of: (column: number) => 3 * textColumns + column },
];

export interface SideList {
  has(sides: Sides): boolean;
  of(column: number): number;
}

/** How many lists of entries a unit of a section can have. */
export function listsOf(section: Section): number {
  return section === 'plain' ? (1 + sideLists.length) * textColumns : textColumns;
}

/** The lists that say of a plain word in a text column where it has no blank although it is wanted there. */
export function listsWithout(column: number, sides: Sides): readonly number[] {
  const [unled, untrailed, unheld] = sideLists;
  const lists = (sides & HELD) !== 0 ? [unled, untrailed, unheld] : (sides & LED) !== 0 ? [unled] : [untrailed];
  return lists.map(({ of }) => of(column));
}

/**
 * Writes the lists of entries of one unit: which there are, the sizes of all of them but the last, and the lists. Most units
 * have one list only, so that most take one byte more than that.
 */
export function writeColumns(sink: ByteSink, columns: readonly Uint32Array[], range: Range): void {
  const present = columns.filter(({ length }) => length > 0);
  const sizes = present.map((ords) => postingsSize(ords, range));
  writeNumber(
    sink,
    columns.reduce((mask, { length }, column) => (length > 0 ? mask | (1 << column) : mask), 0),
  );
  for (const size of sizes.slice(0, -1)) writeNumber(sink, size);
  for (const [i, ords] of present.entries()) writePostings(sink, ords, { range, size: sizes[i] ?? 0 });
}

export type Columns = number;

export function columnsOf(columns: Columns): readonly number[] {
  return [0, 1, 2].filter((column) => ((columns >>> column) & 1) === 1);
}

/** Adds to `bits` the entries that have a unit in one of the columns; `from` and `to`: what `writeColumns` wrote of it. */
export function addColumns(
  bits: Bits,
  { bytes, from, to }: Stretch,
  { columns, range }: { readonly columns: Columns; readonly range: Range },
): void {
  const present = listsIn(bytes, from);
  if ((present & columns) === 0) return;
  if ((present & (present - 1)) === 0) {
    addPostingsAt(bytes, from + (present > 127 ? 2 : 1), to, range, bits);
    return;
  }
  for (let column = 0; column < textColumns; column++) {
    if (((columns >>> column) & 1) === 0) continue;
    const list = columnIn({ bytes, from, to }, column);
    if (list !== null) addPostings(list, range, bits);
  }
}

/** Which lists `writeColumns` wrote at a place. */
export function listsIn(bytes: Uint8Array, from: number): Columns {
  const first = bytes[from]!;
  return first > 127 ? (first & 127) | (bytes[from + 1]! << 7) : first;
}

/** One list in what `writeColumns` wrote; null when there is none. */
export function columnIn({ bytes, from, to }: Stretch, column: number): Stretch | null {
  const mask = listsIn(bytes, from);
  if (((mask >>> column) & 1) === 0) return null;
  let at = from + (mask > 127 ? 2 : 1);
  if (mask === 1 << column) return { bytes, from: at, to };
  let before = 0;
  let own = -1;
  for (let other = 0; mask >>> (other + 1) !== 0; other++) {
    if (((mask >>> other) & 1) === 0) continue;
    let size = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      size |= (byte & 127) << shift;
    }
    if (other < column) before += size;
    else if (other === column) own = size;
  }
  return { bytes, from: at + before, to: own < 0 ? to : at + before + own };
}

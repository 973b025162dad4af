import type { ByteSink } from './bytes.ts';
import { postingsSize, type Range, type Stretch, writeNumber, writePostings } from './postings.ts';

/**
 * Writes the entries of one unit, by column: which columns have any, the sizes of all their lists but the last,
 * and the lists. Most units are in one column only, so that most take one byte more than their list.
 */
export function writeColumns(sink: ByteSink, columns: readonly Uint32Array[], range: Range): void {
  const present = columns.map((ords, column) => ({ ords, column })).filter(({ ords }) => ords.length > 0);
  const lists = present.map(({ ords, column }) => ({ ords, column, size: postingsSize(ords, range) }));
  sink.push(lists.reduce((mask, { column }) => mask | (1 << column), 0));
  for (const { size } of lists.slice(0, -1)) writeNumber(sink, size);
  for (const { ords, size } of lists) writePostings(sink, ords, { range, size });
}

/** Columns as a set of bits. */
export type Columns = number;

/** Lists of the given columns in what `writeColumns` wrote. */
export function columnsIn(written: Stretch, columns: Columns): readonly Stretch[] {
  const present = written.bytes[written.from]!;
  if ((present & columns) === 0) return none;
  if ((present & (present - 1)) === 0) return [{ ...written, from: written.from + 1 }];
  return [0, 1, 2]
    .filter((column) => ((columns >>> column) & 1) === 1)
    .map((column) => columnIn(written, column))
    .filter((list) => list !== null);
}

const none: readonly Stretch[] = [];

/** The list of one column in what `writeColumns` wrote; null when there is none. */
export function columnIn({ bytes, from, to }: Stretch, column: number): Stretch | null {
  const mask = bytes[from]!;
  if (((mask >>> column) & 1) === 0) return null;
  let at = from + 1;
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

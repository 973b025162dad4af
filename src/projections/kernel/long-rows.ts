import { pieceDone } from '#text/suspended.ts';

/** Rows that take some milliseconds to read and check. */
export const usual = 500;

/** Reads many rows in pieces. `read` returns at most `limit` rows after the first `known`. */
export function rowsInPieces<R>(read: (known: readonly R[], limit: number) => readonly R[], limit = usual): R[] {
  const rows = [...read([], limit)];
  for (let added = rows.length; added === limit; ) {
    pieceDone();
    const more = read(rows, limit);
    for (const row of more) rows.push(row);
    added = more.length;
  }
  return rows;
}

import { step } from '#text/suspended.ts';

/** Rows that take some milliseconds to read and check. */
export const usual = 500;

/**
 * Reads many rows in several turns, if what reads them may pause. `read` returns at most `atOnce` rows after the first `known`;
 * `check` stands for what they depend on.
 */
export function rowsInTurns<R>(
  check: string,
  read: (known: readonly R[], limit: number) => readonly R[],
  atOnce = usual,
): R[] {
  const rows = [...read([], atOnce)];
  for (let added = rows.length; added === atOnce; ) {
    const more = step(`${check} ${rows.length}`, () => read(rows, atOnce));
    for (const row of more) rows.push(row);
    added = more.length;
  }
  return rows;
}

import type { DatabaseSync } from 'node:sqlite';

/** Rows between two pauses: about a millisecond. */
const slice = 32;

export function* eachId(db: DatabaseSync, table: string, check: (id: number) => void): Generator<void> {
  const after = db.prepare(`SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${slice}`);
  for (let last = 0; ; ) {
    const ids = after.all(last).map((row) => Number(row['id']));
    for (const id of ids) check(id);
    last = ids.at(-1) ?? 0;
    if (last === 0) return;
    yield;
  }
}

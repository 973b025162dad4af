import type { DatabaseSync } from 'node:sqlite';
import { all } from './all.ts';
import { loadCheckpoint } from './database.ts';
import { checkFollowing } from './following.ts';
import { Tables } from './projection.ts';

/**
 * Reads all rows that have a checksum, a few at a time, as they are read for an answer. Throws `ProjectionsDamaged` at the
 * first that is not what was written. `onEntry` is called with the id of each entry.
 */
export function* scanRows(db: DatabaseSync, onEntry: (id: number) => void): Generator<void> {
  const tables = new Tables(db);
  loadCheckpoint(db);
  checkFollowing(db);
  for (const projection of all) {
    yield* projection.scan(tables, onEntry);
    yield;
  }
}

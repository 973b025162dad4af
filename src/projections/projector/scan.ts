import type { DatabaseSync } from 'node:sqlite';
import { Tables } from '../kernel/projection.ts';
import { all } from './all.ts';
import { loadCheckpoint } from './database.ts';
import { checkFollowing } from './following.ts';

/**
 * Reads all rows with checksums, a few at a time, as for an answer. Throws `ProjectionsDamaged` at the first damaged one. `onEntry` is
 * called with the id of each entry.
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

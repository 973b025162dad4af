import type { DatabaseSync } from 'node:sqlite';
import { Tables } from '../kernel/projection.ts';
import type { Live } from '../reading/live.ts';
import { directTexts } from '../search/upkeep.ts';
import { all } from './all.ts';
import { loadCheckpoint, projectionsVersion } from './database.ts';
import { checkFollowing } from './followers.ts';

export interface ProjectionsHealth {
  readonly version: number;
  readonly position: number;
  readonly hash: string;
  readonly unindexed: number;
  /** Up to this number, texts need no index; more are waiting for one. */
  readonly direct: number;
  readonly unsaved: number;
}

export function projectionsHealth(
  db: DatabaseSync,
  { unindexed, unsaved }: Pick<Live, 'unindexed' | 'unsaved'>,
): ProjectionsHealth {
  const { position, hash } = loadCheckpoint(db);
  return { version: projectionsVersion, position, hash, unindexed, direct: directTexts, unsaved };
}

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

import type { DatabaseSync } from 'node:sqlite';
import { loadCheckpoint } from './database.ts';
import type { Live } from './live.ts';
import { projectionsVersion } from './schema.ts';
import { directTexts } from './search/upkeep.ts';

/** How far the projections are, as one may see from outside. */
export interface ProjectionsHealth {
  readonly version: number;
  /** Position and chain hash of the last event that they show. */
  readonly position: number;
  readonly hash: string;
  /** Entries and media items whose texts each search still has to look through. */
  readonly unindexed: number;
  /** Up to this number they need no index; beyond it they are waiting for one. */
  readonly direct: number;
  /** Changes since the search index was last written down. */
  readonly unsaved: number;
}

/** Reads off how far projections are. */
export function healthOf(
  db: DatabaseSync,
  { unindexed, unsaved }: Pick<Live, 'unindexed' | 'unsaved'>,
): ProjectionsHealth {
  const { position, hash } = loadCheckpoint(db);
  return { version: projectionsVersion, position, hash, unindexed, direct: directTexts, unsaved };
}

import type { DatabaseSync } from 'node:sqlite';
import type { Live } from '../reading/live.ts';
import { directTexts } from '../search/upkeep.ts';
import { loadCheckpoint } from './database.ts';
import { projectionsVersion } from './schema.ts';

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

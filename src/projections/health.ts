import type { DatabaseSync } from 'node:sqlite';
import { loadCheckpoint } from './database.ts';
import type { Live } from './live.ts';
import { projectionsVersion } from './schema.ts';
import { directTexts } from './search/upkeep.ts';

export interface ProjectionsHealth {
  readonly version: number;
  readonly position: number;
  readonly hash: string;
  readonly unindexed: number;
  /** Up to this number, texts need no index; more are waiting for one. */
  readonly direct: number;
  readonly unsaved: number;
}

export function healthOf(
  db: DatabaseSync,
  { unindexed, unsaved }: Pick<Live, 'unindexed' | 'unsaved'>,
): ProjectionsHealth {
  const { position, hash } = loadCheckpoint(db);
  return { version: projectionsVersion, position, hash, unindexed, direct: directTexts, unsaved };
}

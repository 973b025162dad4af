import { fork } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { isCurrent, openReader, replaceProjections, storedCheckpoint } from '#projections/database.ts';

export interface CatchUp {
  readonly logPath: string;
  /** The projections file. */
  readonly path: string;
  /** Where the log ends. */
  readonly head: number;
  readonly onProgress: (position: number, head: number) => void;
}

/** From so many events on that the projections are behind, they are caught up in a process of their own: health is answered. */
const far = 2000;
const script = new URL('./child.ts', import.meta.url);
const progress = z.object({ position: z.number(), head: z.number() });

/**
 * Catches projections up in another process if they are far behind; those of another version, or that cannot be read, stay
 * as they are until new ones have been made beside them. Whatever goes wrong there is left to be found by whoever opens
 * them next.
 */
export async function catchUpInChildProcess({ logPath, path, head, onProgress }: CatchUp): Promise<void> {
  const position = positionOf(path);
  if (head - (position ?? 0) < far) return;
  if (position !== null) return catchUp(logPath, path, onProgress);
  const fresh = join(dirname(path), 'rebuild', 'projections.db');
  mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
  await catchUp(logPath, fresh, onProgress);
  if (head - (positionOf(fresh) ?? 0) < far) replaceProjections(path, fresh);
}

async function catchUp(logPath: string, path: string, onProgress: CatchUp['onProgress']): Promise<void> {
  const child = fork(script, [logPath, path], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.on('message', (message) => {
    const known = progress.safeParse(message);
    if (known.success) onProgress(known.data.position, known.data.head);
  });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  process.off('exit', kill);
}

/** Where projections of this version stand; null where there are none. */
function positionOf(path: string): number | null {
  if (!existsSync(path)) return null;
  let db: DatabaseSync | null = null;
  try {
    db = openReader(path);
    return isCurrent(db) ? storedCheckpoint(db).position : null;
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { startChild } from '#process/child.ts';
import {
  isCurrent,
  loadCheckpoint,
  openReader,
  reachedIn,
  replaceProjections,
} from '#projections/projector/database.ts';

export interface ChildCatchUp {
  readonly logPath: string;
  readonly path: string;
  readonly head: number;
  /** Milliseconds between saves of a replay. Default: as in `catchUp`. */
  readonly keepEvery?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (position: number, head: number) => void;
}

/** With at least this many missing events, projections catch up in a child process, so that health checks are answered meanwhile. */
const longCatchUp = 2000;
const script = new URL('./child.ts', import.meta.url);
const progress = z.object({ position: z.number(), head: z.number() });

/**
 * Catches projections up in a child process if they are far behind. Projections that are unreadable or of another version are replaced
 * once new ones have been built beside them. If the child is killed, another continues from what it saved, as long as each makes
 * progress. Other failures are left to the next process that opens the projections.
 */
export async function catchUpInChildProcess(options: ChildCatchUp): Promise<void> {
  const { path, head } = options;
  const position = positionOf(path);
  if (head - (position ?? 0) < longCatchUp) return;
  if (position !== null) return catchUp(options, path);
  const fresh = join(dirname(path), 'rebuild', 'projections.db');
  mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
  await catchUp(options, fresh);
  if (head - (positionOf(fresh) ?? 0) < longCatchUp) replaceProjections(path, fresh);
}

/** Catches projections up in a child process, however little is missing. Those of another version are made anew. */
export function catchUpNow(options: ChildCatchUp): Promise<void> {
  return catchUp(options, options.path);
}

async function catchUp(options: ChildCatchUp, path: string): Promise<void> {
  for (let kept = -1; ; ) {
    const isDone = await runChild(options, path);
    const reached = positionOf(path) ?? 0;
    options.signal?.throwIfAborted();
    if (isDone || reached <= kept) return;
    kept = reached;
  }
}

async function runChild({ logPath, keepEvery, signal, onProgress }: ChildCatchUp, path: string): Promise<boolean> {
  const args = [logPath, path, ...(keepEvery === undefined ? [] : [String(keepEvery)])];
  const { ended } = startChild(script, {
    args,
    ...(signal === undefined ? {} : { signal }),
    onMessage: (message) => {
      const known = progress.safeParse(message);
      if (known.success) onProgress(known.data.position, known.data.head);
    },
  });
  return (await ended).status === 0;
}

/** Returns the position that projections of this version contain, except perhaps the following ones; null if there are none. */
export function reachedByTables(path: string): number | null {
  return readIn(path, (db) => (isCurrent(db) ? loadCheckpoint(db).position : null));
}

function positionOf(path: string): number | null {
  return readIn(path, reachedIn);
}

function readIn(path: string, read: (db: DatabaseSync) => number | null): number | null {
  if (!existsSync(path)) return null;
  let db: DatabaseSync | null = null;
  try {
    db = openReader(path);
    return read(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

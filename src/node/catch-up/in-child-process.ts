import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { startChild } from '#process/child.ts';
import { openReader, reachedIn, replaceProjections } from '#projections/database.ts';

export interface CatchUp {
  readonly logPath: string;
  readonly path: string;
  readonly head: number;
  /** Milliseconds after which a replay keeps what it has. Default: that of `catchUp`. */
  readonly keepEvery?: number | undefined;
  readonly onProgress: (position: number, head: number) => void;
}

/** From this many missing events on, projections catch up in a child process, so that health checks are answered meanwhile. */
const far = 2000;
const script = new URL('./child.ts', import.meta.url);
const progress = z.object({ position: z.number(), head: z.number() });

/**
 * Catches projections up in another process if they are far behind; those of another version, or that cannot be read, stay
 * as they are until new ones have been made beside them. If the process is killed, another one continues from what it kept,
 * as long as that is more each time. Whatever goes wrong beyond that is left to be found by whoever opens them next.
 */
export async function catchUpInChildProcess(options: CatchUp): Promise<void> {
  const { path, head } = options;
  const position = positionOf(path);
  if (head - (position ?? 0) < far) return;
  if (position !== null) return catchUp(options, path);
  const fresh = join(dirname(path), 'rebuild', 'projections.db');
  mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
  await catchUp(options, fresh);
  if (head - (positionOf(fresh) ?? 0) < far) replaceProjections(path, fresh);
}

async function catchUp(options: CatchUp, path: string): Promise<void> {
  for (let kept = -1; ; ) {
    const isDone = await runChild(options, path);
    const reached = positionOf(path) ?? 0;
    if (isDone || reached <= kept) return;
    kept = reached;
  }
}

async function runChild({ logPath, keepEvery, onProgress }: CatchUp, path: string): Promise<boolean> {
  const args = [logPath, path, ...(keepEvery === undefined ? [] : [String(keepEvery)])];
  const { ended } = startChild(script, {
    args,
    onMessage: (message) => {
      const known = progress.safeParse(message);
      if (known.success) onProgress(known.data.position, known.data.head);
    },
  });
  return (await ended).status === 0;
}

/** How far projections of this version are; null where there are none. */
function positionOf(path: string): number | null {
  if (!existsSync(path)) return null;
  let db: DatabaseSync | null = null;
  try {
    db = openReader(path);
    return reachedIn(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

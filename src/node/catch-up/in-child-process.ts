import { fork } from 'node:child_process';
import { z } from 'zod';
import { loadCheckpoint, openProjections } from '#projections/database.ts';

export interface CatchUp {
  readonly logPath: string;
  /** The projections file. */
  readonly path: string;
  /** Where the log ends. */
  readonly head: number;
  readonly onProgress: (position: number, head: number) => void;
}

/** From so many events on that the projections are behind, they are caught up in a process of their own. */
const far = 20_000;
const script = new URL('./child.ts', import.meta.url);
const progress = z.object({ position: z.number(), head: z.number() });

/**
 * Catches projections up in another process if they are far behind. Whatever goes wrong there is left to be found
 * by whoever opens them next.
 */
export async function catchUpInChildProcess({ logPath, path, head, onProgress }: CatchUp): Promise<void> {
  if (head - positionOf(path) < far) return;
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

function positionOf(path: string): number {
  const db = openProjections(path);
  try {
    return loadCheckpoint(db).position;
  } finally {
    db.close();
  }
}

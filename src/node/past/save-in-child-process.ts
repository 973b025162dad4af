import { join } from 'node:path';
import { z } from 'zod';
import { startChild } from '#process/child.ts';
import type { StatePaths } from './state-process.ts';

export interface SaveState extends Pick<StatePaths, 'logPath' | 'directory'> {
  readonly position: number;
  /** Aborts building; the unfinished state is useless. */
  readonly signal: AbortSignal;
  readonly onProgress: (position: number) => void;
}

const script = new URL('./keep.ts', import.meta.url);
const progress = z.object({ position: z.number() });

/** Builds a past state in a child process. Returns its path, or null when the process ended early. */
export async function saveStateInChildProcess(options: SaveState): Promise<string | null> {
  const { logPath, directory, position, signal, onProgress } = options;
  const { ended } = startChild(script, {
    args: [logPath, directory, String(position)],
    signal,
    onMessage: (message) => {
      const known = progress.safeParse(message);
      if (known.success) onProgress(known.data.position);
    },
  });
  const { status } = await ended;
  return status === 0 ? join(directory, `${position}.db`) : null;
}

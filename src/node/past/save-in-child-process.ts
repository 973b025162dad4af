import { join } from 'node:path';
import { z } from 'zod';
import { startChild } from '#process/child.ts';
import type { StatePaths } from './state-process.ts';

export interface SaveState extends Pick<StatePaths, 'logPath' | 'directory'> {
  readonly position: number;
  /** Ends it; what was put together so far is no good. */
  readonly signal: AbortSignal;
  readonly onProgress: (position: number) => void;
}

const script = new URL('./keep.ts', import.meta.url);
const progress = z.object({ position: z.number() });

/** Has a past state put together by another process; answers its path, or null when that ended before it was. */
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

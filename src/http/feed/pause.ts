import { after, onAbort } from '#process/guard.ts';
import type { Source } from './source.ts';

export interface Pause {
  readonly source: Source;
  readonly position: number;
  /** At most so many milliseconds. */
  readonly ms: number;
  readonly gone: AbortSignal;
}

/** Resolves when there is more than the caller has seen, when the time is over or when nobody waits any more. */
export function pause({ source, position, ms, gone }: Pause): Promise<void> {
  return new Promise((resolve, reject) => {
    if (gone.aborted || source.model().position > position) return resolve();
    const end = () => {
      stopListening();
      stopWaiting();
      stopWatching();
      resolve();
    };
    const stopListening = source.changed(end);
    const stopWaiting = after(Math.max(0, ms), end, reject);
    const stopWatching = onAbort(gone, end, reject);
  });
}

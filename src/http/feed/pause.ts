import { after, onAbort } from '#process/guard.ts';
import type { Source } from './source.ts';

export interface Pause {
  readonly source: Source;
  readonly position: number;
  /** The longest wait. */
  readonly ms: number;
  readonly gone: AbortSignal;
}

/** Resolves when the model is past `position`, after `ms` milliseconds, or when `gone` is aborted. */
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

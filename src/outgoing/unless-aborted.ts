import { onAbort } from '#process/guard.ts';

/** What work comes to; rejects as soon as the signal is aborted. Work that cannot be stopped is left behind. */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stopWatching = onAbort(signal, () => stopped.reject(signal.reason), stopped.reject);
  try {
    return await Promise.race([work(), stopped.promise]);
  } finally {
    stopWatching();
  }
}

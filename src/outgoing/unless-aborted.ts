import { onAbort } from '#process/guard.ts';

/** Returns the result of work, or rejects as soon as the signal is aborted. Work that cannot be stopped is abandoned. */
export async function unlessRequestAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stopWatching = onAbort(signal, () => stopped.reject(signal.reason), stopped.reject);
  try {
    return await Promise.race([work(), stopped.promise]);
  } finally {
    stopWatching();
  }
}

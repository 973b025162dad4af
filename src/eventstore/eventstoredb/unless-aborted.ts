/** Settles like the work, or rejects as soon as the signal aborts; the work itself continues. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error('The event store does not answer'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
    promise.catch(() => undefined);
    work.catch(() => undefined);
  }
}

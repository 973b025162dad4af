/**
 * Runs calls one after the other, in their order: an append could not be staged before it is known where the one before it
 * ends.
 */
export function inTurn<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => call(...args));
    last = next.catch(() => undefined);
    return next;
  };
}

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** For what may not overlap: an append could not be staged before it is known where the one before it ends. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

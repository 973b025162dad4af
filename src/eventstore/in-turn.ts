export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work that must not overlap, in order: an append cannot be staged before the end of the previous one is known. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

import type { Commit, Conflict, Head } from './port.ts';

/** The append of an event store. */
export type Append = (commits: readonly Commit[], expectedPosition: number) => Promise<Head | Conflict>;

/** One append after the other: a second one could not be staged before it is known where the first one ends. */
export function inTurn(append: Append): Append {
  let last: Promise<unknown> = Promise.resolve();
  return (commits, expectedPosition) => {
    const next = last.then(() => append(commits, expectedPosition));
    last = next.catch(() => undefined);
    return next;
  };
}

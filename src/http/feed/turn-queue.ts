import { setImmediate as turn } from 'node:timers/promises';

/** Resolves when it is the caller's turn. */
export type TurnQueue = () => Promise<void>;

/**
 * Lets one caller pass in each turn of the process, in the order in which they came: however many readers look
 * through the log, other requests wait for one page of it at most.
 */
export function createTurnQueue(): TurnQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => turn());
    await last;
  };
}

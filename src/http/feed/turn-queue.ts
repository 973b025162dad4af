import { setImmediate as turn } from 'node:timers/promises';

/** Resolves when it is the caller's turn. */
export type TurnQueue = () => Promise<void>;

/**
 * Lets one caller pass in each turn of the event loop, in the order of arrival: however many readers follow the log, other requests
 * wait for at most one page of it.
 */
export function createTurnQueue(): TurnQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => turn());
    await last;
  };
}

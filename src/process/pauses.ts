import { setImmediate as turn } from 'node:timers/promises';

/**
 * Returns a function to be awaited before each piece of work. Once the work has taken `share` milliseconds of a turn of the event loop, the
 * next piece waits for the next turn. Pieces that wait keep their order.
 */
export function pausesAfter(share: number, clock: () => number): () => Promise<void> {
  let until: number | null = null;
  return async () => {
    while (until !== null && clock() >= until) await turn();
    if (until !== null) return;
    until = clock() + share;
    void turn().then(() => {
      until = null;
    });
  };
}

/**
 * To be awaited before each piece of work for clients that write, so that reads are answered in between. Preparing, deciding and answering
 * share one millisecond of each turn of the event loop.
 */
export const pauseForReads = pausesAfter(1, () => performance.now());

/** Runs a generator to its end, with such a pause wherever it yields. */
export async function finishedInTurns<T>(work: Generator<void, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await pauseForReads();
  }
}

import { setImmediate as turn } from 'node:timers/promises';

/**
 * Returns a function to be awaited before each piece of work: it gives others a turn once `share` milliseconds of the present one have
 * passed. Work that waits goes on in its order.
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

/** Runs a generator to its end; `pause` is awaited wherever it yields. */
export async function finishedWith<T>(pause: () => Promise<void>, work: Generator<void, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await pause();
  }
}

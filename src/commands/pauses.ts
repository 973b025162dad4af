import { setImmediate as turn } from 'node:timers/promises';

/** Returns a function to be awaited between pieces of work: it gives others a turn after each `share` milliseconds of work. */
export function pausesAfter(share: number, clock: () => number): () => Promise<void> {
  let until = clock() + share;
  return async () => {
    if (clock() < until) return;
    await turn();
    until = clock() + share;
  };
}

/** Runs a generator to its end; `pause` is awaited wherever it yields. */
export async function finishedWith<T>(pause: () => Promise<void>, work: Generator<void, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await pause();
  }
}

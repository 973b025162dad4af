import { setTimeout as wait } from 'node:timers/promises';
import type { FileCheck } from '#media/intact.ts';
import type { Reporter } from '#process/reporter.ts';

export interface FileScan {
  /** Returns the hash that follows the given one among all that events name; null after the last. */
  readonly next: (hash: string) => string | null;
  readonly check: Pick<FileCheck, 'ageOf' | 'readAgain'>;
  readonly reporter: Reporter;
}

/** Pause before each file, in milliseconds, and after it as a multiple of its reading time: leaves most disk bandwidth to others. */
const pause = 100;
const share = 9;
const day = 24 * 60 * 60 * 1000;

/** Reads every file once a day, in idle time, unless it was already read that day. Returns a function that stops it. */
export function startFileScan({ next, check, reporter }: FileScan): () => void {
  const stopping = new AbortController();
  const sleep = (ms: number) => wait(ms, undefined, { ref: false, signal: stopping.signal });
  const scan = async () => {
    for (;;) {
      for (let hash = next(''); hash !== null; hash = next(hash)) {
        if (check.ageOf(hash) < day) continue;
        await sleep(pause);
        const began = performance.now();
        await check.readAgain(hash).catch(reporter.fault);
        await sleep(share * (performance.now() - began));
      }
      await sleep(day);
    }
  };
  scan().catch((error: unknown) => {
    if (!stopping.signal.aborted) reporter.fault(error);
  });
  return () => stopping.abort();
}

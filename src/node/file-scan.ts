import { setTimeout as wait } from 'node:timers/promises';
import type { FileCheck } from '#media/intact.ts';

export interface FileScan {
  /** The next of all hashes that events name, after one; null behind the last. */
  readonly next: (hash: string) => string | null;
  readonly check: Pick<FileCheck, 'ageOf' | 'readAgain'>;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds before each file, and times as long as reading it took: most of the disk is left to others. */
const pause = 100;
const share = 9;
const day = 24 * 60 * 60 * 1000;

/** Reads all files once a day, in idle time, but those that were read on that day already. Answers how to stop. */
export function startFileScan({ next, check, onError }: FileScan): () => void {
  const stopping = new AbortController();
  const sleep = (ms: number) => wait(ms, undefined, { ref: false, signal: stopping.signal });
  const scan = async () => {
    for (;;) {
      for (let hash = next(''); hash !== null; hash = next(hash)) {
        if (check.ageOf(hash) < day) continue;
        await sleep(pause);
        const began = performance.now();
        await check.readAgain(hash).catch(onError);
        await sleep(share * (performance.now() - began));
      }
      await sleep(day);
    }
  };
  scan().catch((error: unknown) => {
    if (!stopping.signal.aborted) onError(error);
  });
  return () => stopping.abort();
}

import type { Reporter } from '#process/reporter.ts';
export interface IdleWork {
  /** Does a small piece of work. Returns false when none is left. */
  readonly work: () => boolean;
  /** True while commits come in: other work then has priority. */
  readonly isBusy: () => boolean;
  readonly reporter: Reporter;
  /** Minimum pause after a piece, as a multiple of its duration. Default: 0, pauses are short. */
  readonly restsFor?: number;
}

/** Does small pieces of work between requests, less beside writes, and regularly checks for new work. Returns a function that stops it. */
export function startIdleWork({ work, isBusy, reporter, restsFor = 0 }: IdleWork): () => void {
  let timer: NodeJS.Timeout;
  const step = (): void => {
    let more = false;
    const begin = performance.now();
    try {
      more = work();
    } catch (error) {
      reporter.fault(error);
    }
    const took = performance.now() - begin;
    const pause = isBusy() ? Math.max(20, took * 10) : Math.max(5, took * restsFor);
    timer = setTimeout(step, more ? pause : 250).unref();
  };
  timer = setTimeout(step, 50).unref();
  return () => clearTimeout(timer);
}

import type { Reporter } from '#process/reporter.ts';

/** Does work, or reports why it failed and returns `otherwise`. */
type Attempt = <T>(work: () => T, otherwise: T) => T;

/** For notes beside the log: nothing else fails with them. */
export function attempting({ fault }: Pick<Reporter, 'fault'>): Attempt {
  return (work, otherwise) => {
    try {
      return work();
    } catch (error) {
      fault(error);
      return otherwise;
    }
  };
}

export interface DelayedWrite {
  /** Writes after the delay, once for all that is noted meanwhile. */
  readonly soon: () => void;
  readonly now: () => void;
}

/** Writes notes together, so that they cost no write each; a crash loses those of the delay. `ms`: milliseconds. */
export function delayed(write: () => void, ms: number, attempt: Attempt): DelayedWrite {
  let timer: NodeJS.Timeout | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    attempt(write, undefined);
  };
  return {
    soon: () => {
      timer ??= setTimeout(now, ms).unref();
    },
    now,
  };
}

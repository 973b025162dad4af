import type { Progress } from '#domain/hooks/progress.ts';

/** Milliseconds of continuous failure after which a receiver is given up. */
export const retryPeriod = 86_400_000;
const firstPause = 1000;
const longestPause = 300_000;
/** Longest pause that a receiver may ask for. */
const longestAsked = 3_600_000;

export interface Failed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly error: string;
  /** Seconds that the receiver asked for; 0: none. */
  readonly retryAfter: number;
  /** From 0 to 1; spreads the retries to many receivers. */
  readonly random: number;
}

export function afterFailure(before: Progress, { now, error, retryAfter, random }: Failed): Progress {
  const attempts = before.attempts + 1;
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20)) * (1 + random / 5);
  const asked = Math.min(longestAsked, retryAfter * 1000);
  const nextAt = now + Math.round(Math.max(pause, asked));
  return { ...before, attempts, error, nextAt, failingSince: before.failingSince ?? now };
}

export function afterSuccess({ round }: Progress, position: number, now: number): Progress {
  return { position, upTo: null, round, failingSince: null, attempts: 0, nextAt: 0, error: '', deliveredAt: now };
}

/** Milliseconds until the next attempt. The clock that set a time farther off than the longest pause was ahead. */
export function pauseLeft({ nextAt }: Progress, now: number): number {
  return nextAt - now > longestAsked ? 0 : nextAt - now;
}

export function isHopeless({ failingSince }: Progress, now: number): boolean {
  return failingSince !== null && now - failingSince >= retryPeriod;
}

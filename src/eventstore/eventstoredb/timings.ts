import { setTimeout as wait } from 'node:timers/promises';

/** Timeouts and intervals of this engine, in milliseconds. */
export interface Timings {
  readonly deadline: number;
  readonly appendTimeout: number;
  readonly probe: number;
  /** How long writes wait for a server that was lost. */
  readonly grace: number;
  /** Minimum and maximum wait before a retry. */
  readonly backOff: readonly [min: number, max: number];
  readonly start: number;
}

export const usualTimings: Timings = {
  deadline: 3000,
  appendTimeout: 10_000,
  probe: 500,
  grace: 3000,
  backOff: [50, 1000],
  start: 60_000,
};

/** Waits longer with each try, by a random factor, so that nodes do not retry in step. `chance` returns a number from 0 to 1. */
export function backOff(tries: number, { backOff: [min, max] }: Timings, chance: () => number, signal?: AbortSignal) {
  const ms = Math.min(max, min * 2 ** Math.min(tries, 20)) * (0.5 + chance() / 2);
  return wait(ms, undefined, { signal }).catch(() => undefined);
}

import { setTimeout as wait } from 'node:timers/promises';

/** Timeouts and intervals of this engine, in milliseconds. */
export interface Timings {
  readonly deadline: number;
  readonly patience: number;
  readonly probe: number;
  readonly grace: number;
  /** Minimum and maximum wait before a retry. */
  readonly backOff: readonly [least: number, most: number];
  readonly start: number;
}

export const usualTimings: Timings = {
  deadline: 3000,
  patience: 10_000,
  probe: 500,
  grace: 800,
  backOff: [50, 1000],
  start: 60_000,
};

/** Waits longer with each try, by a random factor, so that nodes do not retry in step. `chance` returns a number from 0 to 1. */
export function backOff(
  tries: number,
  { backOff: [least, most] }: Timings,
  chance: () => number,
  signal?: AbortSignal,
) {
  const ms = Math.min(most, least * 2 ** Math.min(tries, 20)) * (0.5 + chance() / 2);
  return wait(ms, undefined, { signal }).catch(() => undefined);
}

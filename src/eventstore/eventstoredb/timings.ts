import { setTimeout as wait } from 'node:timers/promises';

/** How long this engine waits for what; milliseconds. */
export interface Timings {
  readonly deadline: number;
  readonly patience: number;
  readonly probe: number;
  readonly grace: number;
  /** Least and most before something is tried again. */
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

/**
 * Waits longer each time, and never as long as another node does that began to wait at the same moment. `chance` is a
 * number from 0 to 1.
 */
export function backOff(
  tries: number,
  { backOff: [least, most] }: Timings,
  chance: () => number,
  signal?: AbortSignal,
) {
  const ms = Math.min(most, least * 2 ** Math.min(tries, 20)) * (0.5 + chance() / 2);
  return wait(ms, undefined, { signal }).catch(() => undefined);
}

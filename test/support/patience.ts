import { vi } from 'vitest';
import { slowness } from './slowness.ts';

/** Milliseconds that a test waits for what has to happen. */
export const patience = 90_000 * slowness;

/** Waits until `check` no longer throws, and returns its result. `interval`: milliseconds between two checks. */
export function eventually<T>(check: () => T | Promise<T>, { interval = 10 } = {}): Promise<T> {
  return vi.waitFor(check, { timeout: patience, interval });
}

/** Waits until `find` returns something, and returns it. */
export function found<T>(find: () => T | Promise<T>, { interval = 5 } = {}) {
  return vi.waitUntil(find, { timeout: patience, interval });
}

import { expect, it } from 'vitest';
import { usualTimings } from '#eventstore/eventstoredb/timings.ts';

it('an unreachable server is tried again at least once a second', () => {
  const { probe, backOff } = usualTimings;
  expect(Math.max(probe, ...backOff)).toBeLessThanOrEqual(1000);
});

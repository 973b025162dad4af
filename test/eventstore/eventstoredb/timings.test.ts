import { expect, it } from 'vitest';
import { usualTimings } from '#eventstore/eventstoredb/timings.ts';

it('a server that is away is tried again at least once a second', () => {
  const { probe, backOff } = usualTimings;
  expect(Math.max(probe, ...backOff)).toBeLessThanOrEqual(1000);
});

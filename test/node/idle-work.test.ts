import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reporterOf } from '#process/reporter.ts';
import { startIdleWork } from '../../src/node/background.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Number of pieces of work of 10 ms each that are done within ten seconds of pauses. */
function donePieces({ busy = false, ...options }: { readonly restsFor?: number; readonly busy?: boolean }): number {
  let pieces = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => pieces * 10);
  const work = () => {
    pieces += 1;
    return true;
  };
  const stop = startIdleWork({
    work,
    isBusy: () => busy,
    reporter: reporterOf({ fault: () => undefined }),
    ...options,
  });
  vi.advanceTimersByTime(10_000);
  stop();
  return pieces;
}

it('rests for the requested share of time', () => {
  expect(donePieces({})).toBeGreaterThan(1000);
  expect(donePieces({ restsFor: 19 })).toBe(53);
});

it('yields to writes', () => {
  expect(donePieces({ busy: true })).toBe(100);
});

it('continues after a failed piece, and reports the error', () => {
  const faults: unknown[] = [];
  const fault = new Error('damaged');
  const work = () => {
    throw fault;
  };
  const stop = startIdleWork({
    work,
    isBusy: () => false,
    reporter: reporterOf({ fault: (error) => faults.push(error) }),
  });
  vi.advanceTimersByTime(1000);
  stop();
  expect(faults.length).toBeGreaterThan(1);
  expect(faults[0]).toBe(fault);
});

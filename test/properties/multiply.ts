import { vi } from 'vitest';
import { factor } from './factor.ts';

// A global number of runs would not affect properties that set their own.
vi.mock('fast-check', async (original) => {
  const real = await original<typeof import('fast-check')>();
  const assert = <T>(property: Parameters<typeof real.assert<T>>[0], params: { readonly numRuns?: number } = {}) => {
    const { numRuns = real.readConfigureGlobal().numRuns ?? 100 } = params;
    return real.assert(property, { ...params, numRuns: Math.ceil(numRuns * factor) });
  };
  return { ...real, assert, default: { ...real.default, assert } };
});

import real from '../../node_modules/fast-check/lib/fast-check.js';
import { factor } from './factor.ts';

const usual = 100;
/** So few runs are not reduced further. */
const few = 2;

/** fast-check, with as many runs of each property as the tests that are run ask for. */
const scaled: typeof real = {
  ...real,
  assert: ((property: Parameters<typeof real.assert>[0], params: Parameters<typeof real.assert>[1] = {}) => {
    const { numRuns = usual } = params;
    return real.assert(property, { ...params, numRuns: Math.max(Math.min(numRuns, few), Math.ceil(numRuns * factor)) });
  }) as typeof real.assert,
};

// biome-ignore lint/style/noDefaultExport: takes the place of a package that has one
export default scaled;

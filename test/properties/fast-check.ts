import real from '../../node_modules/fast-check/lib/fast-check.js';
import { factor } from './factor.ts';

const usual = 100;
/** So few runs are not reduced further. */
const few = 2;

const surrogates = 0xd800;
const afterSurrogates = 0xe000;
const gap = afterSurrogates - surrogates;
/** The unit `binary` of strings. That of fast-check makes a map of all code points, which takes a second of processor time. */
const codePoint = real.integer({ min: 0, max: 0x10ffff - gap }).map(
  (n) => String.fromCodePoint(n < surrogates ? n : n + gap),
  (letter) => {
    const code = typeof letter === 'string' ? (letter.codePointAt(0) ?? -1) : -1;
    if (code < 0 || String.fromCodePoint(code) !== letter || (code >= surrogates && code < afterSurrogates))
      throw new Error('no code point');
    return code < surrogates ? code : code - gap;
  },
);

/** fast-check, with as many runs of each property as the tests that are run ask for. */
const scaled: typeof real = {
  ...real,
  jsonValue: (limits = {}) =>
    real.jsonValue(limits.stringUnit === 'binary' ? { ...limits, stringUnit: codePoint } : limits),
  string: (limits = {}) => real.string(limits.unit === 'binary' ? { ...limits, unit: codePoint } : limits),
  assert: ((property: Parameters<typeof real.assert>[0], params: Parameters<typeof real.assert>[1] = {}) => {
    const { numRuns = usual } = params;
    return real.assert(property, { ...params, numRuns: Math.max(Math.min(numRuns, few), Math.ceil(numRuns * factor)) });
  }) as typeof real.assert,
};

// biome-ignore lint/style/noDefaultExport: takes the place of a package that has one
export default scaled;

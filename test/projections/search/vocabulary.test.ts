import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSink } from '#projections/search/bytes.ts';
import { Vocabulary, writeUnit } from '#projections/search/vocabulary.ts';

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'e', 'n', 'r', '1', '\xc3'),
  minLength: 1,
  maxLength: 9,
});

function vocabularyOf(units: readonly string[]): Vocabulary {
  const sink = new ByteSink(1 << 16);
  const starts = units.map((unit) => writeUnit(sink, unit));
  return new Vocabulary(sink.view(), Uint32Array.from([...starts, sink.size]));
}

describe('a vocabulary', () => {
  it('finds every unit that contains a part, also at its ends, whatever its length', () => {
    const many = fc.uniqueArray(letters, { minLength: 900, maxLength: 1500 });
    const part = fc
      .tuple(fc.constantFrom('', '\xfe'), letters, fc.constantFrom('', '\xfe'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(many, fc.array(part, { minLength: 1, maxLength: 20 }), fc.boolean(), (some, parts, isWarm) => {
        const units = some.sort();
        const vocabulary = vocabularyOf(units);
        for (const _ of isWarm ? (vocabulary.warmUp() ?? []) : []);
        const own = units
          .slice(0, 3)
          .concat(units.slice(-3))
          .map((unit) => `\xfe${unit}\xfe`);
        for (const asked of [...parts, ...own]) {
          const expected = units.flatMap((unit, number) => (`\xfe${unit}\xfe`.includes(asked) ? [number] : []));
          expect(vocabulary.numbersWith(asked)).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });
});

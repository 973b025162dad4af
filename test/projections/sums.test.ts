import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOfAscii, sumOfTexts } from '#projections/kernel/sums.ts';

const key = fc.nat();
const ascii = fc.string({ unit: 'binary-ascii' });
/** Texts of every kind of length. */
const filler = fc.constantFrom('', 'é'.repeat(65_535), '日'.repeat(65_536), 'x'.repeat(200_000));

describe('checksums of texts', () => {
  it('detect a changed character', () => {
    const text = fc.tuple(filler, fc.string({ unit: 'binary' })).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        key,
        text,
        text,
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (id, before, after, one) => {
          const other = one === 'a' ? 'b' : 'a';
          expect(sumOfTexts(id, [before, one + after])).not.toBe(sumOfTexts(id, [before, other + after]));
          expect(sumOfTexts(id, [before + one, after])).not.toBe(sumOfTexts(id, [before + other, after]));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('depend on the key', () => {
    fc.assert(
      fc.property(key, ascii, (id, text) => {
        expect(sumOfTexts(id, [text])).not.toBe(sumOfTexts(id + 1, [text]));
        expect(sumOfAscii(id, [text])).not.toBe(sumOfAscii(id + 1, [text]));
      }),
    );
  });
});

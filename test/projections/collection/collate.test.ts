import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTime, sortKey } from '#projections/collection/collate.ts';

const unicode = new Intl.Collator('und', { sensitivity: 'base' });
const sign = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

describe('the order of titles and slugs', () => {
  it('is that of the Unicode collation for ASCII, ignoring case and accents', () => {
    const anyText = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(sign(sortKey(a), sortKey(b))).toBe(Math.sign(unicode.compare(a, b)));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['apple', 'Banana'],
    ['Zebra', 'zebra a'],
    ['äpfel', 'apfelb'],
    ['10 things', '9 things'],
    ['“quoted”', '1st'],
    ['-a', '—dash'],
    ['—dash', '"q"'],
    ['"q"', '(x)'],
    ['(x)', '①'],
    ['①', '½'],
    ['½', '10'],
    ['2', '٣'],
    ['٣', '9'],
    ['9', 'ﬁ'],
    ['ﬁ', 'fj'],
    ['™', 'x²'],
    ['— dash', 'a'],
    ['a_b', 'a-b'],
    ['9', 'a'],
    ['zebra', '🚀 rocket'],
    ['語', '🚀'],
    ['ж', '語'],
    ['𐤀', 'ﾡ'],
    ['☃ snowman', '1st'],
    ['x'.repeat(300), `${'x'.repeat(300)}y`],
  ])('puts %s before %s', (first, second) => {
    expect(sortKey(first) < sortKey(second)).toBe(true);
  });

  it.each([
    ['Été', 'ete'],
    ['ÄPFEL', 'apfel'],
    ['a\u200db', 'ab'],
    ['アﾂ', 'あつ'],
    ['x²', 'x2'],
  ])('treats %s and %s as equal', (one, other) => {
    expect(sortKey(one)).toBe(sortKey(other));
  });
});

describe('a packed time', () => {
  it.each([
    ['2020-01-31T23:59:59', '2020-02-01T00:00:00'],
    ['0999-12-31T00:00:00', '1000-01-01T00:00:00'],
    ['2020-01-01T00:00:00', '2020-01-01T00:00:01'],
  ])('of %s is less than that of %s', (earlier, later) => {
    expect(packTime(earlier)).toBeLessThan(packTime(later));
  });
});

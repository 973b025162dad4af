import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DifferencePiece, isChanged, type Pair, sideBySide } from '#text/differences.ts';

const text = fc
  .array(fc.constantFrom('one two', 'one three', '', 'four', 'Übergröße'), { maxLength: 12 })
  .map((lines) => lines.join('\n'));
const lineOf = (pieces: readonly DifferencePiece[]) => pieces.map((piece) => piece.text).join('');
const column = (pairs: readonly Pair[], side: keyof Pair) =>
  pairs.flatMap((pair) => (pair[side] === null ? [] : [lineOf(pair[side])])).join('\n');

describe('two texts side by side', () => {
  it('are both complete, line by line', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pairs = sideBySide(before, after);
        expect([column(pairs, 'before'), column(pairs, 'after')]).toEqual([before, after]);
      }),
    );
  });

  it('show a change exactly if the texts differ', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(sideBySide(before, after).some(isChanged)).toBe(before !== after);
      }),
    );
  });

  it('have changes within a line marked', () => {
    const [first, second] = sideBySide('same\nNobody read it.', 'same\nHardly anybody read it.');
    expect([first, second].map((pair) => pair !== undefined && isChanged(pair))).toEqual([false, true]);
    expect(second?.before?.filter(({ op }) => op === 'delete')).toEqual([{ op: 'delete', text: 'Nobody' }]);
    expect(lineOf(second?.after?.filter(({ op }) => op === 'insert') ?? [])).toContain('Hardly');
  });
});

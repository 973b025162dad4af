import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DifferencePiece, differences } from '#text/differences.ts';

const without = (pieces: readonly DifferencePiece[], op: DifferencePiece['op']) =>
  pieces
    .filter((piece) => piece.op !== op)
    .map(({ text }) => text)
    .join('');

const word = fc.constantFrom('one', 'two', 'Über', '日本', '🪶', '<p>', '</p>', ' ', '  ', '\n', '\r\n', '.', '');
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));

describe('the differences of two texts', () => {
  it('reconstruct both texts', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const pieces = differences(from, to);
        expect([without(pieces, 'insert'), without(pieces, 'delete')]).toEqual([from, to]);
        expect(pieces.every((piece) => piece.text !== '')).toBe(true);
      }),
    );
  });

  it('name changed words', () => {
    expect(differences('An old text.', 'A text, old.').filter(({ op }) => op !== 'equal').length).toBeGreaterThan(0);
    expect(differences('The quick fox', 'The slow fox')).toEqual([
      { op: 'equal', text: 'The ' },
      { op: 'delete', text: 'quick' },
      { op: 'insert', text: 'slow' },
      { op: 'equal', text: ' fox' },
    ]);
  });

  it('are one equal piece for equal texts, and none for empty ones', () => {
    expect(differences('Same', 'Same')).toEqual([{ op: 'equal', text: 'Same' }]);
    expect(differences('', '')).toEqual([]);
  });

  it('name whole lines if many words changed, and the whole text if nearly all did', () => {
    const lines = (mark: string, changed: (line: number) => boolean) =>
      Array.from({ length: 300 }, (_, i) => `${i} ${changed(i) ? `${mark} `.repeat(10) : 'same '}end\n`).join('');
    const some = differences(
      lines('old', (i) => i % 3 === 0),
      lines('new', (i) => i % 3 === 0),
    );
    expect(some.every(({ text: part }) => part.endsWith('\n'))).toBe(true);
    expect(some.some(({ op }) => op === 'equal')).toBe(true);
    const all = (mark: string) => Array.from({ length: 3000 }, (_, i) => `${mark}${i}\n`).join('');
    expect(differences(all('a'), all('b')).map(({ op }) => op)).toEqual(['delete', 'insert']);
  });
});

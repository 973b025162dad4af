import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of two texts: in both, only in the first, or only in the second. */
export interface Piece {
  readonly op: 'equal' | 'delete' | 'insert';
  readonly text: string;
}

/**
 * How one text becomes another, in words where little changed, in lines where much did, and as a whole where nearly
 * everything did. What is equal and what is deleted make up the first text, what is equal and inserted the second.
 */
export function differences(from: string, to: string): readonly Piece[] {
  if (from === to) return pieces([{ op: 'equal', text: from }]);
  const found = diffWordsWithSpace(from, to, limits) ?? diffLines(from, to, limits);
  if (found === undefined)
    return pieces([
      { op: 'delete', text: from },
      { op: 'insert', text: to },
    ]);
  return found.map(({ value, added, removed }) => ({ op: opOf(added, removed), text: value }));
}

/** Bounds the time that a comparison takes, by what is compared and not by the clock: it ends the same on every machine. */
const limits = { maxEditLength: 500 };

function opOf(added: boolean, removed: boolean): Piece['op'] {
  if (added) return 'insert';
  return removed ? 'delete' : 'equal';
}

function pieces(all: readonly Piece[]): readonly Piece[] {
  return all.filter(({ text }) => text !== '');
}

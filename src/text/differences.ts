import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of two texts: in both, only in the first, or only in the second. */
export interface DifferencePiece {
  readonly op: 'equal' | 'delete' | 'insert';
  readonly text: string;
}

/**
 * The changes between two texts: by word if little changed, by line if much did, otherwise as a whole. Equal and deleted pieces form the
 * first text, equal and inserted ones the second.
 */
export function differences(from: string, to: string): readonly DifferencePiece[] {
  if (from === to) return pieces([{ op: 'equal', text: from }]);
  const found = diffWordsWithSpace(from, to, limits) ?? diffLines(from, to, limits);
  if (found === undefined)
    return pieces([
      { op: 'delete', text: from },
      { op: 'insert', text: to },
    ]);
  return found.map(({ value, added, removed }) => ({ op: opOf(added, removed), text: value }));
}

/** Limits the time by work rather than by the clock, so that the result is the same on every machine. */
const limits = { maxEditLength: 500 };

function opOf(added: boolean, removed: boolean): DifferencePiece['op'] {
  if (added) return 'insert';
  return removed ? 'delete' : 'equal';
}

function pieces(all: readonly DifferencePiece[]): readonly DifferencePiece[] {
  return all.filter(({ text }) => text !== '');
}

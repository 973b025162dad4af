import { diffArrays } from 'diff';
import { type DifferencePiece, differences } from './differences.ts';

/** A line of two texts side by side; null if only the other text has it. For an equal line both members are the same object. */
export interface Pair {
  readonly before: readonly DifferencePiece[] | null;
  readonly after: readonly DifferencePiece[] | null;
}

/** Compares two texts line by line: pairs equal lines, and shows the changes within changed ones. */
export function sideBySide(before: string, after: string): readonly Pair[] {
  const rows: Pair[] = [];
  let removed: readonly string[] = [];
  for (const { lines, op } of lineChanges(linesOf(before), linesOf(after))) {
    if (op === 'delete') {
      removed = lines;
      continue;
    }
    rows.push(...(op === 'insert' ? paired(removed, lines) : [...paired(removed, []), ...lines.map(unchanged)]));
    removed = [];
  }
  return [...rows, ...paired(removed, [])];
}

export function isChanged({ before, after }: Pair): boolean {
  return before !== after;
}

interface LineChange {
  readonly lines: readonly string[];
  readonly op: DifferencePiece['op'];
}

/** Limits the time of a comparison; see `differences`. */
const limits = { maxEditLength: 2000 };

function lineChanges(before: string[], after: string[]): readonly LineChange[] {
  const found = diffArrays(before, after, limits);
  if (found === undefined)
    return [
      { lines: before, op: 'delete' },
      { lines: after, op: 'insert' },
    ];
  return found.map(({ value, added, removed }) => ({
    lines: value,
    op: added ? 'insert' : removed ? 'delete' : 'equal',
  }));
}

// Compares replaced lines with their replacements one by one.
function paired(removed: readonly string[], added: readonly string[]): Pair[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, i) => {
    const [old, now] = [removed[i], added[i]];
    if (old === undefined || now === undefined) {
      return { before: whole(old, 'delete'), after: whole(now, 'insert') };
    }
    const pieces = differences(old, now);
    return {
      before: pieces.filter(({ op }) => op !== 'insert'),
      after: pieces.filter(({ op }) => op !== 'delete'),
    };
  });
}

function whole(line: string | undefined, op: DifferencePiece['op']): readonly DifferencePiece[] | null {
  return line === undefined ? null : [{ op, text: line }];
}

function unchanged(line: string): Pair {
  const pieces: readonly DifferencePiece[] = [{ op: 'equal', text: line }];
  return { before: pieces, after: pieces };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

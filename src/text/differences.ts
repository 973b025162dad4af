import { diffArrays, diffLines, diffWordsWithSpace } from 'diff';
import { escapeHtml } from './escape-html.ts';

/** A part of two texts: in both, only in the first, or only in the second. */
export interface DifferencePiece {
  readonly op: 'equal' | 'delete' | 'insert';
  readonly text: string;
}

/** A line of two texts side by side; null if only the other text has it. For an equal line both members are the same object. */
export interface Pair {
  readonly before: readonly DifferencePiece[] | null;
  readonly after: readonly DifferencePiece[] | null;
}

type Row = Pair | number;

/** Unchanged lines shown around a change. */
const context = 3;

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

/** Compares two texts line by line: pairs equal lines, and shows the changes within changed ones. */
export function sideBySide(before: string, after: string): readonly Pair[] {
  const rows: Pair[] = [];
  let removed: readonly string[] = [];
  for (const { lines, op } of lineChanges(linesOf(before), linesOf(after))) {
    if (op === 'delete') {
      removed = lines;
      continue;
    }
    const more = op === 'insert' ? paired(removed, lines) : [...paired(removed, []), ...lines.map(unchanged)];
    for (const row of more) rows.push(row);
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
const rowLimits = { maxEditLength: 2000 };

function lineChanges(before: string[], after: string[]): readonly LineChange[] {
  const found = diffArrays(before, after, rowLimits);
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

/** The rows of an HTML table of two columns that shows what changed between two texts. */
export function differenceRows(before: string, after: string): string {
  return folded(sideBySide(before, after)).map(row).join('');
}

function folded(pairs: readonly Pair[]): Row[] {
  const rows: Row[] = [];
  let lastChange = Number.NEGATIVE_INFINITY;
  let nextChange = pairs.findIndex(isChanged);
  for (const [i, pair] of pairs.entries()) {
    if (i === nextChange) {
      lastChange = i;
      nextChange = i + 1;
      while (nextChange < pairs.length && !isChanged(pairs[nextChange] as Pair)) nextChange += 1;
    }
    const isNear =
      i - lastChange <= context || (nextChange > i && nextChange < pairs.length && nextChange - i <= context);
    const last = rows.at(-1);
    if (isNear) rows.push(pair);
    else if (typeof last === 'number') rows[rows.length - 1] = last + 1;
    else rows.push(1);
  }
  return rows;
}

function row(pair: Row): string {
  if (typeof pair === 'number') {
    return `<tr class="skipped"><td colspan="2">${pair} ${pair === 1 ? 'line' : 'lines'} without a change</td></tr>\n`;
  }
  return `<tr>${cell(pair.before, isChanged(pair), 'removed')}${cell(pair.after, isChanged(pair), 'added')}</tr>\n`;
}

function cell(pieces: readonly DifferencePiece[] | null, changed: boolean, kind: 'removed' | 'added'): string {
  if (pieces === null) return '<td class="none"></td>';
  return `<td dir="auto" class="${changed ? kind : 'equal'}">${pieces.map(piece).join('')}</td>`;
}

function piece({ op, text }: DifferencePiece): string {
  if (op === 'equal') return escapeHtml(text);
  return op === 'delete' ? `<del>${escapeHtml(text)}</del>` : `<ins>${escapeHtml(text)}</ins>`;
}

import type { DifferencePiece } from './differences.ts';
import { escapeHtml } from './escape-html.ts';
import { isChanged, type Pair, sideBySide } from './side-by-side.ts';

type Row = Pair | number;

/** Unchanged lines shown around a change. */
const context = 3;

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

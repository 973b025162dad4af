import type { Head } from '#eventstore/port.ts';
import { cell, tableColumns } from '../output.ts';
import { type Check, isWrong } from './check.ts';

/** Results of the checks, and the end of the chain; null if the chain is broken. */
export interface Checked {
  readonly head: Head | null;
  /** Position of the given head to compare with; null: none. */
  readonly noted: number | null;
  readonly checks: readonly Check[];
}

export function reportText({ head, noted, checks }: Checked): string {
  const rows = tableColumns(checks.map(({ check, result, of }) => [check, result, of]));
  const lines = rows.flatMap((row, i) => [row, ...(checks[i] === undefined ? [] : faultsOf(checks[i]))]);
  const end = head === null ? 'the chain does not hold' : `${head.position}:${head.hash}`;
  return [...lines.map(cell), '', ...proofOf(isWrong(checks), noted), `head  ${end}`].join('\n');
}

function proofOf(wrong: boolean, noted: number | null): readonly string[] {
  if (wrong) return [];
  if (noted !== null)
    return [`The log is whole and consistent, and up to position ${noted} the one whose head was noted.`];
  return [
    'The log is whole and consistent. Whether it was rewritten as a whole, only a head tells that was noted elsewhere:',
    'keep the one below, and give it to "verify --head" later.',
  ];
}

function faultsOf({ faults, found }: Check): readonly string[] {
  const lines = found.map(
    ({ position, message }) => `  ${position === null ? '' : `position ${position}: `}${message}`,
  );
  return faults > found.length ? [...lines, `  and ${faults - found.length} more`] : lines;
}

import type { Head } from '#eventstore/port.ts';
import { cell, columns } from '../output.ts';
import type { Check } from './check.ts';

/** What was checked, and where the chain ends; null where it does not hold. */
export interface Checked {
  readonly head: Head | null;
  readonly checks: readonly Check[];
}

/** One line for each check, with what it found below it, and the head. */
export function textOf({ head, checks }: Checked): string {
  const rows = columns(checks.map(({ check, result, of }) => [check, result, of]));
  const lines = rows.flatMap((row, i) => [row, ...(checks[i] === undefined ? [] : faultsOf(checks[i]))]);
  const end = head === null ? 'the chain does not hold' : `${head.position}:${head.hash}`;
  return [...lines.map(cell), '', `head  ${end}`].join('\n');
}

function faultsOf({ faults, found }: Check): readonly string[] {
  const lines = found.map(
    ({ position, message }) => `  ${position === null ? '' : `position ${position}: `}${message}`,
  );
  return faults > found.length ? [...lines, `  and ${faults - found.length} more`] : lines;
}

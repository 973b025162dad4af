import type { Head } from '#eventstore/port.ts';
import { cell, tableColumns } from '../output.ts';

export interface Check {
  readonly check: string;
  readonly result: 'ok' | 'wrong' | 'skipped';
  readonly of: string;
  readonly faults: number;
  readonly found: readonly FoundFault[];
}

/** A finding; `position` is that of the event concerned, if there is one. */
export interface FoundFault {
  readonly position: number | null;
  readonly message: string;
}

export interface Findings {
  add(message: string, position?: number): void;
  end(of: string): Check;
}

/** Results of the checks, and the end of the chain; null if the chain is broken. */
export interface Checked {
  readonly head: Head | null;
  /** Position of the given head to compare with; null: none. */
  readonly noted: number | null;
  /** Time of the newest of the given checkpoints (UTC, ISO 8601); null: none were given. */
  readonly signed: string | null;
  readonly checks: readonly Check[];
}

/** Maximum number of faults listed individually. */
const maxListed = 10;

export function findingsOf(check: string): Findings {
  let faults = 0;
  const found: FoundFault[] = [];
  return {
    add(message, position) {
      faults += 1;
      if (found.length < maxListed) found.push({ position: position ?? null, message });
    },
    end: (of) => ({ check, result: faults === 0 ? 'ok' : 'wrong', of, faults, found }),
  };
}

export function skipped(check: string, why: string): Check {
  return { check, result: 'skipped', of: why, faults: 0, found: [] };
}

export function isWrong(checks: readonly Check[]): boolean {
  return checks.some(({ result }) => result === 'wrong');
}

/** A count with its unit: `1,234 events`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}`;
}

export function reportText({ head, noted, signed, checks }: Checked): string {
  const rows = tableColumns(checks.map(({ check, result, of }) => [check, result, of]));
  const lines = rows.flatMap((row, i) => [row, ...(checks[i] === undefined ? [] : faultsOf(checks[i]))]);
  const end = head === null ? 'the chain does not hold' : `${head.position}:${head.hash}`;
  return [...lines.map(cell), '', ...proofOf(isWrong(checks), { noted, signed }), `head  ${end}`].join('\n');
}

function proofOf(wrong: boolean, { noted, signed }: Pick<Checked, 'noted' | 'signed'>): readonly string[] {
  if (wrong) return [];
  if (signed !== null)
    return [`The log is whole and consistent, and has not been rewritten since it was signed at ${signed}.`];
  if (noted !== null)
    return [`The log is whole and consistent, and up to position ${noted} the one whose head was noted.`];
  return [
    'The log is whole and consistent. Whether it was rewritten as a whole, only something tells that was kept elsewhere:',
    'keep the head below and give it to "verify --head" later, or checkpoints.jsonl and give it to "verify --checkpoints".',
  ];
}

function faultsOf({ faults, found }: Check): readonly string[] {
  const lines = found.map(
    ({ position, message }) => `  ${position === null ? '' : `position ${position}: `}${message}`,
  );
  return faults > found.length ? [...lines, `  and ${faults - found.length} more`] : lines;
}

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
  /** The item and what happened to it, if they can be read. */
  readonly about?: string;
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

/** What failed, what to do, and where that is explained; the first that fits is said. */
const verdicts: readonly { readonly checks: readonly string[]; readonly what: string; readonly remedy: string }[] = [
  {
    checks: ['chain', 'events', 'ids', 'texts', 'revisions', 'sequences', 'head', 'checkpoints', 'timestamps'],
    what: 'The log is not as it was written',
    remedy:
      'Stop the server, keep this directory as it is, and restore a backup elsewhere: docs/operations/incidents.md, “The log is damaged”',
  },
  {
    checks: ['files'],
    what: 'The log is whole. Uploaded files are missing or changed',
    remedy: 'Put them back from a backup: docs/operations/incidents.md, “An uploaded file is answered with 503”',
  },
  {
    checks: ['kept'],
    what: 'The log is whole. Files beside it that cannot be made again are damaged',
    remedy: 'Put them back from a backup: docs/operations/incidents.md, “Ready warns of data_file_damaged”',
  },
  {
    checks: ['projections', 'slugs', 'answers', 'tree'],
    what: 'The log is whole. What follows from it differs',
    remedy: '“rebuild” makes it anew: docs/operations/rebuild-and-verify.md',
  },
];

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
  const verdict = isWrong(checks) ? verdictOn(checks).map(cell) : proofOf({ noted, signed });
  return [...lines.map(cell), '', ...verdict, `head  ${end}`].join('\n');
}

/** The end of a report that found something; none if nothing is wrong. */
function verdictOn(checks: readonly Check[]): readonly string[] {
  const wrong = checks.filter(({ result }) => result === 'wrong');
  const [first] = verdicts.filter((one) => wrong.some(({ check }) => one.checks.includes(check)));
  if (first === undefined) return wrong.length === 0 ? [] : ['Something is not as it should be: see above.'];
  const places = wrong.filter(({ check }) => first.checks.includes(check)).flatMap(({ found }) => found);
  const place = places.find(({ position }) => position !== null);
  const about = place?.about === undefined ? '' : `: ${place.about}`;
  const where = place === undefined ? '' : `, first at position ${place.position}${about}`;
  return [`${first.what}${where}.`, `${first.remedy}.`];
}

function proofOf({ noted, signed }: Pick<Checked, 'noted' | 'signed'>): readonly string[] {
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
    ({ position, message, about }) =>
      `  ${position === null ? '' : `position ${position}: `}${message}${about === undefined ? '' : ` (${about})`}`,
  );
  return faults > found.length ? [...lines, `  and ${faults - found.length} more`] : lines;
}

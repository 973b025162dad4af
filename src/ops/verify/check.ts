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

/** Maximum number of faults listed individually. */
const told = 10;

export function findingsOf(check: string): Findings {
  let faults = 0;
  const found: FoundFault[] = [];
  return {
    add(message, position) {
      faults += 1;
      if (found.length < told) found.push({ position: position ?? null, message });
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

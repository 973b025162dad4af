import type { DataSet } from '../data.ts';
import type { Driver } from '../load/driver.ts';
import type { StreamResult } from '../load/types.ts';
import { median } from '../rounds.ts';

/** What every measurement is given. */
export interface Bench {
  readonly data: DataSet;
  readonly driver: Driver;
  /** Length of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Says what is being done. */
  note(text: string): void;
}

/** How many clients ask at once where the number is not part of the figure. */
export const clients = 32;

/** Medians over rounds. */
export function summary(rounds: readonly StreamResult[]): Pick<StreamResult, 'perSecond' | 'p99' | 'bytes'> {
  const over = (value: (round: StreamResult) => number) => median(rounds.map(value));
  return { perSecond: over((r) => r.perSecond), p99: over((r) => r.p99), bytes: over((r) => r.bytes) };
}

/** Milliseconds as people read them. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

import type { DataSet } from '../data.ts';
import type { Driver } from '../load/driver.ts';
import type { StreamResult } from '../load/types.ts';
import { median } from '../rounds.ts';

/** The arguments of every measurement. */
export interface Bench {
  readonly data: DataSet;
  readonly driver: Driver;
  /** Length of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Prints the current step. */
  note(text: string): void;
}

/** Number of concurrent clients, unless it is part of the figure. */
export const clients = 32;

/** Medians over rounds. */
export function summary(rounds: readonly StreamResult[]): Pick<StreamResult, 'perSecond' | 'p99' | 'bytes'> {
  const over = (value: (round: StreamResult) => number) => median(rounds.map(value));
  return { perSecond: over((r) => r.perSecond), p99: over((r) => r.p99), bytes: over((r) => r.bytes) };
}

/** Formats milliseconds. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

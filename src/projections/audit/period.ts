import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentExamples, momentNamed } from '#domain/time/local.ts';
import type { EventStore } from '#eventstore/port.ts';

/** A period as given, including both ends. */
export interface Period {
  /** A day, a minute or a second; in the site's zone unless it names another. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface PeriodPositions {
  readonly low: number;
  readonly high: number;
}

export function positionsOf(
  { from, to }: Period,
  { log, zone }: { readonly log: Pick<EventStore, 'positionAt' | 'head'>; readonly zone: string },
): PeriodPositions | Refusal {
  const start = from === undefined ? undefined : momentNamed(from, 'start', zone);
  const end = to === undefined ? undefined : momentNamed(to, 'end', zone);
  if (start === null) return unreadable(from);
  if (end === null) return unreadable(to);
  return {
    low: start === undefined ? 1 : log.positionAt(justBefore(start)) + 1,
    high: end === undefined ? log.head().position : log.positionAt(end),
  };
}

function justBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString();
}

function unreadable(text = ''): Refusal {
  return refuse('invalid_period', `"${text}" names no day or time such as ${momentExamples}.`);
}

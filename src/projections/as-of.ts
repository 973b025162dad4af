import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { resolveDate } from '#domain/time/local.ts';
import type { EventStore } from '#eventstore/port.ts';

export interface AsOf {
  readonly position: number;
}

/** The position that a moment stands for: given as such, or as a date-time (in the site's zone unless it says otherwise). */
export function positionOf(asOf: string, { log, zone }: { log: EventStore; zone: string }): AsOf | Refusal {
  const text = asOf.trim();
  if (/^\d{1,15}$/.test(text)) {
    const position = Number(text);
    const head = log.head().position;
    return position <= head ? { position } : refuse('rest_invalid_as_of', `The log ends at position ${head}.`);
  }
  const moment = resolveDate(text, 'date', zone);
  if (moment === null) return refuse('rest_invalid_as_of', 'as_of is neither a position nor a date-time.');
  // To the end of that second: times are given to the second, commits are timed to the millisecond.
  return { position: log.positionAt(`${moment.gmt}.999Z`) };
}

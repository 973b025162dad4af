import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { addSeconds, isDay, type LocalTime, momentNamed, resolveDate, toGmt } from '#domain/time/local.ts';
import type { EventStore } from '#eventstore/port.ts';

/** A period as given, including both ends. */
export interface Period {
  /** A day, or a date and time; in the site's zone unless it names another. */
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
  const start = from === undefined ? null : periodMoment(from, 'start', zone);
  const end = to === undefined ? null : periodMoment(to, 'end', zone);
  if (start === undefined) return unreadable(from);
  if (end === undefined) return unreadable(to);
  return {
    low: start === null ? 1 : log.positionAt(justBefore(start)) + 1,
    high: end === null ? log.head().position : log.positionAt(end),
  };
}

/** Start or end of a day or second, ISO 8601 UTC with milliseconds; undefined when the text is not a time. */
export function periodMoment(text: string, edge: 'start' | 'end', zone: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return edgeOfDay(text, edge, zone);
  const gmt = momentNamed(text, zone);
  return gmt === null ? undefined : `${gmt}${edge === 'start' ? '.000Z' : '.999Z'}`;
}

// Days have 23 to 25 hours, and some begin after midnight: a day ends where the next one begins.
function edgeOfDay(day: string, edge: 'start' | 'end', zone: string): string | undefined {
  const midnight: LocalTime = `${day}T00:00:00`;
  const read = resolveDate(midnight, 'date', zone);
  // 30 February would roll over.
  if (read === null || !isDay(day)) return undefined;
  return edge === 'start' ? `${read.gmt}.000Z` : justBefore(`${toGmt(addSeconds(midnight, 86_400), zone)}.000Z`);
}

function justBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString();
}

function unreadable(text = ''): Refusal {
  return refuse('invalid_period', `"${text}" is neither a day (2026-03-01) nor a date and time (2026-03-01T12:00:00).`);
}

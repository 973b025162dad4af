import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentNamed } from '#domain/time/moment.ts';
import type { EventStore } from '#eventstore/port.ts';

export interface PositionAsOf {
  readonly position: number;
}

/** The position of a moment, given as a position or as a date-time (in the site's zone unless it names another). */
export function positionOf(asOf: string, { log, zone }: { log: EventStore; zone: string }): PositionAsOf | Refusal {
  const text = asOf.trim();
  if (/^\d{1,15}$/.test(text)) {
    const position = Number(text);
    const head = log.head().position;
    if (position > head) return refuse('rest_invalid_as_of', `The log ends at position ${head}.`);
    return { position: wholeCommit(position, log) };
  }
  const moment = momentNamed(text, zone);
  if (moment === null) {
    const example = '2026-03-01T12:00:00';
    return refuse('rest_invalid_as_of', `as_of is neither a position nor a date and time such as ${example}.`);
  }
  // To the end of that second: times have seconds, commits have milliseconds.
  return { position: log.positionAt(`${moment}.999Z`) };
}

function wholeCommit(position: number, log: EventStore): number {
  const [event] = position === 0 ? [] : log.read({ from: position, limit: 1 });
  if (event === undefined) return position;
  const { i, n } = event.commit;
  return i === n - 1 ? position : position - i - 1;
}

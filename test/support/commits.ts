import { randomUUID } from 'node:crypto';
import type { Commit, NewEvent } from '#eventstore/port.ts';

/** An event of a stream, with any data. */
export function event(stream: string, given: Partial<NewEvent> = {}): NewEvent {
  return { stream, type: 'EntryRevised', v: 1, data: '{}', sealed: null, ...given };
}

/** A commit of the given events; streams by name stand for plain events. */
export function commit(events: readonly (NewEvent | string)[], given: Partial<Commit> = {}): Commit {
  return {
    id: randomUUID(),
    at: time(0),
    actor: 1,
    correlationId: 'c0ffee00-0000-4000-8000-000000000000',
    causationId: null,
    events: events.map((e) => (typeof e === 'string' ? event(e) : e)),
    ...given,
  };
}

/** A time so many milliseconds into the year 2026. */
export function time(milliseconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString();
}

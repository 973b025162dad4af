import { randomUUID } from 'node:crypto';
import type { Commit, NewEvent } from '#eventstore/port.ts';

/** Makes an event of a stream, with default data. */
export function event(stream: string, given: Partial<NewEvent> = {}): NewEvent {
  return { stream, type: 'EntryRevised', v: 1, data: '{}', sealed: null, ...given };
}

/** Makes a commit of the given events; the name of a stream stands for a plain event. */
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

/** A time in 2026, by milliseconds since its beginning. */
export function time(milliseconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString();
}

import { codec } from '#domain/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { tellingOf } from './chronicle.ts';
import type { Texts } from './telling.ts';

type Log = Pick<EventStore, 'read'>;

/** Everything that an event says of the texts of its thing; null when that is nothing. */
export function textsIn(event: StoredEvent): Texts | null {
  return tellingOf(event.type).texts?.(codec.decode(event).data) ?? null;
}

/** The last event before a revision that says what texts of the thing are; null where none does. */
export function lastTold(stream: string, revision: number, log: Log): StoredEvent | null {
  for (const event of tellers(stream, revision, log)) return event;
  return null;
}

export function textsBefore(stream: string, revision: number, names: readonly string[], log: Log): Texts {
  const found: Record<string, string> = {};
  const missing = new Set(names);
  for (const event of tellers(stream, revision, log)) {
    for (const [name, text] of Object.entries(textsIn(event) ?? {})) if (missing.delete(name)) found[name] = text;
    if (missing.size === 0) break;
  }
  return found;
}

/** All texts as they are after an event that tells of some: its own, and those from before it. */
export function textsAfter(event: StoredEvent, log: Log): Texts | null {
  const told = textsIn(event);
  if (told === null) return null;
  const missing = textNamesOf(event.stream, log).filter((name) => told[name] === undefined);
  return { ...textsBefore(event.stream, event.revision, missing, log), ...told };
}

/** The names of all texts that a thing has: its first event tells of each. */
export function textNamesOf(stream: string, log: Log): readonly string[] {
  const [first] = log.read({ stream, limit: 1 });
  return first === undefined ? [] : Object.keys(textsIn(first) ?? {});
}

function* tellers(stream: string, revision: number, log: Log): Generator<StoredEvent> {
  // Most often the last few events tell; a long run of others is read in ever larger pieces.
  for (let from = revision - 1, limit = 4; from > 0; limit *= 4) {
    const events = [...log.read({ stream, direction: 'backwards', limit, from })];
    for (const event of events) {
      const { texts, beside } = tellingOf(event.type);
      if (texts !== undefined && beside === undefined) yield event;
    }
    from = (events.at(-1)?.revision ?? 1) - 1;
  }
}

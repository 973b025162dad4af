import { codec } from '#domain/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { tellingOf } from './chronicle.ts';
import type { Texts } from './telling.ts';

type Log = Pick<EventStore, 'read'>;

/** The texts in an event; null if it has none. */
export function textsIn(event: StoredEvent): Texts | null {
  return tellingOf(event.type).texts?.(codec.decode(event).data) ?? null;
}

/** The last event before a revision that contains texts of the item, or null. */
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

/** All texts after an event with texts: its own, and earlier ones. */
export function textsAfter(event: StoredEvent, log: Log): Texts | null {
  const told = textsIn(event);
  if (told === null) return null;
  const missing = textNamesOf(event.stream, log).filter((name) => told[name] === undefined);
  return { ...textsBefore(event.stream, event.revision, missing, log), ...told };
}

/** The names of all texts of an item: its first event contains each. */
export function textNamesOf(stream: string, log: Log): readonly string[] {
  const [first] = log.read({ stream, limit: 1 });
  return first === undefined ? [] : Object.keys(textsIn(first) ?? {});
}

function* tellers(stream: string, revision: number, log: Log): Generator<StoredEvent> {
  // Usually one of the last few events has texts; otherwise reads increasingly larger pieces.
  for (let from = revision - 1, limit = 4; from > 0; limit *= 4) {
    const events = [...log.read({ stream, direction: 'backwards', limit, from })];
    for (const event of events) {
      const { texts, beside } = tellingOf(event.type);
      if (texts !== undefined && beside === undefined) yield event;
    }
    from = (events.at(-1)?.revision ?? 1) - 1;
  }
}

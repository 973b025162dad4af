import { codec } from '#catalogue/events.ts';
import { besideTypes } from '#domain/entry/revisions.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { summaryOf } from './event-summaries.ts';
import type { SummaryTexts } from './event-summary.ts';
import { type History, settersBefore } from './history.ts';

/** A log whose long texts are cut, for all that does not show them. */
export function briefly({ read, setters }: History): History {
  return { setters, read: (query) => read({ sealed: 'brief', ...query }) };
}

/** The texts in an event; null if it has none. */
export function textsIn(event: StoredEvent): SummaryTexts | null {
  return summaryOf(event.type).texts?.(codec.decode(event).data) ?? null;
}

/** Whether an event has a version of its item's own texts. */
export function isVersion(event: StoredEvent): boolean {
  return !besideTypes.has(event.type) && textsIn(event) !== null;
}

/** The last event before a revision that contains texts of the item, or null. */
export function lastTold(stream: string, revision: number, log: History): StoredEvent | null {
  const names = new Set(textNamesOf(stream, log));
  for (const event of settersBefore({ stream, revision }, names, log)) if (tells(event)) return event;
  return null;
}

export function textsBefore(stream: string, revision: number, names: readonly string[], log: History): SummaryTexts {
  const found: Record<string, string> = {};
  const missing = new Set(names);
  for (const event of settersBefore({ stream, revision }, missing, log)) {
    if (!tells(event)) continue;
    for (const [name, text] of Object.entries(textsIn(event) ?? {})) if (missing.delete(name)) found[name] = text;
    if (missing.size === 0) break;
  }
  return found;
}

/** All texts after an event with texts: its own, and earlier ones. */
export function textsAfter(event: StoredEvent, log: History): SummaryTexts | null {
  const ownTexts = textsIn(event);
  if (ownTexts === null) return null;
  const missing = textNamesOf(event.stream, log).filter((name) => ownTexts[name] === undefined);
  return { ...textsBefore(event.stream, event.revision, missing, log), ...ownTexts };
}

/** The names of all texts of an item: its first event contains each. */
export function textNamesOf(stream: string, log: History): readonly string[] {
  const [first] = log.read({ stream, limit: 1, sealed: 'brief' });
  return first === undefined ? [] : Object.keys(textsIn(first) ?? {});
}

/** Whether an event has texts of its item itself. */
function tells({ type }: StoredEvent): boolean {
  const { texts, beside } = summaryOf(type);
  return texts !== undefined && beside === undefined;
}

import { codec } from '#domain/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { isErased } from './account.ts';
import { type Texts, tellingOf } from './chronicle.ts';
import { textsBefore } from './names.ts';

/** What became of one text. */
export interface TextChange {
  /** As the event calls it, `altText`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What an event did to the texts of its thing. */
export interface TextChanges {
  /** Those that differ. */
  readonly changes: readonly TextChange[];
  /** Names of those that stayed as they were. */
  readonly same: readonly string[];
  /** The event whose texts are the ones before; null where there were none. */
  readonly base: StoredEvent | null;
  /** The texts before or after it have been erased: an empty text is then no finding. */
  readonly erased: boolean;
}

/** Compares the texts of an event with those that its thing had before; null for events that carry none. */
export function changesBy(event: StoredEvent, log: Pick<EventStore, 'read'>): TextChanges | null {
  const after = textsOf(event);
  if (after === null) return null;
  return compare(textsBefore(event.stream, event.revision, log)?.event ?? null, { event, texts: after });
}

/** Compares the texts that two events of a stream carry, the later with the earlier; null when one of them carries none. */
export function changesBetween(earlier: StoredEvent, later: StoredEvent): TextChanges | null {
  const texts = textsOf(later);
  return texts === null || textsOf(earlier) === null ? null : compare(earlier, { event: later, texts });
}

/** Everything that an event says of the texts of its thing; null when that is nothing. */
function textsOf(event: StoredEvent): Texts | null {
  return tellingOf(event.type).texts?.(codec.decode(event).data) ?? null;
}

function compare(base: StoredEvent | null, { event, texts }: { event: StoredEvent; texts: Texts }): TextChanges {
  const before = base === null ? {} : (textsOf(base) ?? {});
  const all = Object.keys(texts).map((name) => ({ name, before: before[name] ?? '', after: texts[name] ?? '' }));
  return {
    changes: all.filter((text) => text.before !== text.after),
    same: all.filter((text) => text.before === text.after).map(({ name }) => name),
    base,
    erased: isErased(event) || (base !== null && isErased(base)),
  };
}

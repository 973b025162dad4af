import { codec } from '#catalogue/events.ts';
import { UnknownEvent } from '#domain/kernel/codec.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

export function eventsUntil(
  log: Pick<EventStore, 'read'>,
  stream: string,
  position: number,
): RecordedEvent<DomainEvent>[] {
  const events: RecordedEvent[] = [];
  for (const stored of log.read({ stream })) {
    if (stored.position > position) break;
    events.push(toRecorded(stored));
  }
  return events;
}

export function toRecorded(stored: StoredEvent): RecordedEvent {
  const { position, stream, revision, at, actor, correlationId, commit } = stored;
  const since = position - commit.i;
  return { event: decoded(stored), meta: { position, since, stream, revision, at, actor, correlationId } };
}

function decoded(stored: StoredEvent): DomainEvent {
  try {
    return codec.decode(stored);
  } catch (error) {
    if (!(error instanceof UnknownEvent)) throw error;
    throw new UnknownEvent(
      `the log holds an event of a newer version of this program at position ${stored.position} (${error.message}). ` +
        'Nothing has been changed. Start the newer version on this data',
    );
  }
}

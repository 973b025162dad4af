import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { EventStore } from '#eventstore/port.ts';
import { toRecorded } from './recorded.ts';

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

import { codec } from '#domain/events.ts';
import { mediaEvents } from '#domain/media/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { Order } from './coverage.ts';

interface Written {
  readonly log: Pick<EventStore, 'read'>;
  readonly trail: TrailTable;
}

/** Types of events that name files of media items and are not in the streams of these. */
const types = [...codec.naming].filter((type) => mediaEvents.every((own) => own.type !== type));

/** Hashes of the files that media items had which are ordered to be erased; other items may have the same. */
export function filesOf(orders: readonly Order[], written: Written): readonly string[] {
  const streams = new Set(orders.map(({ stream }) => stream).filter((stream) => stream.startsWith('media-')));
  if (streams.size === 0) return [];
  const own = [...streams].flatMap((stream) => [...written.log.read({ stream })]);
  return [...own, ...elsewhere(written)].flatMap((stored) => {
    const named = codec.files(codec.decode(stored), stored.stream);
    return named !== null && streams.has(named.of) ? named.files.map(({ hash }) => hash) : [];
  });
}

function elsewhere({ log, trail }: Written): readonly StoredEvent[] {
  const found = trail.find({ low: 1, high: trail.position(), backwards: false }, { types });
  return found.flatMap((position) => [...log.read({ from: position, limit: 1 })]);
}

import { codec } from '#catalogue/events.ts';
import { mediaEvents } from '#domain/media/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { ErasureOrder } from './coverage.ts';

interface Written {
  readonly log: Pick<EventStore, 'read'>;
  readonly trail: TrailTable;
}

/** Types of events that name files of media items but are not in their streams. */
const types = [...codec.naming].filter((type) => mediaEvents.every((own) => own.type !== type));

/** Hashes of all files of media items with an order of erasure; other items may use the same files. */
export function filesToErase(orders: readonly ErasureOrder[], written: Written): readonly string[] {
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

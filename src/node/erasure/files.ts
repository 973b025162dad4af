import { codec } from '#domain/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import type { ImageEvent } from '#domain/plugins/cache-images/events.ts';
import type { RenditionEvent } from '#domain/plugins/renditions/area.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import { hashesOf } from '#projections/media/addresses.ts';
import { idsOf, type Order } from './coverage.ts';

const prefix = 'media-';

/** Hashes of the files that media items had which are ordered to be erased; other items may have the same. */
export function filesOf(
  orders: readonly Order[],
  { log, trail }: { readonly log: Pick<EventStore, 'read'>; readonly trail: TrailTable },
): readonly string[] {
  const streams = orders.map(({ stream }) => stream).filter((stream) => stream.startsWith(prefix));
  if (streams.length === 0) return [];
  const own = streams.flatMap((stream) => {
    return [...log.read({ stream })].flatMap((stored) => {
      const event = codec.decode(stored) as MediaEvent;
      if (event.type === 'MediaSizesMade') return event.data.sizes.map(({ hash }) => hash);
      return event.type === 'MediaUploaded' ? hashesOf(event.data) : [];
    });
  });
  const items = idsOf(prefix, orders);
  const types = ['RenditionCreated', 'ImageOptimised'];
  const made = trail.find({ low: 1, high: trail.position(), backwards: false }, { types }).flatMap((position) => {
    const [stored] = log.read({ from: position, limit: 1 });
    const event = stored && (codec.decode(stored) as RenditionEvent | ImageEvent);
    if (event?.type === 'ImageOptimised') return items.has(event.data.id) ? event.data.hash : [];
    return event?.type === 'RenditionCreated' && items.has(event.data.media) ? event.data.hash : [];
  });
  return [...own, ...made];
}

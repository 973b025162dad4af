import { defineArea } from '../area.ts';
import { type ImageEvent, type ImageItem, imageEvents } from './events.ts';

/** What optimisers did: of one image, or under `site` of all of them together. */
export interface OptimisedImage {
  /** 6: done; null: nothing is known. */
  readonly status: 6 | null;
  readonly server: string;
  /** Of what was reported last. */
  readonly digest: string;
  readonly totals: Readonly<Record<string, number>>;
  /** Of the site: bytes saved, and when a report was turned down last (UTC, ISO 8601; '' for never). */
  readonly reduced: number;
  readonly rejected: string;
}

const empty: OptimisedImage = { status: null, server: '', digest: '', totals: {}, reduced: 0, rejected: '' };

/** Key of what concerns all images. */
export const siteKey = 'site';

export const cacheImages = defineArea({
  name: 'cache-images',
  events: imageEvents,
  empty,
  keysOf,
  evolve(document, event, { key, at }) {
    if (event.type === 'ImageNotifyRejected') return { ...document, rejected: at };
    if (event.type !== 'ImagesNotified') return empty;
    const { items, server } = event.data;
    if (key === siteKey)
      return { ...document, reduced: items.reduce((sum, item) => sum + saved(item), document.reduced) };
    const item = items.find(({ id }) => String(id) === key);
    return item === undefined ? document : withItem({ ...document, server }, item);
  },
});

function keysOf(event: ImageEvent): readonly string[] {
  switch (event.type) {
    case 'ImagesNotified':
      return [siteKey, ...event.data.items.map(({ id }) => String(id))];
    case 'ImagesFailed':
      return event.data.ids.map(String);
    case 'ImageForgotten':
      return [String(event.data.id)];
    case 'ImageNotifyRejected':
      return [siteKey];
    default:
      return event satisfies never;
  }
}

function saved({ original, webp, avif }: ImageItem): number {
  return original.saved + webp.saved + avif.saved;
}

function withItem(document: OptimisedImage, { digest, original, webp, avif }: ImageItem): OptimisedImage {
  const totals: Record<string, number> = { ...document.totals };
  for (const [name, bytes] of Object.entries({ ori: original, webp, avif })) {
    for (const part of ['total', 'saved'] as const) {
      totals[`${name}_${part}`] = (totals[`${name}_${part}`] ?? 0) + bytes[part];
    }
  }
  return { ...document, status: 6, digest, totals };
}

import { defineArea } from 'palimpsest/plugin';
import { type ImageEvent, type ImageForm, type ImageItem, imageEvents, type OptimisedFile } from './events.ts';

/** State of one image at the optimiser, or under the key `site` of all images. */
export interface OptimisedImage {
  /** 6: done; null: unknown. */
  readonly status: 6 | null;
  readonly server: string;
  readonly digest: string;
  readonly totals: Readonly<Record<string, number>>;
  /** Only for `site`: bytes saved, and the time of the last rejected report (UTC, ISO 8601; '' for never). */
  readonly reduced: number;
  readonly rejected: string;
  /** Only for `site`: finished forms to be fetched, oldest first. */
  readonly waiting: readonly WaitingForm[];
  /** Only for an image: forms that can be sent in its place. */
  readonly forms: readonly OptimisedFile[];
}

export interface WaitingForm {
  readonly id: number;
  readonly form: ImageForm;
  readonly server: string;
  readonly path: string;
  readonly md5: string;
  /** Hash of the original file; absent: the file that is shown of the image. */
  readonly of?: string;
}

const empty: OptimisedImage = {
  status: null,
  server: '',
  digest: '',
  totals: {},
  reduced: 0,
  rejected: '',
  waiting: [],
  forms: [],
};

/** Maximum number of waiting forms; the oldest are dropped. */
const maxWaiting = 500;

/** Key of the document about all images. */
export const siteKey = 'site';

export const cacheImages = defineArea({
  name: 'cache-images',
  events: imageEvents,
  notes: ['ImageForgotten'],
  empty,
  keysOf,
  evolve(document, event, { key, at }) {
    return key === siteKey ? ofSite(document, event, at) : ofImage(document, event, key);
  },
});

function keysOf(event: ImageEvent): readonly string[] {
  switch (event.type) {
    case 'ImagesNotified':
      return [siteKey, ...event.data.items.map(({ id }) => String(id))];
    case 'ImagesFailed':
      return [siteKey, ...event.data.ids.map(String)];
    case 'ImageForgotten':
    case 'ImageOptimised':
    case 'ImageFormRefused':
      return [siteKey, String(event.data.id)];
    case 'ImageNotifyRejected':
      return [siteKey];
    default:
      return event satisfies never;
  }
}

function ofSite(document: OptimisedImage, event: ImageEvent, at: string): OptimisedImage {
  const { waiting, reduced } = document;
  switch (event.type) {
    case 'ImageNotifyRejected':
      return { ...document, rejected: at };
    case 'ImagesNotified': {
      const { items, server } = event.data;
      const added = items.flatMap(({ id, files = [] }) => files.map((file) => ({ id, server, ...file })));
      const others = waiting.filter((one) => !added.some((other) => isSameForm(one, other)));
      const sum = items.reduce((all, item) => all + saved(item), reduced);
      return { ...document, reduced: sum, waiting: [...others, ...added].slice(-maxWaiting) };
    }
    case 'ImagesFailed':
      return { ...document, waiting: waiting.filter(({ id }) => !event.data.ids.includes(id)) };
    case 'ImageForgotten':
      return { ...document, waiting: waiting.filter(({ id }) => id !== event.data.id) };
    case 'ImageOptimised':
    case 'ImageFormRefused': {
      return { ...document, waiting: waiting.filter((one) => !isSameForm(one, event.data)) };
    }
    default:
      return event satisfies never;
  }
}

function ofImage(document: OptimisedImage, event: ImageEvent, key: string): OptimisedImage {
  if (event.type === 'ImageOptimised') {
    const { data } = event;
    return { ...document, forms: [...document.forms.filter((one) => !isSameForm(one, data)), data] };
  }
  if (event.type === 'ImageFormRefused') return document;
  if (event.type !== 'ImagesNotified') return empty;
  const item = event.data.items.find(({ id }) => String(id) === key);
  return item === undefined ? document : withItem({ ...document, server: event.data.server }, item);
}

/** Whether both name the same form of the same file. A missing `of` matches any file. */
export function isSameForm(one: NamedForm, other: NamedForm): boolean {
  return one.id === other.id && one.form === other.form && (one.of ?? other.of) === (other.of ?? one.of);
}

type NamedForm = Pick<WaitingForm, 'id' | 'form' | 'of'>;

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

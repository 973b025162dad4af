import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

const count = z.int().min(0);
const bytes = z.object({ total: count, saved: count }).describe('bytes before, and how many fewer there are');

export const ImagesNotified = defineEvent({
  type: 'ImagesNotified',
  summary: 'An optimiser is done with images of the site.',
  schema: z.object({
    server: z.string(),
    items: z.array(z.object({ id: z.int().min(1), digest: z.string(), original: bytes, webp: bytes, avif: bytes })),
  }),
});

export const ImagesFailed = defineEvent({
  type: 'ImagesFailed',
  summary: 'An optimiser could do nothing with images; what was known of its work on them is forgotten.',
  schema: z.object({ ids: z.array(z.int().min(1)), status: z.int() }),
});

export const ImageNotifyRejected = defineEvent({
  type: 'ImageNotifyRejected',
  summary: 'What an optimiser reported made no sense.',
  schema: z.object({ reason: z.string() }),
});

export const ImageForgotten = defineEvent({
  type: 'ImageForgotten',
  summary: 'An image that an optimiser had worked on was deleted.',
  schema: z.object({ id: z.int().min(1) }),
});

export const imageEvents = [ImagesNotified, ImagesFailed, ImageNotifyRejected, ImageForgotten] as const;
export type ImageEvent = EventOf<(typeof imageEvents)[number]>;
export type ImageItem = EventOf<typeof ImagesNotified>['data']['items'][number];

import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

const count = z.int().min(0);
const bytes = z.object({ total: count, saved: count }).describe('bytes before, and bytes saved');

export const ImagesNotified = defineEvent({
  type: 'ImagesNotified',
  summary: 'An optimiser reported finished images.',
  schema: z.object({
    server: z.string(),
    items: z.array(z.object({ id: z.int().min(1), digest: z.string(), original: bytes, webp: bytes, avif: bytes })),
  }),
});

export const ImagesFailed = defineEvent({
  type: 'ImagesFailed',
  summary: 'An optimiser reported images that it cannot process; earlier results for them are discarded.',
  schema: z.object({ ids: z.array(z.int().min(1)), status: z.int() }),
});

export const ImageNotifyRejected = defineEvent({
  type: 'ImageNotifyRejected',
  summary: 'An optimiser sent an invalid report.',
  schema: z.object({ reason: z.string() }),
});

export const ImageForgotten = defineEvent({
  type: 'ImageForgotten',
  summary: 'An image that an optimiser had processed was deleted.',
  schema: z.object({ id: z.int().min(1) }),
});

export const imageEvents = [ImagesNotified, ImagesFailed, ImageNotifyRejected, ImageForgotten] as const;
export type ImageEvent = EventOf<(typeof imageEvents)[number]>;
export type ImageItem = EventOf<typeof ImagesNotified>['data']['items'][number];

import { z } from 'zod';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';

const id = z.int().min(0);
const pixels = z.int().min(1);
const local = z.string().describe('YYYY-MM-DDTHH:MM:SS, in the zone of the site or in UTC as the field says');
const saved = { modified: local, modifiedGmt: local };
const dated = { date: local, dateGmt: local };
const openness = z.enum(['open', 'closed']);
const texts = { title: z.string(), caption: z.string(), description: z.string(), altText: z.string() };
const text = z.string().exactOptional();
const noTexts = { title: '', caption: '', description: '', altText: '' };
const textNames = ['title', 'caption', 'description', 'altText'] as const;
const file = {
  hash: z.string().describe('SHA-256 of the bytes, under which the file is kept'),
  bytes: z.int().min(0).describe('length of the file'),
};
const dimensions = { width: pixels, height: pixels };

export const MediaUploaded = defineEvent({
  type: 'MediaUploaded',
  summary: 'A file was uploaded. It was safe on disk, with its smaller sizes, before this was recorded.',
  schema: z.object({
    id,
    slug: z.string(),
    author: id,
    ...dated,
    ...saved,
    ...texts,
    commentStatus: openness,
    pingStatus: openness,
    parent: id.describe('the entry that it is attached to; 0: none'),
    featuredMedia: id,
    type: z.string().describe('MIME type, by the content'),
    folder: z.string().describe('year and month in its address, `2026/03`'),
    name: z.string().describe('last part of its address, with the ending'),
    ...file,
    image: z
      .object({ ...dimensions, orientation: z.int().min(0).max(8).describe('as the file says; 0: nothing') })
      .nullable()
      .describe('null for what is no image, or for one of unknown size'),
    shown: z
      .object({ suffix: z.enum(['scaled', 'rotated']), ...dimensions, ...file })
      .nullable()
      .describe('what is shown in place of an image that is too large or not upright'),
    sizes: z.array(z.object({ name: z.string(), ...dimensions, ...file })).describe('smaller sizes of an image'),
    missing: z.array(z.string()).describe('names of sizes that could or should not be made'),
  }),
  sealed: [...textNames, 'name'],
  erased: { ...noTexts, name: '' },
  subjects: ofItsStream,
});

export const MediaChanged = defineEvent({
  type: 'MediaChanged',
  summary: 'A media item was saved; of its settings only those that changed are recorded.',
  schema: z.object({
    ...saved,
    date: local.exactOptional(),
    dateGmt: local.exactOptional(),
    slug: z.string().exactOptional(),
    author: id.exactOptional(),
    commentStatus: openness.exactOptional(),
    pingStatus: openness.exactOptional(),
    parent: id.exactOptional(),
    featuredMedia: id.exactOptional(),
  }),
});

export const MediaDescribed = defineEvent({
  type: 'MediaDescribed',
  summary: 'Texts of a media item changed; only those that did are recorded. Those of version 1 hold all four.',
  schema: z.object({ ...saved, title: text, caption: text, description: text, altText: text }),
  sealed: textNames,
  erased: noTexts,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const MediaDetached = defineEvent({
  type: 'MediaDetached',
  summary: 'The entry that a media item was attached to was deleted; the item passed to the parent of that.',
  schema: z.object({ parent: id }),
});

export const MediaDeleted = defineEvent({
  type: 'MediaDeleted',
  summary: 'A media item was deleted. What features it features nothing since. Its file stays for the past.',
  schema: z.object({ id }),
});

export const MediaErased = defineEvent({
  type: 'MediaErased',
  ordersErasure: true,
  summary:
    'A deleted media item was ordered to be erased: its texts and name are emptied wherever they are kept, its files go.',
  schema: z.object({ id }),
});

export const mediaEvents = [
  MediaUploaded,
  MediaChanged,
  MediaDescribed,
  MediaDetached,
  MediaDeleted,
  MediaErased,
] as const;
export type MediaEvent = EventOf<(typeof mediaEvents)[number]>;
export type MediaDeletedEvent = EventOf<typeof MediaDeleted>;

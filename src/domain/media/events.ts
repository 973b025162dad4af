import { z } from 'zod';
import { notSaid, orderFields } from '#domain/kernel/erasure.ts';
import { defineEvent, type EventOf, type NamedFile, type NamedFiles, unchangedData } from '#domain/kernel/event.ts';
import { limited, optional } from '#domain/kernel/limits.ts';
import { againField, deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofItsStream, type Subject } from '#domain/kernel/subject.ts';
import { editStep } from './editing.ts';
import { photo } from './photo.ts';
import { recording } from './recording.ts';

const id = z.int().min(0);
const pixels = z.int().min(1);
const local = limited.word.describe('YYYY-MM-DDTHH:MM:SS, in the zone of the site or in UTC as the field says');
const saved = { modified: local, modifiedGmt: local };
const dated = { date: local, dateGmt: local };
const openness = z.enum(['open', 'closed']);
const texts = {
  title: limited.title,
  caption: limited.paragraph,
  description: limited.document,
  altText: limited.paragraph,
};
const noTexts = { title: '', caption: '', description: '', altText: '' };
const textNames = ['title', 'caption', 'description', 'altText'] as const;
const file = {
  hash: limited.word.describe('SHA-256 of the bytes, under which the file is stored'),
  bytes: z.int().min(0).describe('length of the file'),
};
const dimensions = { width: pixels, height: pixels };
const sizes = limited
  .list(z.object({ name: limited.word, ...dimensions, ...file }))
  .describe('smaller sizes of an image');

export const MediaUploaded = defineEvent({
  type: 'MediaUploaded',
  summary: 'A file was uploaded. It was safely on disk, with its smaller sizes, before this was recorded.',
  schema: z.object({
    id,
    slug: limited.word,
    author: id,
    ...dated,
    ...saved,
    ...texts,
    commentStatus: openness,
    pingStatus: openness,
    parent: id.describe('the entry to which it is attached; 0: none'),
    featuredMedia: id,
    type: limited.word.describe('MIME type, detected from the content'),
    folder: limited.word.describe('year and month in its address, `2026/03`'),
    name: limited.word.describe('last part of its address, with the extension'),
    ...file,
    image: z
      .object({ ...dimensions, orientation: z.int().min(0).max(8).describe('as stated in the file; 0: not stated') })
      .nullable()
      .describe('null if the file is not an image, or its size is unknown'),
    shown: z
      .object({ suffix: z.enum(['scaled', 'rotated']), ...dimensions, ...file })
      .nullable()
      .describe('the file shown instead of an image that is too large or not upright'),
    sizes,
    missing: limited.list(limited.word).describe('names of sizes that could not or need not be made'),
    photo: photo.exactOptional().describe('what the header of an image says about it'),
    recording: recording.exactOptional().describe('what a file of sound or film says about itself'),
    ...againField,
  }),
  sealed: [...textNames, 'name', 'photo', 'recording'],
  erased: { ...noTexts, name: '', photo: {}, recording: {} },
  sealsEach: true,
  subjects: ofItsStream,
  upcasters: [unchangedData, unchangedData, unchangedData],
  files: ({ hash, bytes, shown, sizes: smaller }, stream) =>
    ofItem(stream, [{ hash, bytes }, ...(shown === null ? [] : [shown]), ...smaller]),
});

export const MediaChanged = defineEvent({
  type: 'MediaChanged',
  summary: 'A media item was saved; only changed settings are recorded.',
  schema: z.object({
    ...saved,
    date: local.exactOptional(),
    dateGmt: local.exactOptional(),
    slug: limited.word.exactOptional(),
    author: id.exactOptional(),
    commentStatus: openness.exactOptional(),
    pingStatus: openness.exactOptional(),
    parent: id.exactOptional(),
    featuredMedia: id.exactOptional(),
  }),
});

export const MediaDescribed = defineEvent({
  type: 'MediaDescribed',
  summary: 'Texts of a media item changed; only changed texts are recorded. Version 1 contains all four.',
  schema: z.object({
    ...saved,
    ...optional(texts),
  }),
  sealed: textNames,
  erased: noTexts,
  sealsEach: true,
  subjects: ofItsStream,
  upcasters: [unchangedData, unchangedData],
});

export const MediaDetached = defineEvent({
  type: 'MediaDetached',
  summary:
    'The entry to which a media item was attached was deleted; the item moved to the parent of that entry. ' +
    'Version 1 does not record what the item inherited. No longer recorded.',
  schema: z.object({
    parent: id,
    inherited: z.enum(['private']).exactOptional().describe('status of the deleted entry that the item keeps'),
  }),
  upcasters: [unchangedData],
});

export const MediaDerived = defineEvent({
  type: 'MediaDerived',
  summary: 'The image was made by editing that of another media item.',
  schema: z.object({
    source: id.describe('the item that was edited'),
    sourceFile: limited.address.describe('address of the file that was edited, below that of the uploads'),
    steps: limited.list(editStep).describe('what was done to it, in order'),
  }),
  sealed: ['sourceFile'],
  erased: { sourceFile: '' },
  subjects: ({ stream, data }) => [stream as Subject, `media-${data.source}`],
});

export const MediaSizesMade = defineEvent({
  type: 'MediaSizesMade',
  summary: 'Smaller sizes of an image were made that were missing. They were safely on disk before this was recorded.',
  schema: z.object({ sizes, missing: limited.list(limited.word).describe('names of sizes that are still missing') }),
  files: (data, stream) => ofItem(stream, data.sizes),
});

export const MediaMadePrivate = defineEvent({
  type: 'MediaMadePrivate',
  summary:
    'A media item was made private, whatever it is attached to; with the time of the save unless that made the item.',
  schema: z.object({ modified: local.exactOptional(), modifiedGmt: local.exactOptional() }),
});

export const MediaReleased = defineEvent({
  type: 'MediaReleased',
  summary: 'A private media item became as open as what it is attached to.',
  schema: z.object(saved),
});

export const MediaDeleted = defineEvent({
  type: 'MediaDeleted',
  summary: 'A media item was deleted and is no longer featured by anything. Its file is kept for the history.',
  schema: z.object({ id }),
});

export const MediaErased = defineEvent({
  type: 'MediaErased',
  ordersErasure: true,
  summary:
    'A deleted media item was ordered to be erased: its texts and name are emptied everywhere, its files are removed.',
  schema: z.object({ id, ...orderFields }),
  upcasters: [notSaid],
});

export const mediaEvents = [
  MediaUploaded,
  MediaChanged,
  MediaDescribed,
  MediaDetached,
  MediaDerived,
  MediaSizesMade,
  MediaMadePrivate,
  MediaReleased,
  MediaDeleted,
  MediaErased,
] as const;

export const mediaSequence: Sequence & { readonly steps: Record<MediaEvent['type'], Step> } = {
  kind: 'media',
  numbered: true,
  steps: {
    MediaUploaded: { from: [initial], again: [deleted], to: existing },
    MediaChanged: { from: [existing] },
    MediaDescribed: { from: [existing] },
    MediaDetached: { from: [existing] },
    MediaDerived: { from: [existing] },
    MediaSizesMade: { from: [existing] },
    MediaMadePrivate: { from: [existing] },
    MediaReleased: { from: [existing] },
    MediaDeleted: { from: [existing], to: deleted },
    MediaErased: { from: [deleted], to: erased },
  },
};

function ofItem(stream: string, files: readonly NamedFile[]): NamedFiles {
  return { of: stream as Subject, files: files.map(({ hash, bytes }) => ({ hash, bytes })) };
}

export type MediaEvent = EventOf<(typeof mediaEvents)[number]>;
export type MediaDeletedEvent = EventOf<typeof MediaDeleted>;

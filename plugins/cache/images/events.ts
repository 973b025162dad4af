import { defineEvent, type EventOf, limited, z } from 'palimpsest/plugin';

const count = z.int().min(0);
/** Forms that an optimiser makes: a smaller original, and two other formats. */
export const imageForms = ['original', 'webp', 'avif'] as const;
export type ImageForm = (typeof imageForms)[number];

const of = limited.word
  .exactOptional()
  .describe('SHA-256 of the file that it can replace; absent: the one that is shown of the image');
const file = z.object({
  form: z.enum(imageForms),
  path: limited.address.describe('below the address of the optimiser'),
  md5: limited.word.describe('digest of the bytes, without which none are taken'),
  of,
});
const bytes = z.object({ total: count, saved: count }).describe('bytes before, and bytes saved');

export const ImagesNotified = defineEvent({
  type: 'ImagesNotified',
  summary: 'An optimiser reported finished images.',
  schema: z.object({
    server: limited.address,
    items: limited.list(
      z.object({
        id: z.int().min(1),
        digest: limited.word,
        original: bytes,
        webp: bytes,
        avif: bytes,
        files: limited.list(file).exactOptional().describe('where the finished images can be fetched'),
      }),
    ),
  }),
});

export const ImageOptimised = defineEvent({
  type: 'ImageOptimised',
  summary:
    'A finished image was fetched from its optimiser and checked. The file was safely on disk before this was recorded.',
  schema: z.object({
    id: z.int().min(1),
    form: z.enum(imageForms),
    of: limited.word.describe('SHA-256 of the file that it can replace'),
    type: limited.word,
    hash: limited.word.describe('SHA-256 of the bytes, under which the file is stored'),
    bytes: count,
  }),
  files: ({ id, hash, bytes: length }) => ({ of: `media-${id}`, files: [{ hash, bytes: length }] }),
});

export const ImageFormRefused = defineEvent({
  type: 'ImageFormRefused',
  summary: 'A finished image could not be fetched from its optimiser, or was not what it should be.',
  schema: z.object({ id: z.int().min(1), form: z.enum(imageForms), of, reason: limited.paragraph }),
});

export const ImagesFailed = defineEvent({
  type: 'ImagesFailed',
  summary: 'An optimiser reported images that it cannot process; earlier results for them are discarded.',
  schema: z.object({ ids: limited.list(z.int().min(1)), status: z.int() }),
});

export const ImageNotifyRejected = defineEvent({
  type: 'ImageNotifyRejected',
  summary: 'An optimiser sent an invalid report.',
  schema: z.object({ reason: limited.paragraph }),
});

export const ImageForgotten = defineEvent({
  type: 'ImageForgotten',
  summary: 'An image that an optimiser had processed was deleted.',
  schema: z.object({ id: z.int().min(1) }),
});

export const imageEvents = [
  ImagesNotified,
  ImageOptimised,
  ImageFormRefused,
  ImagesFailed,
  ImageNotifyRejected,
  ImageForgotten,
] as const;
export type ImageEvent = EventOf<(typeof imageEvents)[number]>;
export type OptimisedFile = EventOf<typeof ImageOptimised>['data'];
export type ImageItem = EventOf<typeof ImagesNotified>['data']['items'][number];

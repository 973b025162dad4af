import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { defineArea } from '../plugins/area.ts';

const pixels = z.int().min(1);

const RenditionCreated = defineEvent({
  type: 'RenditionCreated',
  summary: 'An image was cropped to a requested size. The file was safely on disk before this was recorded.',
  schema: z.object({
    media: z.int().min(1),
    width: pixels,
    height: pixels,
    hash: limited.word.describe('SHA-256 of the bytes, under which the file is stored'),
    bytes: z.int().min(0).describe('length of the file'),
  }),
  files: ({ media, hash, bytes }) => ({ of: `media-${media}`, files: [{ hash, bytes }] }),
});

const RenditionsDropped = defineEvent({
  type: 'RenditionsDropped',
  summary: 'An image was deleted, together with the images cropped from it.',
  schema: z.object({ media: z.int().min(1) }),
});

export type RenditionEvent = EventOf<typeof RenditionCreated> | EventOf<typeof RenditionsDropped>;
export type Rendition = EventOf<typeof RenditionCreated>['data'];

export interface Renditions {
  readonly sizes: readonly Dimensions[];
}

const none: Renditions = { sizes: [] };

/** Maximum number of cuts of an image: each is a file, and every author may request one. */
export const maxCuts = 100;

export const renditions = defineArea({
  name: 'media-renditions',
  events: [RenditionCreated, RenditionsDropped],
  empty: none,
  keysOf: ({ data }) => [String(data.media)],
  evolve(state, event) {
    if (event.type === 'RenditionsDropped') return none;
    const { width, height } = event.data;
    return { sizes: [...state.sizes, { width, height }] };
  },
});

export function hasSize({ sizes }: { readonly sizes: readonly Dimensions[] }, { width, height }: Dimensions): boolean {
  return sizes.some((size) => size.width === width && size.height === height);
}

/** Records a cut; no events if it exists. */
export function noteRendition(state: Renditions, made: Rendition): readonly RenditionEvent[] {
  return hasSize(state, made) ? [] : [{ type: 'RenditionCreated', data: made }];
}

export function dropRenditions({ sizes }: Renditions, media: number): readonly RenditionEvent[] {
  return sizes.length === 0 ? [] : [{ type: 'RenditionsDropped', data: { media } }];
}

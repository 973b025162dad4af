import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

const id = z.int().min(1);

const PreviewIssued = defineEvent({
  type: 'PreviewIssued',
  summary:
    'A preview was made: whoever has its token sees an item, a release or a moment, without an account. Only a digest is recorded.',
  schema: z.object({
    preview: id,
    by: id.describe('user who made it'),
    item: z.int().min(0).describe('the item that it shows; 0: none'),
    release: z.int().min(0).describe('the release that it shows; 0: none'),
    at: limited.word.describe('the position that it shows; empty: none'),
    until: limited.word.describe('UTC, ISO 8601 with milliseconds'),
    digest: limited.word,
  }),
});

const PreviewWithdrawn = defineEvent({
  type: 'PreviewWithdrawn',
  summary: 'A preview was withdrawn: its token shows nothing any more.',
  schema: z.object({ preview: id }),
});

export type IssuedPreview = EventOf<typeof PreviewIssued>['data'];
export type PreviewEvent = EventOf<typeof PreviewIssued> | EventOf<typeof PreviewWithdrawn>;

/** One preview, or under `onlyKey` the highest number of all. */
export interface PreviewDocument {
  readonly last: number;
  readonly issued: IssuedPreview | null;
}

const empty: PreviewDocument = { last: 0, issued: null };

export const previews = defineArea({
  name: 'previews',
  events: [PreviewIssued, PreviewWithdrawn],
  empty,
  keysOf: ({ type, data }) => [...(type === 'PreviewIssued' ? [onlyKey] : []), String(data.preview)],
  evolve: (_, { type, data }, { key }) => {
    if (type === 'PreviewWithdrawn') return empty;
    return key === onlyKey ? { last: data.preview, issued: null } : { last: 0, issued: data };
  },
});

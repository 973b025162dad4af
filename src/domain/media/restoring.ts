import type { EntryMoment } from '#domain/entry/commands.ts';
import type { Fields } from '#domain/undo/inverse.ts';
import { mediaDifference } from './decide.ts';
import type { MediaEvent } from './events.ts';
import type { Media } from './state.ts';

const single = [
  ...(['title', 'caption', 'description', 'altText', 'slug', 'author'] as const),
  ...(['commentStatus', 'pingStatus', 'featuredMedia'] as const),
];

/** A media item as the fields that an undo gives back. Its file stays the same, and sizes of an image that were made stay made. */
export function fieldsOfMedia(media: Media): Fields<Media> {
  const { date, dateGmt, parent, inherited, status } = media;
  return {
    ...Object.fromEntries(single.map((name) => [name, { [name]: media[name] }])),
    date: { date, dateGmt },
    parent: { parent, inherited } as Partial<Media>,
    status: { status } as Partial<Media>,
  };
}

/** Makes a media item what it was; `before` null: it was deleted, and comes back with its file. */
export function restoreMedia(before: Media | null, then: Media, now: EntryMoment): readonly MediaEvent[] {
  const saved = { modified: now.local, modifiedGmt: now.gmt };
  const { inherited, parent } = then;
  const kept: readonly MediaEvent[] =
    inherited === undefined ? [] : [{ type: 'MediaDetached', data: { parent, inherited } }];
  if (before === null) return [...uploadedAgain({ ...then, ...saved }), ...kept];
  const attached: MediaEvent = { type: 'MediaChanged', data: { ...saved, parent } };
  const changes = mediaDifference(before, { ...then, ...saved }, then.status ?? 'inherit');
  if (parent === before.parent && inherited === before.inherited) return changes;
  // Attaching an item ends the privacy that it had inherited, also where it is attached already.
  return [...changes, ...(inherited === undefined ? [attached] : kept)];
}

function uploadedAgain({ inherited: _, status, source, sourceFile = '', ...file }: Media): readonly MediaEvent[] {
  const events: MediaEvent[] = [{ type: 'MediaUploaded', data: { ...file, again: true } }];
  if (source !== undefined) events.push({ type: 'MediaDerived', data: { source, sourceFile, steps: [] } });
  if (status !== undefined) events.push({ type: 'MediaMadePrivate', data: {} });
  return events;
}

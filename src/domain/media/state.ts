import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { MediaDeletedEvent, MediaEvent } from './events.ts';

type Uploaded = Extract<MediaEvent, { type: 'MediaUploaded' }>['data'];

/** A media item: a file with what is said about it. */
export interface Media extends Readonly<Uploaded> {
  /** Status of the deleted entry that it was attached to; absent: it is as open as what it is attached to. */
  readonly inherited?: 'private';
  /** Absent: it is as open as what it is attached to. */
  readonly status?: 'private';
  /** The item that it was made from by editing; absent: none. */
  readonly source?: number;
  /** Address of the file that was edited; empty once it is erased. */
  readonly sourceFile?: string;
}

export type MediaSize = Media['sizes'][number];

const prefix = 'media-';

export const mediaStream = (id: number): string => `${prefix}${id}`;

export function mediaIn(stream: string): number {
  return Number(stream.slice(prefix.length));
}

export type MediaLossEvent = MediaDeletedEvent | UserDeletedEvent | EntryDeletedEvent;

/** Folds an event onto a media item, which it must concern; null before it is uploaded and after it is deleted. */
export function evolveMedia(media: Media | null, event: MediaEvent | MediaLossEvent): Media | null {
  if (event.type === 'MediaUploaded') return event.data;
  if (media === null) return null;
  if (event.type === 'UserDeleted') return { ...media, author: event.data.heir };
  if (event.type === 'EntryDeleted') return passedOn(media, event.data);
  if (event.type === 'MediaErased') return media;
  if (event.type === 'MediaDeleted') return event.data.id === media.id ? null : { ...media, featuredMedia: 0 };
  switch (event.type) {
    case 'MediaMadePrivate':
      return { ...media, ...event.data, status: 'private' };
    case 'MediaReleased':
      return released(media, event.data);
    case 'MediaDerived':
      return { ...media, source: event.data.source, sourceFile: event.data.sourceFile };
    case 'MediaSizesMade':
      return { ...media, sizes: [...media.sizes, ...event.data.sizes], missing: event.data.missing };
    default:
      return changed(media, event);
  }
}

function changed(
  media: Media,
  event: Extract<MediaEvent, { type: `Media${'Changed' | 'Described' | 'Detached'}` }>,
): Media {
  const { inherited, ...rest } = media;
  // With another parent an item is as open as that.
  const keeps = event.type !== 'MediaDetached' && !('parent' in event.data) && inherited !== undefined;
  return { ...rest, ...(keeps ? { inherited } : {}), ...event.data };
}

/** Whether the deletion of its author, what it is attached to, or what it features concerns an item. */
export function concernsMedia(
  media: Pick<Media, 'author' | 'parent' | 'featuredMedia'>,
  { type, data }: MediaLossEvent,
): boolean {
  if (type === 'EntryDeleted') return data.heir !== undefined && media.parent === data.id;
  // Without an heir it stays as it is: others may show it.
  if (type === 'UserDeleted') return media.author === data.id && data.heir !== 0;
  return media.featuredMedia === data.id;
}

function passedOn(media: Media, { heir = 0, inherited }: EntryDeletedEvent['data']): Media {
  return { ...media, parent: heir, ...(inherited === undefined ? {} : { inherited }) };
}

function released({ status: _, ...rest }: Media, saved: Pick<Media, 'modified' | 'modifiedGmt'>): Media {
  return { ...rest, ...saved };
}

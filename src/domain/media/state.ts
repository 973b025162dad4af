import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { MediaDeletedEvent, MediaEvent } from './events.ts';

type Uploaded = Omit<Extract<MediaEvent, { type: 'MediaUploaded' }>['data'], 'again'>;

/** A media item: a file and its metadata. */
export interface Media extends Readonly<Uploaded> {
  /** Set when the entry it was attached to was private and deleted; absent: the item is as visible as its entry. */
  readonly inherited?: 'private';
  /** Absent: the item is as visible as the entry it is attached to. */
  readonly status?: 'private';
  /** The item that it was derived from by editing; absent: none. */
  readonly source?: number;
  /** Address of the source file; empty once it is erased. */
  readonly sourceFile?: string;
}

export type MediaSize = Media['sizes'][number];

const prefix = 'media-';

export const mediaStream = (id: number): string => `${prefix}${id}`;

export function mediaIn(stream: string): number {
  return Number(stream.slice(prefix.length));
}

export type MediaLossEvent = MediaDeletedEvent | UserDeletedEvent | EntryDeletedEvent;

/** Folds an event onto a media item that it concerns; null before the upload and after the deletion. */
export function evolveMedia(media: Media | null, event: MediaEvent | MediaLossEvent): Media | null {
  if (event.type === 'MediaUploaded') {
    const { again: _, ...uploaded } = event.data;
    return uploaded;
  }
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
  // Attaching the item to another entry ends the inherited privacy.
  const keeps = event.type !== 'MediaDetached' && !('parent' in event.data) && inherited !== undefined;
  return { ...rest, ...(keeps ? { inherited } : {}), ...event.data };
}

/** Whether the deletion of its author, its entry or its featured image affects an item. */
export function concernsMedia(
  media: Pick<Media, 'author' | 'parent' | 'featuredMedia'>,
  { type, data }: MediaLossEvent,
): boolean {
  if (type === 'EntryDeleted') return data.heir !== undefined && media.parent === data.id;
  // Without an heir the item is unchanged: others may use it.
  if (type === 'UserDeleted') return media.author === data.id && data.heir !== 0;
  return media.featuredMedia === data.id;
}

function passedOn(media: Media, { heir = 0, inherited }: EntryDeletedEvent['data']): Media {
  return { ...media, parent: heir, ...(inherited === undefined ? {} : { inherited }) };
}

function released({ status: _, ...rest }: Media, saved: Pick<Media, 'modified' | 'modifiedGmt'>): Media {
  return { ...rest, ...saved };
}

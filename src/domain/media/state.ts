import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { MediaDeletedEvent, MediaEvent } from './events.ts';

type Uploaded = Extract<MediaEvent, { type: 'MediaUploaded' }>['data'];

/** A media item: a file with what is said about it. */
export interface Media extends Readonly<Uploaded> {
  /** Status of the deleted entry that it was attached to; absent: it is as open as what it is attached to. */
  readonly inherited?: 'private';
}

/** An image in one of its sizes. */
export type MediaSize = Media['sizes'][number];

/** The stream of a media item. */
export const mediaStream = (id: number): string => `media-${id}`;

/**
 * Folds an event onto a media item; null before it is uploaded and after it is deleted. Events of other items concern
 * it only when what features it is deleted, and those of users when its author passes it on.
 */
export function evolveMedia(media: Media | null, event: MediaEvent | UserDeletedEvent): Media | null {
  if (event.type === 'MediaUploaded') return event.data;
  if (media === null) return null;
  if (event.type === 'UserDeleted') return { ...media, author: event.data.heir };
  if (event.type === 'MediaDeleted') return event.data.id === media.id ? null : { ...media, featuredMedia: 0 };
  const { inherited, ...rest } = media;
  // With another parent an item is as open as that.
  const keeps = event.type !== 'MediaDetached' && !('parent' in event.data) && inherited !== undefined;
  return { ...rest, ...(keeps ? { inherited } : {}), ...event.data };
}

/** Whether the deletion of a user concerns an item. Without an heir it stays as it is: others may show it. */
export function passesOn(media: Pick<Media, 'author'>, { data }: UserDeletedEvent): boolean {
  return media.author === data.id && data.heir !== 0;
}

/** Whether the deletion of another item concerns this one. */
export function losesFeatured(media: Pick<Media, 'featuredMedia'>, { data }: MediaDeletedEvent): boolean {
  return media.featuredMedia === data.id;
}

import { codec } from '#domain/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { mayReadMedia } from '#domain/media/rights.ts';
import { evolveMedia, type Media, mediaStream } from '#domain/media/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { isReadable, type Standing, type Standings } from './standings.ts';
import { createStates } from './states.ts';

/** What decides who may read a media item. */
export interface MediaStanding {
  readonly author: number;
  /** The entry that it is attached to; null: none that is there. */
  readonly host: Standing | null;
}

export interface MediaStandings {
  /** How an item stood before and after an event of its stream. */
  readonly step: (
    id: number,
    stored: StoredEvent,
  ) => { readonly before: MediaStanding | null; readonly after: MediaStanding | null };
}

export function createMediaStandings(read: EventStore['read'], entries: Standings): MediaStandings {
  const items = createStates({ read, streamOf: mediaStream, move });
  const standing = (media: Media | null, position: number): MediaStanding | null =>
    media && { author: media.author, host: media.parent === 0 ? null : entries.asOf(media.parent, position) };
  return {
    step: (id, stored) => ({
      before: standing(items.at(id, stored.revision - 1), stored.position - 1),
      after: standing(items.after(id, stored), stored.position),
    }),
  };
}

/** What is attached to an entry is as open as that; anything else is open to all (interface behaviour, section 22). */
export function isMediaReadable(viewer: Viewer, media: MediaStanding | null): boolean {
  if (media === null) return false;
  const { host } = media;
  return host === null || isReadable(viewer, host) || mayReadMedia(viewer, media, host);
}

function move(before: Media | null, stored: StoredEvent): Media | null {
  const media = evolveMedia(before, codec.decode(stored) as MediaEvent);
  return media && { ...media, title: '', caption: '', description: '', altText: '', sizes: [] };
}

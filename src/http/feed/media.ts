import { codec } from '#domain/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { mayReadMedia, type OwnedMedia } from '#domain/media/rights.ts';
import { evolveMedia, type Media, mediaStream } from '#domain/media/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { Standing, Standings } from './standings.ts';
import { createStates } from './states.ts';

/** What decides who may read a media item. */
export interface MediaStanding {
  readonly item: OwnedMedia;
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
    media && { item: media, host: media.parent === 0 ? null : entries.asOf(media.parent, position) };
  return {
    step: (id, stored) => ({
      before: standing(items.at(id, stored.revision - 1), stored.position - 1),
      after: standing(items.after(id, stored), stored.position),
    }),
  };
}

export function isMediaReadable(viewer: Viewer, media: MediaStanding | null): boolean {
  return media !== null && mayReadMedia(viewer, media.item, media.host);
}

function move(before: Media | null, stored: StoredEvent): Media | null {
  const media = evolveMedia(before, codec.decode(stored) as MediaEvent);
  return media && { ...media, title: '', caption: '', description: '', altText: '', sizes: [] };
}

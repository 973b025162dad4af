import { codec } from '#domain/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { mayReadMedia, type OwnedMedia } from '#domain/media/rights.ts';
import { evolveMedia, type Media, mediaStream, passesOn } from '#domain/media/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import type { Standing, Standings, StandingsParts } from './standings.ts';
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
  /** How it stood at a position of the log; null when there was none. */
  readonly asOf: (id: number, position: number) => MediaStanding | null;
}

export function createMediaStandings({ read, lostUsers }: StandingsParts, entries: Standings): MediaStandings {
  const until = (state: Reached | null, position: number): Media | null => {
    if (state === null) return null;
    const lost = lostUsers().filter((one) => one.position > state.at && one.position <= position);
    let { media } = state;
    for (const { event } of lost) if (passesOn(media, event)) media = { ...media, author: event.data.heir };
    return media;
  };
  const move = (before: Reached | null, stored: StoredEvent): Reached | null => {
    const media = evolveMedia(until(before, stored.position), codec.decode(stored) as MediaEvent);
    const less = { title: '', caption: '', description: '', altText: '', sizes: [] };
    return media && { media: { ...media, ...less }, at: stored.position };
  };
  const items = createStates({ read, streamOf: mediaStream, move });
  const standing = (media: Media | null, position: number): MediaStanding | null =>
    media && { item: media, host: media.parent === 0 ? null : entries.asOf(media.parent, position) };
  return {
    step: (id, stored) => ({
      before: standing(until(items.at(id, stored.revision - 1), stored.position), stored.position - 1),
      after: standing(until(items.after(id, stored), stored.position), stored.position),
    }),
    asOf: (id, position) => standing(until(items.asOf(id, position), position), position),
  };
}

export function isMediaReadable(viewer: Viewer, media: MediaStanding | null): boolean {
  return media !== null && mayReadMedia(viewer, media.item, media.host);
}

/** A media item after the last of its events, and where that stands. */
interface Reached {
  readonly media: Media;
  readonly at: number;
}

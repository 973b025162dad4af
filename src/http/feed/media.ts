import { codec } from '#catalogue/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { mayReadMedia, type OwnedMedia } from '#domain/media/rights.ts';
import { concernsMedia, evolveMedia, type Media, mediaStream } from '#domain/media/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { type AccessState, type AccessStates, type AccessStatesParts, createStates } from './access-states.ts';

export interface MediaAccess {
  readonly item: OwnedMedia;
  /** The entry it is attached to; null: none that exists. */
  readonly host: AccessState | null;
}

export interface MediaAccessStates {
  readonly step: (
    id: number,
    stored: StoredEvent,
  ) => { readonly before: MediaAccess | null; readonly after: MediaAccess | null };
  /** The standing at a position of the log; null if the item did not exist. */
  readonly asOf: (id: number, position: number) => MediaAccess | null;
}

export function createMediaAccessStates(
  { read, deletions }: AccessStatesParts,
  entries: AccessStates,
): MediaAccessStates {
  const until = (state: Reached | null, position: number): Media | null => {
    if (state === null) return null;
    const above = state.media.parent === 0 ? [] : deletions().parents([state.media.parent]);
    let media: Media | null = state.media;
    for (const { event, position: at } of [...deletions().users(), ...above]) {
      if (media === null || at <= state.at || at > position || !concernsMedia(media, event)) continue;
      media = evolveMedia(media, event);
    }
    return media;
  };
  const move = (before: Reached | null, stored: StoredEvent): Reached | null => {
    const media = evolveMedia(until(before, stored.position), codec.decode(stored) as MediaEvent);
    const less = { title: '', caption: '', description: '', altText: '', sizes: [] };
    return media && { media: { ...media, ...less }, at: stored.position };
  };
  const items = createStates({ read, streamOf: mediaStream, move });
  const standing = (media: Media | null, position: number): MediaAccess | null =>
    media && { item: media, host: media.parent === 0 ? null : entries.asOf(media.parent, position) };
  return {
    step: (id, stored) => ({
      before: standing(until(items.at(id, stored.revision - 1), stored.position), stored.position - 1),
      after: standing(until(items.after(id, stored), stored.position), stored.position),
    }),
    asOf: (id, position) => standing(until(items.asOf(id, position), position), position),
  };
}

export function isMediaReadable(viewer: Viewer, media: MediaAccess | null): boolean {
  return media !== null && mayReadMedia(viewer, media.item, media.host);
}

interface Reached {
  readonly media: Media;
  readonly at: number;
}

import { kindOf, post } from '#domain/entry/kinds.ts';
import { has, mayRead, type Owned } from '#domain/entry/rights.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Media } from './state.ts';

export interface Host extends Owned {
  readonly kind: string;
}

export type OwnedMedia = Pick<Media, 'author' | 'inherited' | 'status'>;

/** Whether the viewer may change or delete a media item: their own, or as an editor any. */
export function mayEditMedia(viewer: Viewer, { author }: Pick<Media, 'author'>): boolean {
  return may(viewer, viewer.id !== 0 && author === viewer.id ? post.rights.edit : post.rights.editOthers);
}

/**
 * Whether the viewer may see a media item (interface behaviour, section 22). `host`: the entry it is attached to, if that exists. Users
 * also see items of an entry that was published before it was trashed.
 */
export function mayReadMedia(viewer: Viewer, media: OwnedMedia, host: Host | null): boolean {
  const status = mediaStatusOf(media, host);
  if (status === null || isReadable(viewer, media, host)) return true;
  if (viewer.id === 0) return false;
  if (status === 'publish' || media.author === viewer.id) return true;
  return status === 'private' ? has(viewer, post.rights.readPrivate) : mayEditMedia(viewer, media);
}

/** The status that decides who may see an item: its own, its inherited one, or its entry's; null: visible to all. */
function mediaStatusOf({ inherited, status }: Omit<OwnedMedia, 'author'>, host: Host | null): EntryStatus | null {
  if (status !== undefined) return status;
  if (inherited !== undefined || host === null) return inherited ?? null;
  return host.status === 'trash' ? (host.statusBeforeTrash ?? 'publish') : host.status;
}

/**
 * Whether the viewer may fetch the files of an item: only its own privacy restricts that. Files of a hidden entry may have been public
 * before.
 */
export function mayFetchFiles(viewer: Viewer, { author, status }: Pick<Media, 'author' | 'status'>): boolean {
  return status === undefined || mayReadMedia(viewer, { author, status }, null);
}

function isReadable(viewer: Viewer, { inherited, status }: OwnedMedia, host: Host | null): boolean {
  if (inherited !== undefined || status !== undefined || host === null) return false;
  return host.status === 'publish' || mayRead(viewer, kindOf(host.kind), host);
}

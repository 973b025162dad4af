import { post } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import { may, type Viewer } from '#domain/user/roles.ts';

/** The entry that an item is attached to, as far as rights look at it. */
export interface Host {
  readonly status: EntryStatus;
  /** Status from before the trash; null outside of it. */
  readonly statusBeforeTrash: EntryStatus | null;
}

/** Whether the viewer may change or delete a media item: an own one, or any as an editor. */
export function mayEditMedia(viewer: Viewer, { author }: { readonly author: number }): boolean {
  return may(viewer, viewer.id !== 0 && author === viewer.id ? post.rights.create : post.rights.editOthers);
}

/**
 * Whether the viewer may see a media item that is attached to an entry which they may not read. Users see what
 * belongs to an entry that is, or before the trash was, published.
 */
export function mayReadMedia(viewer: Viewer, media: { readonly author: number }, host: Host): boolean {
  if (viewer.id === 0) return false;
  const status = host.status === 'trash' ? (host.statusBeforeTrash ?? 'publish') : host.status;
  if (status === 'publish' || media.author === viewer.id) return true;
  return status === 'private' ? may(viewer, post.rights.readPrivate) : mayEditMedia(viewer, media);
}

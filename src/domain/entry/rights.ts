import { may, type Right, type Viewer } from '#domain/user/roles.ts';
import type { EntryKind } from './kinds.ts';
import type { EntryStatus } from './vocabulary.ts';

/** What rights look at. */
export interface Owned {
  readonly status: EntryStatus;
  readonly author: number;
  /** Status from before the trash; null outside of it. */
  readonly statusBeforeTrash: EntryStatus | null;
}

/** Whether the viewer may change, trash or delete an entry. What is in the trash counts as what it was before. */
export function mayEdit(viewer: Viewer, { rights }: EntryKind, entry: Owned): boolean {
  const status = entry.statusBeforeTrash ?? entry.status;
  if (viewer.id === 0 || entry.author !== viewer.id) {
    return may(viewer, rights.editOthers) && (status !== 'private' || has(viewer, rights.editPrivate));
  }
  return may(viewer, status === 'publish' || status === 'future' ? rights.editPublished : rights.edit);
}

/** Whether the viewer may see an entry in contexts view and embed. */
export function mayRead(viewer: Viewer, kind: EntryKind, entry: Owned): boolean {
  const { read, readPrivate } = kind.rights;
  if (entry.status === 'publish') return read === null || may(viewer, read);
  if (viewer.id === 0) return false;
  if (entry.author === viewer.id) return read === null || may(viewer, read);
  return entry.status === 'private' ? has(viewer, readPrivate) : mayEdit(viewer, kind, entry);
}

/** Whether the viewer's role has a right that may be nobody's. */
export function has(viewer: Viewer, right: Right | null): boolean {
  return right !== null && may(viewer, right);
}

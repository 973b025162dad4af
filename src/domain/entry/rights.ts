import { isForDrafts, may, type Right, type Viewer } from '#domain/user/roles.ts';
import type { EntryKind } from './kinds.ts';
import type { EntryStatus } from './vocabulary.ts';

export interface Owned {
  readonly status: EntryStatus;
  readonly author: number;
  /** Status before the trash; null if not in the trash. */
  readonly statusBeforeTrash: EntryStatus | null;
}

/** Whether the viewer may change, trash or delete an entry. A trashed entry is judged by its earlier status. */
export function mayEdit(viewer: Viewer, { rights }: EntryKind, entry: Owned): boolean {
  const status = entry.statusBeforeTrash ?? entry.status;
  if (viewer.id === 0 || entry.author !== viewer.id) {
    return may(viewer, rights.editOthers) && mayChangeAs(viewer, rights, status);
  }
  if (status === 'private' && isForDrafts(viewer)) return false;
  return may(viewer, isPublic(status) ? rights.editPublished : rights.edit);
}

function mayChangeAs(viewer: Viewer, rights: EntryKind['rights'], status: EntryStatus): boolean {
  if (status === 'private') return has(viewer, rights.editPrivate);
  return !isPublic(status) || may(viewer, rights.editPublished);
}

function isPublic(status: EntryStatus): boolean {
  return status === 'publish' || status === 'future';
}

export function mayRead(viewer: Viewer, kind: EntryKind, entry: Owned): boolean {
  const { read, readPrivate } = kind.rights;
  if (entry.status === 'publish') return read === null || may(viewer, read);
  if (viewer.id === 0) return false;
  if (entry.author === viewer.id) return read === null || may(viewer, read);
  return entry.status === 'private' ? has(viewer, readPrivate) : mayEdit(viewer, kind, entry);
}

export function has(viewer: Viewer, right: Right | null): boolean {
  return right !== null && may(viewer, right);
}

import { may, type Viewer } from '#domain/user/roles.ts';
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
  if (viewer.id === 0 || entry.author !== viewer.id) return may(viewer, rights.editOthers);
  const status = entry.statusBeforeTrash ?? entry.status;
  return may(viewer, status === 'publish' || status === 'future' ? rights.editPublished : rights.create);
}

/** Whether the viewer may see an entry in contexts view and embed. */
export function mayRead(viewer: Viewer, kind: EntryKind, entry: Owned): boolean {
  if (entry.status === 'publish') return true;
  if (viewer.id === 0) return false;
  if (entry.author === viewer.id) return true;
  if (entry.status === 'private') return may(viewer, kind.rights.readPrivate);
  return mayEdit(viewer, kind, entry);
}

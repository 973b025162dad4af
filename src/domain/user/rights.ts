import { may, type Viewer } from './roles.ts';

/** Who may do what with accounts (interface behaviour, section 14). */

interface Account {
  readonly id: number;
  readonly erased: boolean;
}

/** Users may see everything about themselves; about others, if they may edit users. */
export function canSeeAll(viewer: Viewer, id: number): boolean {
  return viewer.id === id || may(viewer, 'edit_users');
}

export function canEditUser(viewer: Viewer, user: Account | undefined): boolean {
  return user?.erased === false && canSeeAll(viewer, user.id);
}

export function canDeleteUser(viewer: Viewer, user: Account | undefined): boolean {
  return user?.erased === false && may(viewer, 'delete_users');
}

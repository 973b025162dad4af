import { asWriter, isAuditor, may, type Viewer } from './roles.ts';

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
  return user?.erased === false && !isAuditor(viewer) && canSeeAll(viewer, user.id);
}

export function canDeleteUser(viewer: Viewer, user: Account | undefined): boolean {
  return user?.erased === false && may(asWriter(viewer), 'delete_users');
}

/** Auditors see no secrets, such as the passwords of posts. */
export function seesSecrets(viewer: Viewer): boolean {
  return !isAuditor(viewer);
}

/** Application passwords are secrets as a whole: how many there are, their names and when they were used. */
export function canManagePasswords(viewer: Viewer, id: number): boolean {
  return seesSecrets(viewer) && canSeeAll(viewer, id);
}

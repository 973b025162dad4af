import { may, type Viewer } from '#domain/user/roles.ts';
import type { TermKind } from './kinds.ts';

/** Who may do what with terms (interface behaviour, section 14). */

export function canView(viewer: Viewer, { rights }: TermKind): boolean {
  return rights.read === null || may(viewer, rights.read);
}

export function canManage(viewer: Viewer, { rights }: TermKind): boolean {
  return may(viewer, rights.manage);
}

/** Posts without another category get the default one, so it stays. */
export function canDeleteTerm(
  viewer: Viewer,
  { kind, id, heir }: { kind: TermKind; id: number; heir: number },
): boolean {
  return canManage(viewer, kind) && id !== heir;
}

import { type EntryKind, entryKinds } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';

/** Users may see everything about themselves; about others, if they may edit users. */
export function canSeeAll(viewer: Viewer, id: number): boolean {
  return viewer.id === id || may(viewer, 'edit_users');
}

export function canEditUser(viewer: Viewer, id: number, model: Model): boolean {
  return (viewer.id === id || may(viewer, 'edit_users')) && model.user(id)?.erased === false;
}

export function canDeleteUser(viewer: Viewer, id: number, model: Model): boolean {
  return may(viewer, 'delete_users') && model.user(id)?.erased === false;
}

export function methodsForUser(viewer: Viewer, id: number, model: Model): readonly string[] {
  return [
    ...(canSee(viewer, id, model) ? ['GET'] : []),
    ...(canEditUser(viewer, id, model) ? ['POST', 'PUT', 'PATCH'] : []),
    ...(canDeleteUser(viewer, id, model) ? ['DELETE'] : []),
  ];
}

export function canSee(viewer: Viewer, id: number, model: Model): boolean {
  if (canSeeAll(viewer, id) || may(viewer, 'list_users')) return true;
  // Published entries per user are known for the present only.
  const now = model.present();
  return (now.user(id)?.published ?? 0) > 0 || entryKinds.some((kind) => hasPrivate(viewer, id, { kind, model: now }));
}

export function hasPublished(id: number, kind: string, model: Model): boolean {
  return counts(model, { kind, status: 'publish', author: id });
}

function hasPrivate(viewer: Viewer, id: number, { kind, model }: { kind: EntryKind; model: Model }): boolean {
  return has(viewer, kind.rights.readPrivate) && counts(model, { kind: kind.name, status: 'private', author: id });
}

function counts(model: Model, { kind, status, author }: { kind: string; status: string; author: number }): boolean {
  const query = { kind, statuses: [{ status, author }], orderBy: 'id', order: 'asc', offset: 0, limit: 1 } as const;
  return model.present().find(query).total > 0;
}

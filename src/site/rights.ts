import { type EntryKind, entryKinds, kindOf } from '#domain/entry/kinds.ts';
import { has, mayEdit, mayRead } from '#domain/entry/rights.ts';
import { mayEditMedia, mayReadMedia } from '#domain/media/rights.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import { canDeleteTerm, canManage, canView } from '#domain/term/rights.ts';
import type { Term } from '#domain/term/state.ts';
import { canDeleteUser, canEditUser, canSeeAll } from '#domain/user/rights.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { typesOf } from './types.ts';

/** Rights of a viewer over the rows of a site. Who may what is decided in `rights.ts` of each subject in the domain. */

export function canEditEntry(viewer: Viewer, row: EntryRow, kind: EntryKind = kindOf(row.kind)): boolean {
  return mayEdit(viewer, kind, owned(row));
}

export function canReadEntry(viewer: Viewer, row: EntryRow, kind: EntryKind = kindOf(row.kind)): boolean {
  return mayRead(viewer, kind, owned(row));
}

export function methodsForEntry(viewer: Viewer, row: EntryRow): readonly string[] {
  const methods = canReadEntry(viewer, row) ? ['GET'] : [];
  if (!canEditEntry(asWriter(viewer), row)) return methods;
  return [...methods, 'POST', 'PUT', 'PATCH', ...(viewer.token === undefined ? ['DELETE'] : [])];
}

/** What permissions depend on in an entry; null if it does not exist. */
function standingOf(row: EntryRow | undefined) {
  return row === undefined ? null : { kind: row.kind, ...owned(row) };
}

function owned(row: EntryRow) {
  return { status: row.status, author: row.author, statusBeforeTrash: row.trashed?.status ?? null };
}

/** Whether a viewer may edit anything at all. */
export function mayEditSomething(viewer: Viewer): boolean {
  return may(viewer, kindOf('post').rights.edit);
}

/** The past of what is not one's own is for users who may edit the posts of others. */
export function mayReadPast(viewer: Viewer): boolean {
  return may(viewer, kindOf('post').rights.editOthers);
}

export function canEditMedia(viewer: Viewer, row: MediaRow): boolean {
  return mayEditMedia(viewer, row);
}

export function canReadMedia(viewer: Viewer, row: MediaRow, model: Model): boolean {
  return mayReadMedia(viewer, row, standingOf(row.parent === 0 ? undefined : model.entry(row.parent)));
}

/** Whether the item itself is not public, so that nothing public shows it. */
export function isPrivate({ status, inherited }: MediaRow): boolean {
  return status !== undefined || inherited !== undefined;
}

/** Whether pages show the item to the viewer. */
export function showsMedia(viewer: Viewer, row: MediaRow, model: Model): boolean {
  return !isPrivate(row) || canReadMedia(viewer, row, model);
}

export function methodsForMedia(viewer: Viewer, row: MediaRow, model: Model): readonly string[] {
  const methods = canReadMedia(viewer, row, model) ? ['GET'] : [];
  return canEditMedia(asWriter(viewer), row) ? [...methods, 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
}

export function methodsForTerm(reader: Viewer, of: { kind: TermKind; term: Term; model: Model }): readonly string[] {
  const shown = canView(reader, of.kind) ? ['GET'] : [];
  const viewer = asWriter(reader);
  const methods = canManage(viewer, of.kind) ? [...shown, 'POST', 'PUT', 'PATCH'] : shown;
  const { kind, term, model } = of;
  const isDeletable = canDeleteTerm(viewer, { kind, id: term.id, heir: model.site().defaultCategory });
  return isDeletable ? [...methods, 'DELETE'] : methods;
}

export function methodsForUser(viewer: Viewer, id: number, model: Model): readonly string[] {
  return [
    ...(canSee(viewer, id, model) ? ['GET'] : []),
    ...(canEditUser(viewer, model.user(id)) ? ['POST', 'PUT', 'PATCH'] : []),
    ...(canDeleteUser(viewer, model.user(id)) ? ['DELETE'] : []),
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

export function maySeeEditors(viewer: Viewer, model: Model): boolean {
  return typesOf(model).some(({ edit }) => may(viewer, edit));
}

import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { mayEdit, mayRead } from '#domain/entry/rights.ts';
import { asWriter, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';

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
export function standingOf(row: EntryRow | undefined) {
  return row === undefined ? null : { kind: row.kind, ...owned(row) };
}

function owned(row: EntryRow) {
  return { status: row.status, author: row.author, statusBeforeTrash: row.trashed?.status ?? null };
}

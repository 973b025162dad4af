import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { findEntry } from '../entries/permissions.ts';

/** Permissions for revisions and autosaves (interface behaviour, sections 19 and 20): they require the right to edit the entry. */

type Permission = (call: Call<Model>) => Refusal | null;

/** `name`: the parameter with the id of the entry. */
export const mayReadRevision =
  (kind: EntryKind, name = 'parent'): Permission =>
  (call) => {
    const parent = findParent(call, kind, name);
    if (isRefusal(parent)) return parent;
    return canEditEntry(call.viewer, parent)
      ? null
      : refuse('rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
  };

/** Revisions cannot be trashed: without `force`, `Allow` does not include DELETE. */
export const mayDeleteRevision =
  (kind: EntryKind): Permission =>
  (call) => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    if (!canEditEntry(call.viewer, parent)) {
      return refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete revisions of this post.');
    }
    const revision = findRevision(call, parent);
    if (isRefusal(revision)) return revision;
    return call.params['force'] === true
      ? null
      : refuse('rest_trash_not_supported', "Revisions do not support trashing. Set 'force=true' to delete.");
  };

export const mayRestore =
  (kind: EntryKind): Permission =>
  (call) => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    if (!canEditEntry(call.viewer, parent)) {
      return refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    }
    const revision = findRevision(call, parent);
    return isRefusal(revision) ? revision : null;
  };

export function findParent(call: Call<Model>, kind: EntryKind, name = 'parent'): EntryRow | Refusal {
  const row = findEntry(call, kind, name);
  return isRefusal(row) ? refuse('rest_post_invalid_parent', 'Invalid post parent ID.') : row;
}

export function findRevision({ params, model }: Call<Model>, parent: EntryRow, name = 'id'): RevisionRow | Refusal {
  const row = model.revision(idFrom(params[name]));
  if (row === undefined) return refuse('rest_post_invalid_id', 'Invalid revision ID.');
  return row.parent === parent.id
    ? row
    : refuse(
        'rest_revision_parent_id_mismatch',
        `The revision does not belong to the parent with the id ${parent.id}.`,
      );
}

import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';
import { findEntry } from '../entries/find.ts';

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

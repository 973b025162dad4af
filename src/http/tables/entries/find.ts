import type { EntryKind } from '#domain/entry/kinds.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';

export function findEntry(call: Call<Model>, kind: EntryKind, name = 'id'): EntryRow | Refusal {
  const row = call.model.entry(idFrom(call.params[name]));
  return row?.kind === kind.name ? row : refuse('rest_post_invalid_id', 'Invalid post ID.');
}

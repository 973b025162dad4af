import type { EntryKind } from '#domain/entry/kinds.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../../engine/types.ts';

/** The id in a parameter, checked or not; 0 if it is not an id. */
export function numberOf(value: unknown): number {
  const id = typeof value === 'string' ? Number(value.trim()) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : 0;
}

export function findEntry(call: Call<Model>, kind: EntryKind, name = 'id'): EntryRow | Refusal {
  const row = call.model.entry(numberOf(call.params[name]));
  return row?.kind === kind.name ? row : refuse('rest_post_invalid_id', 'Invalid post ID.');
}

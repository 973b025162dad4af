import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';

export function findTerm({ params, model }: Call<Model>, kind: TermKind): TermRow | Refusal {
  const id = idFrom(params['id']);
  const row = id > 0 ? model.term(id) : undefined;
  return row?.taxonomy === kind.name ? row : refuse('rest_term_invalid', 'Term does not exist.');
}

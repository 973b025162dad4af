import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/model.ts';
import type { UserRow } from '#projections/users.ts';
import type { Call } from '../../engine/types.ts';
import { numberOf } from '../entries/find.ts';

/** The user that the parameters name. */
export function findUser({ params, model }: Call<Model>): UserRow | Refusal {
  const id = numberOf(params['id']);
  return (id > 0 ? model.user(id) : undefined) ?? refuse('rest_user_invalid_id', 'Invalid user ID.');
}

import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';

export type FindUser = (call: Call<Model>) => UserRow | Refusal;

export const findUser: FindUser = ({ params, model }) => userOr(model, idFrom(params['id']));

export const findMe: FindUser = ({ viewer, model }) => userOr(model, viewer.id);

function userOr(model: Model, id: number): UserRow | Refusal {
  return (id > 0 ? model.user(id) : undefined) ?? refuse('rest_user_invalid_id', 'Invalid user ID.');
}

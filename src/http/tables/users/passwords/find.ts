import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { ApplicationPassword } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { idFrom } from '../../../engine/ids.ts';
import type { Call } from '../../../engine/types.ts';

/** The account whose passwords a request is about: by its number, or the viewer's own. */
export function accountOf({ params, viewer, model }: Call<Model>): UserRow | Refusal {
  if (params['user_id'] !== 'me') {
    return model.user(idFrom(params['user_id'])) ?? refuse('rest_user_invalid_id', 'Invalid user ID.');
  }
  const user = viewer.id === 0 ? undefined : model.user(viewer.id);
  return user ?? refuse('rest_not_logged_in', 'You are not currently logged in.');
}

export function accountPassword(user: UserRow, { params }: Call<Model>): ApplicationPassword | undefined {
  return user.passwords.find(({ id }) => id === params['uuid']);
}

export function mayManage({ viewer }: Call<Model>, user: UserRow): boolean {
  return viewer.id === user.id || may(viewer, 'edit_users');
}

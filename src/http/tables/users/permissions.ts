import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { canDeleteUser, canEditUser, canSeeAll } from '#domain/user/rights.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { canSee } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { isEmpty } from '../entries/permissions.ts';

/** Permissions for accounts; the first refusal that applies is returned. */

export type FindUser = (call: Call<Model>) => UserRow | Refusal;

export function mayListUsers({ params, viewer }: Call<Model>): Refusal | null {
  const lists = may(viewer, 'list_users');
  if (isGiven(params['roles']) && !lists) {
    return refuse('rest_user_cannot_view', 'Sorry, you are not allowed to filter users by role.');
  }
  if (isGiven(params['capabilities']) && !lists) {
    return refuse('rest_user_cannot_view', 'Sorry, you are not allowed to filter users by capability.');
  }
  if (params['context'] === 'edit' && !lists) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit users.');
  }
  if (['email', 'registered_date'].includes(String(params['orderby'])) && !lists) {
    return refuse('rest_forbidden_orderby', 'Sorry, you are not allowed to order users by this parameter.');
  }
  return params['who'] === 'authors' && !may(viewer, 'edit_posts')
    ? refuse('rest_forbidden_who', 'Sorry, you are not allowed to query users by this parameter.')
    : null;
}

export function mayShowUser(call: Call<Model>): Refusal | null {
  const user = findUser(call);
  if (isRefusal(user)) return user;
  const { params, viewer, model } = call;
  if (params['context'] === 'edit' && !canSeeAll(viewer, user.id)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this user.');
  }
  return canSee(viewer, user.id, model)
    ? null
    : refuse('rest_user_cannot_view', 'Sorry, you are not allowed to list users.');
}

export function mayCreateUser({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'create_users')
    ? null
    : refuse('rest_cannot_create_user', 'Sorry, you are not allowed to create new users.');
}

export const mayUpdateUser =
  (find: FindUser) =>
  (call: Call<Model>): Refusal | null => {
    const user = find(call);
    if (isRefusal(user)) return user;
    const { params, viewer } = call;
    // The right is required even if the user already has these roles.
    if (isGiven(params['roles']) && !may(viewer, 'promote_users')) {
      return refuse('rest_cannot_edit_roles', 'Sorry, you are not allowed to edit roles of this user.');
    }
    return canEditUser(viewer, user)
      ? null
      : refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this user.');
  };

export const mayDeleteUser =
  (find: FindUser) =>
  (call: Call<Model>): Refusal | null => {
    const user = find(call);
    if (isRefusal(user)) return user;
    return canDeleteUser(call.viewer, user)
      ? null
      : refuse('rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.');
  };

function isGiven(list: unknown): boolean {
  return !isEmpty(list);
}

export const findUser: FindUser = ({ params, model }) => userOr(model, idFrom(params['id']));

export const findMe: FindUser = ({ viewer, model }) => userOr(model, viewer.id);

function userOr(model: Model, id: number): UserRow | Refusal {
  return (id > 0 ? model.user(id) : undefined) ?? refuse('rest_user_invalid_id', 'Invalid user ID.');
}

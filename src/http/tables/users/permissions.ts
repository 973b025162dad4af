import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../../engine/types.ts';
import { findUser } from './find.ts';
import { canSee, canSeeAll } from './policy.ts';

/** Who may see which accounts; the first reason that applies is the answer. */

export function mayList({ params, viewer }: Call<Model>): Refusal | null {
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

export function mayShow(call: Call<Model>): Refusal | null {
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

function isGiven(list: unknown): boolean {
  return list !== undefined && list !== null && list !== '' && !(Array.isArray(list) && list.length === 0);
}

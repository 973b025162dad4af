import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may, type Right } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call } from '../../../engine/types.ts';

const rights = {
  public: null,
  user: 'read',
  editPosts: 'edit_posts',
  editOthers: 'edit_others_posts',
  admin: 'manage_options',
} as const satisfies Record<string, Right | null>;
export type Access = keyof typeof rights;

export type Permission = (call: Call<Model>) => Refusal | null;

const DENIED = refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');

export function permissionFor(access: Access): Permission {
  const right = rights[access];
  return ({ viewer }) => (right === null || may(viewer, right) ? null : DENIED);
}

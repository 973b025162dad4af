import { menuItem } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../../engine/types.ts';
import { findEntry } from '../entries/find.ts';
import { mayList, mayLookBack } from '../entries/permissions.ts';
import { canEdit, canRead } from '../entries/policy.ts';

/** Who may see items of menus (interface behaviour, section 30); the first reason that applies is the answer. */

type Permission = (call: Call<Model>) => Refusal | null;

export const mayListItems: Permission = (call) => mayList(menuItem)(call) ?? mayView(call.viewer) ?? mayLookBack(call);

/** What is not published is forbidden to all but those who edit it, before others are told that they see none at all. */
export const mayShowItem: Permission = (call) => {
  const row = findEntry(call, menuItem);
  if (isRefusal(row)) return row;
  const { params, viewer } = call;
  if (params['context'] === 'edit' && !canEdit(viewer, row)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
  }
  if (row.status !== 'publish' && !canRead(viewer, row)) {
    return refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  }
  return mayView(viewer) ?? mayLookBack(call);
};

function mayView(viewer: Viewer): Refusal | null {
  return has(viewer, menuItem.rights.read)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view menu items.');
}

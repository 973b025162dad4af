import { menuItem } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry, canReadEntry } from '#site/rights/entries.ts';
import type { Call } from '../../engine/types.ts';
import { findEntry } from '../entries/find.ts';
import { mayListEntrys } from '../entries/permissions.ts';

/** Permissions for menu items (interface behaviour, section 30); the first refusal that applies is returned. */

type Permission = (call: Call<Model>) => Refusal | null;

export const mayListItems: Permission = (call) => mayListEntrys(menuItem)(call) ?? mayView(call.viewer);

/** An unpublished item is refused as such, before the viewer is refused all menu items. */
export const mayShowItem: Permission = (call) => {
  const row = findEntry(call, menuItem);
  if (isRefusal(row)) return row;
  const { params, viewer } = call;
  if (params['context'] === 'edit' && !canEditEntry(viewer, row)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
  }
  if (row.status !== 'publish' && !canReadEntry(viewer, row)) {
    return refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  }
  return mayView(viewer);
};

function mayView(viewer: Viewer): Refusal | null {
  return has(viewer, menuItem.rights.read)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view menu items.');
}

import { mayEditMedia, mayReadMedia } from '#domain/media/rights.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import { canRead } from '../entries/policy.ts';

/** Rights of a viewer over one media item of the read model. */

export function canEditMedia(viewer: Viewer, row: MediaRow): boolean {
  return mayEditMedia(viewer, row);
}

/** What is attached to an entry is as open as that; anything else is open to all (interface behaviour, section 22). */
export function canReadMedia(viewer: Viewer, row: MediaRow, model: Model): boolean {
  const host = row.parent === 0 ? undefined : model.entry(row.parent);
  if (host === undefined || canRead(viewer, host)) return true;
  return mayReadMedia(viewer, row, { status: host.status, statusBeforeTrash: host.trashed?.status ?? null });
}

/** Methods the viewer may use on the item, in the order in which they are listed. */
export function allowedMethods(viewer: Viewer, row: MediaRow, model: Model): readonly string[] {
  const methods = canReadMedia(viewer, row, model) ? ['GET'] : [];
  return canEditMedia(viewer, row) ? [...methods, 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
}

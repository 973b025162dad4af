import { mayEditMedia, mayReadMedia } from '#domain/media/rights.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { standingOf } from './entries.ts';

export function canEditMedia(viewer: Viewer, row: MediaRow): boolean {
  return mayEditMedia(viewer, row);
}

export function canReadMedia(viewer: Viewer, row: MediaRow, model: Model): boolean {
  return mayReadMedia(viewer, row, standingOf(row.parent === 0 ? undefined : model.entry(row.parent)));
}

/** Whether the item itself is not public, so that nothing public shows it. */
export function isPrivate({ status, inherited }: MediaRow): boolean {
  return status !== undefined || inherited !== undefined;
}

export function methodsForMedia(viewer: Viewer, row: MediaRow, model: Model): readonly string[] {
  const methods = canReadMedia(viewer, row, model) ? ['GET'] : [];
  return canEditMedia(viewer, row) ? [...methods, 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
}

import { post } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { media } from '#projections/media/definition.ts';
import type { Model, PresentModel } from '#projections/reading/model.ts';
import { canReadMedia } from '#site/rights/media.ts';
import type { Call } from '../../engine/types.ts';

const known = new WeakMap<PresentModel, { readonly position: number; readonly ids: readonly number[] }>();

/** Items that the viewer may not read. */
export function unseenMedia({ model, viewer }: Call<Model>): readonly number[] {
  if (has(viewer, post.rights.readPrivate) && has(viewer, post.rights.editOthers)) return [];
  return guardedIn(model.present()).filter((id) => {
    const row = model.media(id);
    return row !== undefined && !canReadMedia(viewer, row, model);
  });
}

function guardedIn(model: PresentModel): readonly number[] {
  const { position } = model;
  const kept = known.get(model);
  if (kept?.position === position) return kept.ids;
  const ids = model.of(media).guarded();
  known.set(model, { position, ids });
  return ids;
}

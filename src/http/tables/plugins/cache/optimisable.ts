import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/model.ts';

/** Types of images that optimisers take. */
const types: readonly string[] = ['image/jpeg', 'image/png', 'image/gif'];

export function isOptimisable(model: Model, id: number): boolean {
  return types.includes(model.media(id)?.type ?? '');
}

export function optimisableImages(model: Model): readonly number[] {
  return model.present().find({
    kind: mediaKind,
    statuses: [{ status: mediaStatus }],
    taxonomies: [{ by: 'format', formats: types }],
    orderBy: 'id',
    order: 'asc',
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }).ids;
}

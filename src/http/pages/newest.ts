import type { CollectionQuery } from '#projections/collection/types.ts';
import type { Model } from '#projections/model.ts';

/** Ids of the newest published posts that fit a query. */
export function newest(query: Partial<CollectionQuery>, limit: number, model: Model): readonly number[] {
  return published({ limit, ...query, stickyFirst: false }, model).ids;
}

/** Published posts that fit a query, or entries of another kind. */
export function published(query: Partial<CollectionQuery>, model: Model) {
  return model.present().find({
    kind: 'post',
    statuses: [{ status: 'publish' }],
    orderBy: 'date',
    order: 'desc',
    offset: 0,
    limit: 10,
    ...query,
  });
}

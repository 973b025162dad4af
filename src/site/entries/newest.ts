import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';

export function newest(query: Partial<CollectionQuery>, limit: number, model: Model): readonly number[] {
  return published({ limit, ...query, stickyFirst: false }, model).ids;
}

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

import { isRefusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery, Found } from '#projections/collection/types.ts';
import type { Model } from '#projections/model.ts';

/** The result of a query; empty if it is asynchronous, as it may be in the past. */
export function foundNow(query: CollectionQuery, model: Model): Found {
  const found = model.find(query);
  return found instanceof Promise || isRefusal(found) ? { ids: [], total: 0 } : found;
}

export function publishedMenus(model: Model): readonly number[] {
  return publishedPosts({ kind: 'wp_navigation', limit: 1 }, model);
}

export function publishedPosts(query: Partial<CollectionQuery>, model: Model): readonly number[] {
  const all = { kind: 'post', statuses: [{ status: 'publish' }], orderBy: 'date', order: 'desc' } as const;
  return foundNow({ ...all, offset: 0, limit: 10, ...query }, model).ids;
}

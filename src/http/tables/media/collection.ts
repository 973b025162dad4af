import { allowedTypes, mainType } from '#domain/media/types.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call } from '../../engine/types.ts';
import { authorFilters, parentFilters, sharedQuery } from '../entries/collection.ts';
import { asStatuses } from '../entries/statuses.ts';
import { unseenMedia } from './unseen.ts';

/** Converts the parameters of the media collection to a query (interface behaviour, sections 16 and 22). */
export function mediaQuery(call: Call<Model>): CollectionQuery {
  const named = asStatuses(call.params['status']);
  const types = wantedTypes(call.params);
  return {
    ...sharedQuery(call),
    ...authorFilters(call),
    ...parentFilters(call),
    ...(asksForWords(call) ? { without: unseenMedia(call) } : {}),
    kind: mediaKind,
    statuses: (named.length === 0 ? [mediaStatus] : named).map((status) => ({ status })),
    ...(types.length === 0 ? {} : { taxonomies: [{ by: 'format', formats: types }] }),
  };
}

function asksForWords({ sent }: Call<Model>): boolean {
  return sent('search') !== undefined || sent('slug') !== undefined;
}

/** Types that match either parameter; unknown ones do not filter. */
function wantedTypes(params: Readonly<Record<string, unknown>>): readonly string[] {
  const [main, exact] = [listOf(params['media_type']), listOf(params['mime_type'])];
  return allowedTypes.filter((type) => main.includes(mainType(type)) || exact.includes(type));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

import { post } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { allowedTypes, mainType } from '#domain/media/types.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaLink, mediaUrl } from '#site/addresses/items.ts';
import { canEditMedia, canReadMedia } from '#site/rights.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { asStatuses } from '../entries/checks.ts';
import { authorFilters, parentFilters, sharedQuery } from '../entries/collection.ts';
import { alternate, impossible, pagingOf } from '../entries/reads.ts';
import { pagingHeaders } from '../records/listing.ts';
import { renderingOf } from '../rendering.ts';
import { mediaRecord } from './fields.ts';
import { findMedia } from './permissions.ts';
import type { MediaShowing } from './showing.ts';

export function showMedia(call: Call<Model>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  const how = showing(call);
  return {
    body: { kind: 'record', record: mediaRecord(row, how) },
    dependsOnMore: () => how.rendering.dependsOn,
    version: String(row.touched),
    headers: { Link: alternate(mediaLink(row, call.model, call.viewer)) },
  };
}

export function listMedia(call: Call<Model>): Answer | Refusal {
  const { params, model, viewer } = call;
  const refusal = impossible(params);
  if (refusal !== null) return refusal;
  const query = mediaQuery(call);
  const found = model.present().find(query);
  const paging = pagingOf(call, query, found);
  if (isRefusal(paging)) return paging;
  const isEdit = params['context'] === 'edit';
  const rows = found.ids.flatMap((id) => model.media(id) ?? []);
  const shown = rows.filter((row) => (isEdit ? canEditMedia(viewer, row) : canReadMedia(viewer, row, model)));
  const how = showing(call);
  return {
    body: { kind: 'list', records: shown.map((row) => mediaRecord(row, how)) },
    headers: pagingHeaders(call, { ...paging, url: mediaUrl(model), prefix: model.site().names.headers }),
    dependsOnMore: () => how.rendering.dependsOn,
  };
}

function showing(call: Call<Model>): MediaShowing {
  const { params, viewer, model } = call;
  return { context: params['context'] as Context, viewer, model, rendering: renderingOf(call) };
}

/** Converts the parameters of the media collection to a query (interface behaviour, sections 16 and 22). */
function mediaQuery(call: Call<Model>): CollectionQuery {
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

/** Items that the viewer may not read. */
function unseenMedia({ model, viewer }: Call<Model>): readonly number[] {
  if (has(viewer, post.rights.readPrivate) && has(viewer, post.rights.editOthers)) return [];
  return model
    .present()
    .guardedMedia()
    .filter((id) => {
      const row = model.media(id);
      return row !== undefined && !canReadMedia(viewer, row, model);
    });
}

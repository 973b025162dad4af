import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaLink, mediaUrl } from '#site/addresses/media.ts';
import { canEditMedia, canReadMedia } from '#site/rights/media.ts';
import { pagingHeaders } from '../../engine/paging.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { alternate, impossible, pagingOf } from '../entries/queries.ts';
import { renderingOf } from '../rendering-of.ts';
import { mediaQuery } from './collection.ts';
import { mediaRecord } from './fields.ts';
import { findMedia } from './find.ts';
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

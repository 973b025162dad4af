import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { canReadComment } from '#site/comments/rights.ts';
import { mapMaybeAsync } from '../../engine/map-maybe-async.ts';
import { pagingHeaders } from '../../engine/paging.ts';
import { parseSelection } from '../../engine/select.ts';
import type { Answer, Call, Context, Rec } from '../../engine/types.ts';
import { commentQuery } from './collection.ts';
import { commentRecord } from './fields.ts';
import { findComment } from './find.ts';
import { sentPassword } from './permissions.ts';
import type { CommentShowing } from './showing.ts';

type SlowQuery = (call: Call<Model>) => Answer | Refusal | Promise<Answer | Refusal>;

export function showComment(call: Call<Model>): Answer | Refusal {
  const row = findComment(call);
  return isRefusal(row) ? row : shownComment(call, row, call.params['context'] as Context);
}

export const listComments: SlowQuery = (call) =>
  mapMaybeAsync(call.model.comments.find(commentQuery(call)), (found) => pageOf(call, found));

export function shownComment(call: Call<Model>, row: CommentRow, context: Context): Answer {
  const record = recordIn(context, call, row);
  return { body: { kind: 'record', record }, version: String(row.touched) };
}

export function recordIn(context: Context, call: Call<Model>, row: CommentRow): Rec {
  const { viewer, model } = call;
  return withoutParts(call, commentRecord(row, { context, viewer, model } satisfies CommentShowing));
}

export function commentsUrl(model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/comments`;
}

function pageOf(call: Call<Model>, { ids, total }: Found): Answer {
  const { params, model, viewer } = call;
  const isOne = Array.isArray(params['post']) && params['post'].length === 1;
  const password = isOne ? sentPassword(call) : '';
  const context = params['context'] as Context;
  const rows = ids.flatMap((id) => model.comments.get(id) ?? []);
  const readable = rows.filter((row) => canReadComment(viewer, row, model, password));
  const pages = Math.ceil(total / Number(params['per_page']));
  const place = { url: commentsUrl(model), prefix: model.site().names.headers, total, pages };
  return {
    body: { kind: 'list', records: readable.map((row) => recordIn(context, call, row)) },
    headers: pagingHeaders(call, { ...place, page: Number(params['page']) }),
  };
}

/** Omits fields of which only a part is selected (interface behaviour, section 35). */
function withoutParts({ sent }: Call<Model>, record: Rec): Rec {
  const selection = parseSelection(sent('_fields'));
  if (selection === null) return record;
  const names = record.names.filter((name) => name === '_links' || typeof (selection.get(name) ?? true) === 'boolean');
  return { names, json: (name) => record.json(name) };
}

import type { CommentKind, CommentStatus } from '#domain/comment/vocabulary.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { resolveDate } from '#domain/time/local.ts';
import { may } from '#domain/user/roles.ts';
import type { CommentOrder, CommentQuery, CommentRow } from '#projections/comments/types.ts';
import type { Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { canReadComment } from '#site/comments.ts';
import { foldText } from '#text/fold.ts';
import { parseSelection } from '../../engine/call.ts';
import type { Answer, Call, Context, Rec } from '../../engine/types.ts';
import { listIn, pagingHeaders } from '../records/listing.ts';
import { type CommentShowing, commentRecord } from './fields.ts';
import { findComment, sentPassword, wordOf } from './permissions.ts';

export function showComment(call: Call<Model>): Answer | Refusal {
  const row = findComment(call);
  return isRefusal(row) ? row : shownComment(call, row, call.params['context'] as Context);
}

export function listComments(call: Call<Model>): Answer {
  return pageOf(call, call.model.comments.find(commentQuery(call)));
}

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

/** Converts the parameters of a collection to a query (interface behaviour, section 35). */
function commentQuery(call: Call<Model>): CommentQuery {
  const { params, model, viewer } = call;
  const zone = model.site().timezone;
  const time = (name: string) =>
    typeof params[name] === 'string' ? resolveDate(params[name], 'date', zone)?.local : undefined;
  const perPage = Number(params['per_page']);
  const offset = Math.abs(Number(params['offset'] ?? 0));
  const [after, before] = [time('after'), time('before')];
  const { author_email: email, search } = params;
  return {
    ...listed(call, 'include'),
    ...listed(call, 'exclude'),
    ...listed(call, 'post', 'posts'),
    ...listed(call, 'parent', 'parents'),
    ...listed(call, 'parent_exclude', 'notParents'),
    ...listed(call, 'author', 'authors'),
    ...listed(call, 'author_exclude', 'notAuthors'),
    ...(typeof email === 'string' && email !== '' ? { email: foldText(email) } : {}),
    ...(typeof search === 'string' && search !== '' ? { search: foldText(search) } : {}),
    // Who does not see addresses must not find comments by them either.
    searchesPersonal: may(viewer, 'moderate_comments'),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    statuses: statusesNamed(wordOf(params['status'])),
    kinds: kindsNamed(wordOf(params['type'])),
    orderBy: orderNamed(String(params['orderby'])),
    order: params['order'] === 'asc' ? 'asc' : 'desc',
    offset: offset === 0 ? (Number(params['page']) - 1) * perPage : offset,
    limit: perPage,
  };
}

const statuses: Readonly<Record<string, readonly CommentStatus[] | null>> = {
  approve: ['approved'],
  '1': ['approved'],
  hold: ['hold'],
  '0': ['hold'],
  spam: ['spam'],
  trash: ['trash'],
  'post-trashed': ['post-trashed'],
  all: ['approved', 'hold'],
  '': ['approved', 'hold'],
  any: null,
};

function statusesNamed(word: string): readonly CommentStatus[] | null {
  return Object.hasOwn(statuses, word) ? (statuses[word] ?? null) : [];
}

function kindsNamed(word: string): readonly CommentKind[] | null {
  if (word === 'all') return null;
  if (word === 'note') return ['note'];
  return ['', 'comment', 'comments'].includes(word) ? ['comment'] : [];
}

function orderNamed(orderBy: string): CommentOrder {
  return orderBy === 'type' ? 'kind' : (orderBy as CommentOrder);
}

type ListName = 'include' | 'exclude' | 'posts' | 'parents' | 'notParents' | 'authors' | 'notAuthors';

function listed(call: Call<Model>, name: string, member = name as ListName): Partial<CommentQuery> {
  const list = listIn<number>(call, name);
  return list === undefined ? {} : { [member]: list.map(Math.abs) };
}

import type { CommentKind, CommentStatus } from '#domain/comment/vocabulary.ts';
import { resolveDate } from '#domain/time/local.ts';
import type { CommentOrder, CommentQuery } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { foldText } from '#text/fold.ts';
import { listIn } from '../../engine/listing.ts';
import type { Call } from '../../engine/types.ts';

/** Converts the parameters of a collection to a query (interface behaviour, section 35). */
export function commentQuery(call: Call<Model>): CommentQuery {
  const { params, model } = call;
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

/** Normalises a status or type: lower case, without punctuation. */
export function wordOf(sent: unknown): string {
  return typeof sent === 'string' ? sent.toLowerCase().replace(/[^a-z0-9_-]/g, '') : '';
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

import {
  type EntryOrder,
  type EntryQuery,
  type PluginCall,
  type PluginReader,
  type TermCondition,
  z,
} from 'palimpsest/plugin';
import { lenientParam } from './fields.ts';
import { allStatuses } from './vocabulary.ts';

/** Parameters of `get_posts`. */

const hidden = { hidden: true } as const;
const ids = z.array(z.int()).max(1000);
const orders = {
  date: 'date',
  modified: 'modified',
  ID: 'id',
  id: 'id',
  author: 'author',
  title: 'title',
  name: 'slug',
  parent: 'parent',
  menu_order: 'menu_order',
  post__in: 'include',
  relevance: 'relevance',
} as const satisfies Readonly<Record<string, EntryOrder>>;
const orderNames = Object.keys(orders) as (keyof typeof orders)[];

const postType = lenientParam('post_type', z.enum(['post', 'page', 'product']), hidden);
const perPage = lenientParam('posts_per_page', z.int().min(1).max(100), hidden);
const paged = lenientParam('paged', z.int().min(1).max(1_000_000), hidden);
const offset = lenientParam('offset', z.int().min(0).max(1_000_000_000), hidden);
const order = lenientParam('order', z.enum(['ASC', 'DESC', 'asc', 'desc']), hidden);
const orderby = lenientParam('orderby', z.enum(orderNames), hidden);
const search = lenientParam('s', z.string().max(1000), hidden);
const status = lenientParam('post_status', z.array(z.enum([...allStatuses, 'any'])), hidden);
const cat = lenientParam('cat', ids, hidden);
const included = lenientParam('post__in', ids, hidden);
const excluded = lenientParam('post__not_in', ids, hidden);
const termFields = [
  { field: lenientParam('category__in', ids, hidden), mode: 'any' },
  { field: lenientParam('category__not_in', ids, hidden), mode: 'none' },
  { field: lenientParam('tag__in', ids, hidden), mode: 'any' },
  { field: lenientParam('tag__not_in', ids, hidden), mode: 'none' },
] as const;
export const maxExcerpt = lenientParam('max_excerpt', z.int().min(0).max(10_000), hidden);

export const postsFields = [
  ...[postType, perPage, paged, offset, order, orderby, search, status, cat, included, excluded, maxExcerpt],
  ...termFields.map(({ field }) => field),
];

export function postsQuery(call: PluginCall<PluginReader>): EntryQuery {
  const limit = perPage.of(call) ?? 10;
  const [include, exclude, text] = [included.of(call), excluded.of(call), search.of(call)];
  return {
    kind: postType.of(call) ?? 'post',
    statuses: statusesFor(call, status.of(call) ?? []),
    orderBy: orderBy(call),
    order: (order.of(call) ?? 'DESC').toLowerCase() === 'asc' ? 'asc' : 'desc',
    offset: offset.of(call) ?? ((paged.of(call) ?? 1) - 1) * limit,
    limit,
    ...(include === undefined || include.length === 0 ? {} : { include }),
    ...(exclude === undefined || exclude.length === 0 ? {} : { exclude }),
    terms: termConditions(call),
    // Those who may not open a protected entry must not find it by its words either.
    ...(text === undefined ? {} : { search: { text, skipProtected: !call.may('editOthers') } }),
  };
}

function orderBy(call: PluginCall<PluginReader>): EntryOrder {
  const wanted = orders[orderby.of(call) ?? 'date'];
  if (wanted === 'relevance' && !search.of(call)) return 'date';
  return wanted === 'include' && (included.of(call) ?? []).length === 0 ? 'date' : wanted;
}

function statusesFor({ user, may }: PluginCall<PluginReader>, named: readonly string[]) {
  if (named.length === 0) return [{ status: 'publish' }];
  const all = named.flatMap((one) => (one === 'any' ? allStatuses.filter((each) => each !== 'trash') : [one]));
  return [...new Set(all)].map((one) =>
    one === 'publish' || may('editOthers') ? { status: one } : { status: one, author: user },
  );
}

/** A negative category is excluded. */
function termConditions(call: PluginCall<PluginReader>): readonly TermCondition[] {
  const categories = cat.of(call) ?? [];
  const wanted = categories.filter((id) => id > 0);
  const unwanted = categories.filter((id) => id < 0).map((id) => -id);
  const all: readonly TermCondition[] = [
    { mode: 'any', terms: wanted, below: true },
    { mode: 'none', terms: unwanted, below: true },
    ...termFields.map(({ field, mode }) => ({ mode, terms: field.of(call) ?? [] })),
  ];
  return all.filter(({ terms }) => terms.length > 0);
}

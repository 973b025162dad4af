import { z } from 'zod';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import { searchFor } from '#projections/collection/search-query.ts';
import type { CollectionQuery, OrderBy, TaxonomyFilter } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import type { Call } from '../../../engine/types.ts';
import { lenient } from '../kit/field.ts';

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
} as const satisfies Readonly<Record<string, OrderBy>>;
const orderNames = Object.keys(orders) as (keyof typeof orders)[];

const postType = lenient('post_type', z.enum(['post', 'page', 'product']), hidden);
const perPage = lenient('posts_per_page', z.int().min(1).max(100), hidden);
const paged = lenient('paged', z.int().min(1).max(1_000_000), hidden);
const offset = lenient('offset', z.int().min(0).max(1_000_000_000), hidden);
const order = lenient('order', z.enum(['ASC', 'DESC', 'asc', 'desc']), hidden);
const orderby = lenient('orderby', z.enum(orderNames), hidden);
const search = lenient('s', z.string().max(1000), hidden);
const status = lenient('post_status', z.array(z.enum([...entryStatuses, 'any'])), hidden);
const cat = lenient('cat', ids, hidden);
const included = lenient('post__in', ids, hidden);
const excluded = lenient('post__not_in', ids, hidden);
const termFields = [
  { field: lenient('category__in', ids, hidden), mode: 'any' },
  { field: lenient('category__not_in', ids, hidden), mode: 'none' },
  { field: lenient('tag__in', ids, hidden), mode: 'any' },
  { field: lenient('tag__not_in', ids, hidden), mode: 'none' },
] as const;
export const maxExcerpt = lenient('max_excerpt', z.int().min(0).max(10_000), hidden);

export const postsFields = [
  ...[postType, perPage, paged, offset, order, orderby, search, status, cat, included, excluded, maxExcerpt],
  ...termFields.map(({ field }) => field),
];

export function postsQuery(call: Call<Model>): CollectionQuery {
  const kind = kindOf(postType.of(call) ?? 'post');
  const limit = perPage.of(call) ?? 10;
  const taxonomies = termFilters(call);
  const [include, exclude, text] = [included.of(call), excluded.of(call), search.of(call)];
  return {
    kind: kind.name,
    statuses: statusesFor(call.viewer, kind, status.of(call) ?? []),
    orderBy: orderBy(call),
    order: (order.of(call) ?? 'DESC').toLowerCase() === 'asc' ? 'asc' : 'desc',
    offset: offset.of(call) ?? ((paged.of(call) ?? 1) - 1) * limit,
    limit,
    ...(include === undefined || include.length === 0 ? {} : { include }),
    ...(exclude === undefined || exclude.length === 0 ? {} : { exclude }),
    ...(taxonomies.length === 0 ? {} : { taxonomies }),
    ...(text === undefined ? {} : searchFor(text, { skipProtected: skipsProtected(call.viewer, kind) })),
  };
}

function orderBy(call: Call<Model>): OrderBy {
  const wanted = orders[orderby.of(call) ?? 'date'];
  if (wanted === 'relevance' && !search.of(call)) return 'date';
  return wanted === 'include' && (included.of(call) ?? []).length === 0 ? 'date' : wanted;
}

/** Viewers who may not open a protected entry must not find it by its words either. */
function skipsProtected(viewer: Viewer, { rights }: EntryKind): boolean {
  return !may(viewer, rights.editOthers);
}

function statusesFor(viewer: Viewer, { rights }: EntryKind, named: readonly string[]): CollectionQuery['statuses'] {
  if (named.length === 0) return [{ status: 'publish' }];
  const all = named.flatMap((one) => (one === 'any' ? entryStatuses.filter((each) => each !== 'trash') : [one]));
  return [...new Set(all)].map((one) => {
    const readsAll = has(viewer, one === 'private' ? rights.readPrivate : rights.editOthers);
    return one === 'publish' || readsAll ? { status: one } : { status: one, author: viewer.id };
  });
}

/** A negative category is excluded. */
function termFilters(call: Call<Model>): readonly TaxonomyFilter[] {
  const { model } = call;
  const categories = cat.of(call) ?? [];
  const wanted = categories.filter((id) => id > 0);
  const unwanted = categories.filter((id) => id < 0).map((id) => -id);
  const byField = termFields.map(({ field, mode }) => ({ mode, terms: field.of(call) ?? [] }));
  const all = [
    { mode: 'any' as const, terms: withDescendants(wanted, model) },
    { mode: 'none' as const, terms: withDescendants(unwanted, model) },
    ...byField,
  ];
  return all.filter(({ terms }) => terms.length > 0).map(({ mode, terms }) => ({ by: 'term', mode, terms }));
}

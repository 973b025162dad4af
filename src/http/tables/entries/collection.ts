import type { EntryKind } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import { resolveDate } from '#domain/time/local.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type {
  CollectionQuery,
  FacetValue,
  OrderBy,
  SearchColumn,
  TaxonomyFilter,
} from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import { slugify } from '#text/slug.ts';
import type { Call } from '../../engine/types.ts';
import { asStatuses } from './checks.ts';
import { entryFieldsOf } from './fields.ts';

const anyStatus: readonly string[] = entryStatuses.filter((status) => status !== 'trash');

type Params = Readonly<Record<string, unknown>>;

/** Converts the parameters of a collection to a query (interface behaviour, sections 16 to 18). */
export function collectionQuery(call: Call<Model>, kind: EntryKind): CollectionQuery {
  return {
    ...sharedQuery(call),
    kind: kind.name,
    statuses: statusFilter(call, kind),
    ...(kind.hierarchical ? parentFilters(call) : {}),
    ...valueFilters(call, kind),
    ...(kind.features.has('author') ? authorFilters(call) : {}),
    ...(kind.features.has('sticky') ? stickyFilters(call) : {}),
    ...classFilters(call, kind),
  };
}

export function sharedQuery(call: Call<Model>): Omit<CollectionQuery, 'kind' | 'statuses'> {
  const { params, model, viewer } = call;
  const zone = model.site().timezone;
  const time = (name: string) =>
    typeof params[name] === 'string' ? resolveDate(params[name], 'date', zone)?.local : undefined;
  const perPage = Number(params['per_page']);
  const offset = call.sent('offset') === undefined ? undefined : Math.abs(Number(params['offset']));

  return {
    ...listed(params, 'include'),
    ...listed(params, 'exclude'),
    ...optional('after', time('after')),
    ...optional('before', time('before')),
    ...optional('modifiedAfter', time('modified_after')),
    ...optional('modifiedBefore', time('modified_before')),
    ...slugs(params),
    ...search(call, viewer.id === 0),
    ...ordering(params),
    offset: offset ?? (Number(params['page']) - 1) * perPage,
    limit: perPage,
    firstPage: Number(params['page']) <= 1,
  };
}

/** Ordering by a list of slugs without such a list means the oldest first, whatever `order` says. */
function ordering(params: Params): Pick<CollectionQuery, 'orderBy' | 'order'> {
  const orderBy = params['orderby'] as OrderBy;
  if (orderBy === 'include_slugs' && slugs(params).slugs === undefined) return { orderBy: 'date', order: 'asc' };
  return { orderBy, order: params['order'] as 'asc' | 'desc' };
}

/** `any` means every status but the trash. Without a status: published entries and, for users, the private ones they may read. */
function statusFilter({ params, viewer }: Call<Model>, kind: EntryKind): CollectionQuery['statuses'] {
  const named = asStatuses(params['status']);
  if (named.length > 0) {
    const all = named.flatMap((status) => (status === 'any' ? anyStatus : [status]));
    return [...new Set(all)].map((status) => ({ status }));
  }
  const published = { status: 'publish' };
  if (viewer.id === 0) return [published];
  const readsAll = has(viewer, kind.rights.readPrivate);
  return [published, readsAll ? { status: 'private' } : { status: 'private', author: viewer.id }];
}

export function authorFilters({ params }: Call<Model>): Partial<CollectionQuery> {
  return { ...listed(params, 'author', 'authors'), ...listed(params, 'author_exclude', 'notAuthors') };
}

export function parentFilters({ params }: Call<Model>): Partial<CollectionQuery> {
  return { ...listed(params, 'parent', 'parents'), ...listed(params, 'parent_exclude', 'notParents') };
}

function valueFilters(call: Call<Model>, kind: EntryKind): Partial<CollectionQuery> {
  const values = entryFieldsOf(kind).filtered(call) as Readonly<Record<string, readonly FacetValue[]>>;
  return Object.keys(values).length === 0 ? {} : { values };
}

function stickyFilters({ params, sent }: Call<Model>): Partial<CollectionQuery> {
  return {
    ...(sent('sticky') === undefined ? {} : { sticky: params['sticky'] === true }),
    ...(params['ignore_sticky'] === false ? { stickyFirst: true } : {}),
  };
}

function classFilters(call: Call<Model>, { taxonomies, features }: EntryKind): Partial<CollectionQuery> {
  const { params } = call;
  const kinds = taxonomies.map((name) => termKinds[name]);
  const filters = [
    ...kinds.flatMap((kind) => termFilter(call, kind, { name: kind.base, mode: 'any' })),
    ...kinds.flatMap((kind) => termFilter(call, kind, { name: `${kind.base}_exclude`, mode: 'none' })),
    ...(features.has('format') ? formatFilter(params['format']) : []),
  ];
  if (filters.length === 0) return {};
  return { taxonomies: filters, relation: params['tax_relation'] === 'OR' ? 'OR' : 'AND' };
}

function termFilter(
  { params, model }: Call<Model>,
  kind: TermKind,
  { name, mode }: { readonly name: string; readonly mode: 'any' | 'none' },
): TaxonomyFilter[] {
  const value = params[name];
  if (value === undefined || value === null) return [];
  const {
    terms,
    operator,
    include_children: withChildren,
  } = Array.isArray(value)
    ? { terms: value as number[], operator: 'OR', include_children: false }
    : (value as { terms?: number[]; operator?: string; include_children?: boolean });
  if (terms === undefined || terms.length === 0) return [];
  const all = withChildren === true ? withDescendants(terms, model) : terms;
  return [
    { by: 'term', mode: mode === 'any' && operator === 'AND' ? 'all' : mode, terms: ofTaxonomy(all, kind, model) },
  ];
}

// The id of a term of another taxonomy finds nothing.
function ofTaxonomy(ids: readonly number[], { name }: TermKind, model: Model): readonly number[] {
  return ids.map((id) => (model.namedTerm(id)?.taxonomy === name ? id : 0));
}

function formatFilter(value: unknown): TaxonomyFilter[] {
  return Array.isArray(value) && value.length > 0 ? [{ by: 'format', formats: value as string[] }] : [];
}

function search({ params, sent }: Call<Model>, skipProtected: boolean): Partial<CollectionQuery> {
  if (sent('search') === undefined) return {};
  const columns = ((params['search_columns'] as string[] | undefined) ?? []).map(
    (column) => column.replace('post_', '') as SearchColumn,
  );
  const exact = params['search_semantics'] === 'exact';
  return searchFor(String(params['search']), { columns, exact, skipProtected });
}

function slugs(params: Params): { slugs?: readonly string[] } {
  const list = params['slug'];
  return Array.isArray(list) && list.length > 0 ? { slugs: list.map((slug) => slugify(String(slug))) } : {};
}

function listed(params: Params, name: string, as = name): Record<string, readonly number[]> {
  const list = params[name];
  return Array.isArray(list) && list.length > 0 ? { [as]: list as number[] } : {};
}

function optional<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: string };
}

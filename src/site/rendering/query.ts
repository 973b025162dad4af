import { isNumber, isSet, mapAt, numberAt, textAt } from '#blocks/attributes.ts';
import type { JsonMap, JsonValue } from '#blocks/ordered-json.ts';
import type { Scope } from '#blocks/server-blocks.ts';
import { entryKinds, kindOf } from '#domain/entry/kinds.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { may } from '#domain/user/roles.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { CollectionQuery, TaxonomyFilter } from '#projections/kernel/collection-query.ts';
import { idIn, idsIn, longestList, orderBy, orderOf } from './listing.ts';
import type { Rendering } from './types.ts';

/** The result of a query block, on the page that the request names (interface behaviour, section 25). */
export interface QueryResult {
  readonly ids: readonly number[];
  /** Number of all matching entries; 0 if this page is empty. */
  readonly total: number;
  readonly perPage: number;
  readonly page: number;
  /** The last page that exists; 0 for none. */
  readonly pages: number;
  readonly parameter: string;
  readonly isEnhanced: boolean;
}

/** The result of the query block around a block. A query that inherits the page's own finds nothing. */
export function queryResultOf(scope: Scope, rendering: Rendering): QueryResult {
  const given = scope.get('query');
  const parameter = parameterOf(scope.get('queryId'));
  const page = pageIn(rendering.query[parameter]);
  const isEnhanced = scope.get('enhancedPagination') === true;
  const query = given instanceof Map ? given : null;
  if (query === null || query.get('inherit') === true) {
    return { ids: [], total: 0, perPage: 10, page, pages: 0, parameter, isEnhanced };
  }
  const { postsPerPage } = rendering.model.site();
  const perPage = perPageOf(query) ?? (postsPerPage === -1 ? longestList : postsPerPage);
  const found = rendering.found(queryOf(query, { perPage, page }, rendering));
  const total = found.ids.length === 0 ? 0 : found.total;
  const pages = Math.ceil(total / perPage);
  return { ids: found.ids, total, perPage, page, pages, parameter, isEnhanced };
}

/** The last page that the query allows; 0: no limit. */
export function lastAllowed(scope: Scope): number {
  const query = scope.get('query');
  return query instanceof Map ? Math.max(0, Math.trunc(numberAt(query, 'pages') ?? 0)) : 0;
}

function parameterOf(id: JsonValue | undefined): string {
  const name = isNumber(id) ? id.number : typeof id === 'string' ? id : '';
  return name === '' ? 'query-page' : `query-${name}-page`;
}

function pageIn(value: unknown): number {
  const page = /^\s*([+-]?\d{1,9})/.exec(String(value ?? ''))?.[1];
  return Math.max(1, Number(page ?? 1) || 1);
}

function perPageOf(query: JsonMap): number | undefined {
  const given = numberAt(query, 'perPage');
  return given === undefined ? undefined : Math.min(Math.max(Math.abs(Math.trunc(given)), 1), longestList);
}

function queryOf(
  query: JsonMap,
  { perPage, page }: { readonly perPage: number; readonly page: number },
  rendering: Rendering,
): CollectionQuery {
  const kind = kindIn(query);
  const isPaged = perPageOf(query) !== undefined;
  const offset = isPaged ? Math.abs(Math.trunc(numberAt(query, 'offset') ?? 0)) + perPage * (page - 1) : 0;
  const exclude = idsIn(query.get('exclude'));
  const sticky = textAt(query, 'sticky');
  const parents = kindOf(kind).hierarchical ? idsIn(query.get('parents')) : [];
  const taxonomies = taxonomiesOf(query, rendering);
  return {
    kind,
    statuses: statusesFor(kind, rendering),
    offset,
    limit: perPage,
    orderBy: orderBy(textAt(query, 'orderBy')),
    order: orderOf(textAt(query, 'order')),
    ...authorsOf(query.get('author')),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(parents.length === 0 ? {} : { parents }),
    ...(taxonomies.length === 0 ? {} : { taxonomies }),
    ...searchOf(query, rendering),
    ...stickyOf(sticky),
  };
}

function kindIn(query: JsonMap): string {
  const name = textAt(query, 'postType');
  return entryKinds.find((kind) => kind.name === name && kind.type.viewable)?.name ?? 'post';
}

function statusesFor(kind: string, { viewer }: Rendering): CollectionQuery['statuses'] {
  const published = { status: 'publish' };
  if (viewer.id === 0) return [published];
  const { readPrivate } = kindOf(kind).rights;
  const readsAll = readPrivate !== null && may(viewer, readPrivate);
  return [published, readsAll ? { status: 'private' } : { status: 'private', author: viewer.id }];
}

function stickyOf(sticky: string | undefined): Partial<CollectionQuery> {
  if (sticky === 'only') return { sticky: true };
  if (sticky === 'exclude') return { sticky: false };
  return sticky === 'ignore' ? {} : { stickyFirst: true, firstPage: true };
}

function authorsOf(value: JsonValue | undefined): Partial<CollectionQuery> {
  const ids = typeof value === 'string' ? idsIn(value.split(',')) : idsIn(value);
  return ids.length === 0 ? {} : { authors: ids };
}

function searchOf(query: JsonMap, { viewer }: Rendering): Partial<CollectionQuery> {
  const text = textAt(query, 'search');
  return isSet(text) ? searchFor(text ?? '', { columns: [], exact: false, skipProtected: viewer.id === 0 }) : {};
}

/** Required and excluded terms; unknown taxonomies are ignored. */
function taxonomiesOf(query: JsonMap, rendering: Rendering): readonly TaxonomyFilter[] {
  const given = mapAt(query, 'taxQuery') ?? new Map<string, JsonValue>();
  const isDivided = given.get('include') instanceof Map || given.get('exclude') instanceof Map;
  const include = isDivided ? mapAt(given, 'include') : given;
  const older: JsonMap = new Map();
  if (query.has('categoryIds')) older.set('category', query.get('categoryIds') ?? null);
  if (query.has('tagIds')) older.set('post_tag', query.get('tagIds') ?? null);
  const formats = query.get('format');
  const named = Array.isArray(formats) ? formats.filter((name) => typeof name === 'string') : [];
  return [
    ...filtersOf(include, 'any', rendering),
    ...filtersOf(older, 'any', rendering),
    ...(isDivided ? filtersOf(mapAt(given, 'exclude'), 'none', rendering) : []),
    ...(named.length === 0 ? [] : [{ by: 'format' as const, formats: named }]),
  ];
}

function filtersOf(map: JsonMap | undefined, mode: 'any' | 'none', { model }: Rendering): TaxonomyFilter[] {
  return [...(map ?? [])].flatMap(([taxonomy, value]) => {
    const ids = Array.isArray(value) ? value.flatMap((id) => idIn(id) ?? []) : idsIn(value);
    if (ids.length === 0 || !Object.hasOwn(termKinds, taxonomy)) return [];
    // The id of a term of another taxonomy finds nothing.
    const terms = ids.map((id) => (model.term(id)?.taxonomy === taxonomy ? id : 0));
    return [{ by: 'term' as const, mode, terms }];
  });
}

import { plainLine } from '#domain/term/text.ts';
import { capabilitiesOf, may, viewerOf } from '#domain/user/roles.ts';
import { sortKey } from '#projections/collection/collate.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { hasPublished } from '#site/rights/users.ts';
import { slugify } from '#text/slug.ts';
import { listIn, type Ordering, ordered } from '../../engine/listing.ts';
import type { Call } from '../../engine/types.ts';
import { searchFilter } from './search.ts';

type Filter = (row: UserRow) => boolean;

export function findUsers(call: Call<Model>): readonly UserRow[] {
  const filters = [...listFilters(call), ...roleFilters(call), ...publishedFilters(call), ...search(call)];
  const found = call.model.users().filter((row) => filters.every((fits) => fits(row)));
  return ordered(found, ordering(call));
}

function listFilters(call: Call<Model>): readonly Filter[] {
  const include = idsIn(call, 'include');
  const exclude = idsIn(call, 'exclude');
  const slugs = listIn<string>(call, 'slug')?.map(slugify);
  return [
    ...(include === undefined ? [] : [({ id }: UserRow) => include.includes(id)]),
    // As with entries, `include` overrides `exclude`.
    ...(exclude === undefined || include !== undefined ? [] : [({ id }: UserRow) => !exclude.includes(id)]),
    ...(slugs === undefined ? [] : [({ slug }: UserRow) => slugs.includes(slug)]),
  ];
}

function roleFilters(call: Call<Model>): readonly Filter[] {
  const named = listIn<string>(call, 'roles');
  const wanted = listIn<string>(call, 'capabilities');
  const able = ({ roles }: UserRow) => {
    const held = capabilitiesOf(roles);
    return wanted?.some((name) => held.includes(name)) ?? true;
  };
  return [
    ...(named === undefined ? [] : [({ roles }: UserRow) => roles.some((role) => named.includes(role))]),
    ...(wanted === undefined ? [] : [able]),
  ];
}

/** Viewers who may not list users see only those who have published something or, with `who=authors`, those who may write. */
function publishedFilters({ params, viewer, model }: Call<Model>): readonly Filter[] {
  const filters: Filter[] = [];
  const wanted = params['has_published_posts'];
  if (params['who'] === 'authors') filters.push((user) => may(viewerOf(user), 'edit_posts'));
  if (Array.isArray(wanted) && wanted.length > 0) {
    filters.push(({ id }) => wanted.some((kind) => hasPublished(id, String(kind), model)));
  } else if (wanted === true || (params['who'] !== 'authors' && !may(viewer, 'list_users'))) {
    filters.push(({ published }) => published > 0);
  }
  return filters;
}

function search(call: Call<Model>): readonly Filter[] {
  const text = plainLine(String(call.params['search'] ?? ''));
  if (text === '') return [];
  return [searchFilter(text, { columns: listIn(call, 'search_columns') ?? [], all: may(call.viewer, 'list_users') })];
}

function ordering(call: Call<Model>): Ordering<UserRow> {
  const { params } = call;
  const by = String(params['orderby']);
  const include = by === 'include' ? idsIn(call, 'include') : undefined;
  const slugs = by === 'include_slugs' ? listIn<string>(call, 'slug')?.map(slugify) : undefined;
  // A list of slugs has its own order, whatever `order` says.
  if (slugs !== undefined) return { key: ({ slug }) => slugs.indexOf(slug), descending: false };
  const key = include === undefined ? (keys[by] ?? byLogin) : ({ id }: UserRow) => include.indexOf(id);
  return { key, descending: params['order'] === 'desc' };
}

const byLogin = ({ login }: UserRow): string => sortKey(login);

const keys: Readonly<Record<string, Ordering<UserRow>['key']>> = {
  id: ({ id }) => id,
  name: ({ displayName }) => sortKey(displayName),
  registered_date: ({ registered }) => registered.slice(0, 19),
  slug: ({ slug }) => sortKey(slug),
  email: ({ email }) => sortKey(email),
  url: ({ url }) => sortKey(url),
};

function idsIn(call: Call<Model>, name: string): readonly number[] | undefined {
  return listIn<number>(call, name)?.map(Math.abs);
}

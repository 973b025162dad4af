import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { plainLine } from '#domain/term/text.ts';
import { asWriter, capabilitiesOf, may, viewerOf } from '#domain/user/roles.ts';
import { sortKey } from '#projections/collection/collate.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { hasPublished } from '#site/rights.ts';
import { foldText } from '#text/fold.ts';
import { slugify } from '#text/slug.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { listIn, type Ordering, ordered, pageOf } from '../records/listing.ts';
import { userRecord } from './fields.ts';
import { findMe, findUser } from './permissions.ts';

type Filter = (row: UserRow) => boolean;
type Column = 'id' | 'username' | 'slug' | 'email' | 'name' | 'url';

export interface UserSearch {
  /** Requested columns; empty: chosen by the form of the text. */
  readonly columns: readonly string[];
  readonly all: boolean;
}

export function showUser(call: Call<Model>): Answer | Refusal {
  const row = findUser(call);
  return isRefusal(row) ? row : shown(call, row);
}

export function showMe(call: Call<Model>): Answer | Refusal {
  const row = findMe(call);
  return isRefusal(row) ? refuse('rest_not_logged_in', 'You are not currently logged in.') : shown(call, row);
}

export function listUsers(call: Call<Model>): Answer {
  const site = call.model.site();
  const url = `${namespaceUrl(site, CONTENT)}/users`;
  const { rows, headers } = pageOf(call, findUsers(call), { url, offsets: true, prefix: site.names.headers });
  return { body: { kind: 'list', records: rows.map((row) => record(call, row)) }, headers };
}

function shown(call: Call<Model>, row: UserRow): Answer {
  return { body: { kind: 'record', record: record(call, row) } };
}

function record({ params, viewer, model }: Call<Model>, row: UserRow) {
  return userRecord(row, { context: params['context'] as Context, viewer, model });
}

function findUsers(call: Call<Model>): readonly UserRow[] {
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
    const capabilities = capabilitiesOf(roles);
    return wanted?.some((name) => capabilities.includes(name)) ?? true;
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
  if (params['who'] === 'authors') filters.push((user) => may(asWriter(viewerOf(user)), 'edit_posts'));
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

/** Matches users with a text in one of the columns, ignoring case and accents; an id must be equal to the text. */
function searchFilter(text: string, search: UserSearch): (row: UserRow) => boolean {
  const wanted = foldText(text.replace(/^\*+/, '').replace(/(?<!\*)\*+$/, ''));
  const columns = columnsFor(wanted, search);
  return (row) =>
    columns.some((column) =>
      column === 'id' ? String(row.id) === wanted : foldText(values[column](row)).includes(wanted),
    );
}

const values: Readonly<Record<Exclude<Column, 'id'>, (row: UserRow) => string>> = {
  username: ({ login }) => login,
  slug: ({ slug }) => slug,
  email: ({ email }) => email,
  name: ({ displayName }) => displayName,
  url: ({ url }) => url,
};

function columnsFor(text: string, { columns, all }: UserSearch): readonly Column[] {
  const allowed: readonly Column[] = all
    ? ['id', 'username', 'slug', 'email', 'name']
    : ['id', 'username', 'slug', 'name'];
  const named = allowed.filter((column) => columns.includes(column));
  if (named.length > 0) return named;
  if (!all) return allowed;
  if (text.includes('@')) return ['email'];
  if (/^\d+$/.test(text)) return ['username', 'id'];
  return /^https?:\/\//.test(text) ? ['url'] : ['username', 'url', 'email', 'slug', 'name'];
}

import { createHash } from 'node:crypto';
import { may, type Right, type Role, rights } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { UserRow } from '#projections/users.ts';
import { asciiJson } from '#text/json.ts';
import type { Context, JsonText, Rec } from '../../engine/types.ts';
import { restRoot } from '../entries/relations.ts';

/** A user as a record (interface behaviour, section 6). What others may not see is in context edit only. */
export function userRecord(row: UserRow, { context, model }: { context: Context; model: Model }): Rec {
  const { url } = model.site();
  return { names: names[context], json: (name) => fields[name]?.(row, url) ?? 'null' };
}

const fields: Readonly<Record<string, (row: UserRow, url: string) => JsonText>> = {
  id: (row) => String(row.id),
  username: (row) => asciiJson(row.login),
  name: (row) => asciiJson(row.displayName),
  first_name: () => '""',
  last_name: () => '""',
  email: (row) => asciiJson(row.email),
  url: (row) => asciiJson(row.url),
  description: (row) => asciiJson(row.description),
  link: (row, url) => asciiJson(userLink(row, url)),
  locale: () => '"en_US"',
  nickname: (row) => asciiJson(row.login),
  slug: (row) => asciiJson(row.slug),
  roles: (row) => asciiJson([row.role]),
  registered_date: (row) => asciiJson(`${row.registered.slice(0, 19)}+00:00`),
  capabilities: ({ role }) => asciiJson({ ...rightsOf(role), [role]: true }),
  extra_capabilities: ({ role }) => asciiJson({ [role]: true }),
  avatar_urls: (row, url) => asciiJson(avatars(row, url)),
  meta: () => '[]',
  _links: (row, url) => linksJson(row.id, restRoot(url)),
};

const embed = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', '_links'];
const view = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', 'meta', '_links'];
const edit = [
  'id username name first_name last_name email url description link locale nickname slug roles registered_date',
  'capabilities extra_capabilities avatar_urls meta _links',
]
  .join(' ')
  .split(' ');
const names: Readonly<Record<Context, readonly string[]>> = { embed, view, edit };

/** Where a person finds what the user has written. */
export function userLink({ slug }: Pick<UserRow, 'slug'>, url: string): string {
  return `${url}/author/${slug}/`;
}

function rightsOf(role: Role): Record<string, true> {
  const held = (Object.keys(rights) as Right[]).filter((right) => may({ id: 0, role }, right));
  return Object.fromEntries(held.map((right) => [right, true]));
}

/** Addresses of a user's picture, by size. They go by a digest, which tells nobody a mail address or login. */
export function avatars({ email, login }: UserRow, url: string): Record<number, string> {
  const digest = createHash('sha256')
    .update((email || login).toLowerCase())
    .digest('hex');
  return Object.fromEntries([24, 48, 96].map((size) => [size, `${url}/avatar/${digest}?s=${size}`]));
}

/** Accounts are changed by the operator alone, so there is only reading to hint at. */
function linksJson(id: number, rest: string): JsonText {
  const self = `"self":[{"href":"${rest}/users/${id}","targetHints":{"allow":["GET"]}}]`;
  return `{${self},"collection":[{"href":"${rest}/users"}]}`;
}

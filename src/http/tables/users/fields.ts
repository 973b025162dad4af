import { z } from 'zod';
import { may, type Right, type Role, rights } from '#domain/user/roles.ts';
import type { Model, ShownSite } from '#projections/model.ts';
import type { UserRow } from '#projections/users.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, type FieldRecord, recordSchema } from '../../engine/field.ts';
import { described, editing, everywhere, whole } from '../../engine/property.ts';
import type { Context, JsonText } from '../../engine/types.ts';
import { linkParts } from '../../names.ts';
import { avatars, userLink } from './links.ts';

interface UserTypes {
  readonly kind: 'user';
  readonly row: UserRow;
  /** Address of the site. */
  readonly showing: ShownSite;
  readonly model: Model;
  readonly input: object;
}

const shownEverywhere: readonly Context[] = ['embed', 'view', 'edit'];
const text = () => z.string();
const size = (pixels: number) =>
  described(z.string(), `Avatar URL with image size of ${pixels} pixels.`, { context: shownEverywhere, format: 'uri' });

/** Every field of users, in the order in which records have them. What others may not see is in context edit only. */
const fields: readonly Field<UserTypes>[] = [
  {
    name: 'id',
    context: shownEverywhere,
    readonly: true,
    description: 'Unique identifier for the user.',
    schema: () => z.int(),
    json: (row) => String(row.id),
  },
  {
    name: 'username',
    context: editing,
    description: 'Login name for the user.',
    schema: text,
    json: (row) => asciiJson(row.login),
  },
  {
    name: 'name',
    context: shownEverywhere,
    description: 'Display name for the user.',
    schema: text,
    json: (row) => asciiJson(row.displayName),
  },
  {
    name: 'first_name',
    context: editing,
    description: 'First name for the user.',
    schema: text,
    json: () => '""',
  },
  {
    name: 'last_name',
    context: editing,
    description: 'Last name for the user.',
    schema: text,
    json: () => '""',
  },
  {
    name: 'email',
    context: editing,
    format: 'email',
    description: 'The email address for the user.',
    schema: text,
    json: (row) => asciiJson(row.email),
  },
  {
    name: 'url',
    context: shownEverywhere,
    format: 'uri',
    description: 'URL of the user.',
    schema: text,
    json: (row) => asciiJson(row.url),
  },
  {
    name: 'description',
    context: shownEverywhere,
    description: 'Description of the user.',
    schema: text,
    json: (row) => asciiJson(row.description),
  },
  {
    name: 'link',
    context: shownEverywhere,
    format: 'uri',
    readonly: true,
    description: 'Author URL of the user.',
    schema: text,
    json: (row, { url }) => asciiJson(userLink(row, url)),
  },
  {
    name: 'locale',
    context: editing,
    description: 'Locale for the user.',
    schema: text,
    json: () => '"en_US"',
  },
  {
    name: 'nickname',
    context: editing,
    description: 'The nickname for the user.',
    schema: text,
    json: (row) => asciiJson(row.login),
  },
  {
    name: 'slug',
    context: shownEverywhere,
    description: 'An alphanumeric identifier for the user.',
    schema: text,
    json: (row) => asciiJson(row.slug),
  },
  {
    name: 'roles',
    context: editing,
    description: 'Roles assigned to the user.',
    schema: () => z.array(z.string()),
    json: (row) => asciiJson([row.role]),
  },
  {
    name: 'registered_date',
    context: editing,
    format: 'date-time',
    readonly: true,
    description: 'Registration date for the user.',
    schema: text,
    json: (row) => asciiJson(`${row.registered.slice(0, 19)}+00:00`),
  },
  {
    name: 'capabilities',
    context: editing,
    readonly: true,
    description: 'All capabilities assigned to the user.',
    schema: () => z.object({}),
    json: ({ role }) => asciiJson({ ...rightsOf(role), [role]: true }),
  },
  {
    name: 'extra_capabilities',
    context: editing,
    readonly: true,
    description: 'Any extra capabilities assigned to the user.',
    schema: () => z.object({}),
    json: ({ role }) => asciiJson({ [role]: true }),
  },
  {
    name: 'avatar_urls',
    context: shownEverywhere,
    readonly: true,
    description: 'Avatar URLs for the user.',
    schema: () => z.object({ 24: size(24), 48: size(48), 96: size(96) }),
    json: (row, { url }) => asciiJson(avatars(row, url)),
  },
  {
    name: 'meta',
    context: whole,
    description: 'Meta fields.',
    schema: () => z.object({}),
    json: () => '[]',
  },
  { name: '_links', context: everywhere, json: ({ id }, site) => linksJson(id, linkParts(site).rest) },
];

/** The order of the schema. What it does not name comes last. */
const listing = [
  'id username name first_name last_name email url description link locale nickname slug',
  'registered_date roles',
].join(' ');

const userFields = defineFields<UserTypes>(fields, listing)('user');

/** A user as a record (interface behaviour, section 6). */
export function userRecord(row: UserRow, { context, model }: { context: Context; model: Model }): FieldRecord {
  return userFields.record(context, row, model.site());
}

/** The record schema of users. */
export function userSchema(): unknown {
  return recordSchema('user', userFields.properties());
}

function rightsOf(role: Role): Record<string, true> {
  const held = (Object.keys(rights) as Right[]).filter((right) => may({ id: 0, role }, right));
  return Object.fromEntries(held.map((right) => [right, true]));
}

/** Accounts are changed by the operator alone, so there is only reading to hint at. */
function linksJson(id: number, rest: string): JsonText {
  const self = `"self":[{"href":"${rest}/users/${id}","targetHints":{"allow":["GET"]}}]`;
  return `{${self},"collection":[{"href":"${rest}/users"}]}`;
}

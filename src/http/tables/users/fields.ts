import { z } from 'zod';
import type { ProfileFields } from '#domain/user/commands.ts';
import { unknownEmail } from '#domain/user/naming.ts';
import { capabilitiesOf, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { avatars, userLink } from '#site/addresses/users.ts';
import { allowedMethods } from '#site/rights/users.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, type FieldRecord, recordSchema } from '../../engine/field.ts';
import { described, editing, everywhere, whole } from '../../engine/property.ts';
import type { Context } from '../../engine/types.ts';
import { checkMeta } from '../entries/checks.ts';
import { checkEmail, checkPassword, checkUsername } from './checks.ts';
import { addressOf, lineOf, loginOf, noteOf, rolesOf, textOf } from './values.ts';

interface UserTypes {
  readonly kind: 'user';
  readonly row: UserRow;
  readonly showing: Showing;
  readonly model: Model;
  readonly input: UserInput;
}

export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

export type UserInput = ProfileFields & { readonly login?: string; readonly roles?: readonly string[] };

const shownEverywhere: readonly Context[] = ['embed', 'view', 'edit'];
const text = () => z.string();
const anyMap = () => z.unknown().meta({ type: 'object' });
const size = (pixels: number) =>
  described(z.string(), `Avatar URL with image size of ${pixels} pixels.`, { context: shownEverywhere, format: 'uri' });

const preferences = described(
  z.looseObject({
    _modified: z
      .string()
      .meta({ format: 'date-time' })
      .describe('The date and time the preferences were updated.')
      .optional(),
  }),
  'Preferences that editors keep for the user.',
  { context: editing },
);

/** Every field of users, in the order in which records have them. Private ones are in context edit only. */
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
    required: true,
    description: 'Login name for the user.',
    schema: text,
    json: (row) => asciiJson(row.login),
    arg: () => ({ check: checkUsername }),
    write: loginOf,
  },
  {
    name: 'name',
    context: shownEverywhere,
    description: 'Display name for the user.',
    schema: text,
    json: (row) => asciiJson(row.displayName),
    write: lineOf('displayName'),
  },
  {
    name: 'first_name',
    context: editing,
    description: 'First name for the user.',
    schema: text,
    json: (row) => asciiJson(row.firstName),
    write: lineOf('firstName'),
  },
  {
    name: 'last_name',
    context: editing,
    description: 'Last name for the user.',
    schema: text,
    json: (row) => asciiJson(row.lastName),
    write: lineOf('lastName'),
  },
  {
    name: 'email',
    context: editing,
    required: true,
    format: 'email',
    description: 'The email address for the user.',
    schema: text,
    json: (row) => asciiJson(row.email || unknownEmail),
    arg: () => ({ check: checkEmail }),
    write: textOf('email'),
  },
  {
    name: 'url',
    context: shownEverywhere,
    format: 'uri',
    description: 'URL of the user.',
    schema: text,
    json: (row) => asciiJson(row.url),
    write: addressOf('url'),
  },
  {
    name: 'description',
    context: shownEverywhere,
    description: 'Description of the user.',
    schema: text,
    json: (row) => asciiJson(row.description),
    write: noteOf('description'),
  },
  {
    name: 'link',
    context: shownEverywhere,
    format: 'uri',
    readonly: true,
    description: 'Author URL of the user.',
    schema: text,
    json: (row, { model }) => asciiJson(userLink(row, model.site().url)),
  },
  {
    name: 'locale',
    context: editing,
    description: 'Locale for the user.',
    schema: () => z.enum(['', 'en_US']),
    json: () => '"en_US"',
  },
  {
    name: 'nickname',
    context: editing,
    description: 'The nickname for the user.',
    schema: text,
    json: (row) => asciiJson(row.nickname || row.login),
    write: lineOf('nickname'),
  },
  {
    name: 'slug',
    context: shownEverywhere,
    description: 'An alphanumeric identifier for the user.',
    schema: text,
    json: (row) => asciiJson(row.slug),
    write: textOf('slug'),
  },
  {
    name: 'roles',
    context: editing,
    description: 'Roles assigned to the user.',
    schema: () => z.array(z.string()),
    json: (row) => asciiJson(row.roles),
    write: rolesOf,
  },
  {
    name: 'password',
    context: [],
    required: true,
    description: 'Password for the user (never included).',
    schema: text,
    json: () => 'null',
    arg: () => ({ check: checkPassword }),
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
    schema: anyMap,
    json: ({ roles }) => asciiJson(allTrue(capabilitiesOf(roles))),
  },
  {
    name: 'extra_capabilities',
    context: editing,
    readonly: true,
    description: 'Any extra capabilities assigned to the user.',
    schema: anyMap,
    json: ({ roles }) => asciiJson(allTrue(roles)),
  },
  {
    name: 'avatar_urls',
    context: shownEverywhere,
    readonly: true,
    description: 'Avatar URLs for the user.',
    schema: () => z.object({ 24: size(24), 48: size(48), 96: size(96) }),
    json: (row, { model }) => asciiJson(avatars(row, model.site().url)),
  },
  {
    name: 'meta',
    context: whole,
    description: 'Meta fields.',
    schema: () => z.object({ persisted_preferences: preferences.optional() }),
    json: (row, { context }) => (context === 'edit' ? metaJson(row) : '[]'),
    arg: () => ({ check: checkMeta }),
  },
  { name: '_links', context: everywhere, json: linksJson },
];

/** The order of the schema. Fields that it does not name come last. */
const listing = [
  'id username name first_name last_name email url description link locale nickname slug',
  'registered_date roles password',
].join(' ');

export const userFields = defineFields<UserTypes>(fields, listing)('user');

/** A user as a record (interface behaviour, section 6). */
export function userRecord(row: UserRow, showing: Showing): FieldRecord {
  return userFields.record(showing.context, row, showing);
}

export function userSchema(): unknown {
  return recordSchema('user', userFields.properties());
}

function allTrue(names: readonly string[]): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

function metaJson({ preferences }: UserRow): JsonText {
  return `{"persisted_preferences":${preferences || '[]'}}`;
}

function linksJson({ id }: UserRow, { viewer, model }: Showing): JsonText {
  const { rest } = linkParts(model.site());
  const allow = asciiJson(allowedMethods(viewer, id, model));
  const self = `"self":[{"href":"${rest}/users/${id}","targetHints":{"allow":${allow}}}]`;
  return `{${self},"collection":[{"href":"${rest}/users"}]}`;
}

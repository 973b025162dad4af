import { z } from 'zod';
import { filterDescription } from '#blocks/filter.ts';
import { decodeReferences, normaliseReferences } from '#blocks/references.ts';
import { webAddress } from '#blocks/web-address.ts';
import { storedName } from '#domain/term/text.ts';
import type { ProfileFields } from '#domain/user/commands.ts';
import { isEmail, isLogin, unknownEmail } from '#domain/user/naming.ts';
import { capabilitiesOf, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { avatars, userLink } from '#site/addresses/items.ts';
import { methodsForUser } from '#site/rights.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { isScalar } from '#text/shapes.ts';
import { fault, wrongType } from '../../engine/faults.ts';
import type { Call, Context, Fault } from '../../engine/types.ts';
import { checkMeta } from '../entries/checks.ts';
import { defineFields, type Field, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { described, editing, everywhere, whole } from '../records/property.ts';

const inBody = { status: 400 };

/** One line without markup. Clients get and send it as HTML (`&amp;`); it is stored as plain text. */
const userLine = (member: Member): Write => stored(member, (text) => decodeReferences(storedName(text)));

const userText = (member: Member): Write => stored(member, (text) => text);

const loginOf: Write = (call, name) => (call.params[name] ? userText('login')(call, name) : {});

const userAddress = (member: Member): Write => stored(member, (text) => webAddress(decodeReferences(text)));

const noteOf = (member: Member): Write => stored(member, filterDescription);

interface UserTypes {
  readonly kind: 'user';
  readonly row: UserRow;
  readonly showing: UserShowing;
  readonly model: Model;
  readonly input: UserInput;
}

export interface UserShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

export type UserInput = ProfileFields & { readonly login?: string; readonly roles?: readonly string[] };

const shownEverywhere: readonly Context[] = ['embed', 'view', 'edit'];
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

const { field, int, text } = fieldConstructors<UserTypes>();

/** Every field of users, in the order in which records have them. Private ones are in context edit only. */
const fields: readonly Field<UserTypes>[] = [
  int('id', shownEverywhere, 'Unique identifier for the user.', { readonly: true }),
  text('username', editing, 'Login name for the user.', {
    required: true,
    read: (row) => row.login,
    arg: () => ({ check: checkUsername }),
    write: loginOf,
  }),
  text('name', shownEverywhere, 'Display name for the user.', {
    read: (row) => storedName(row.displayName),
    write: userLine('displayName'),
  }),
  text('first_name', editing, 'First name for the user.', {
    read: (row) => storedName(row.firstName),
    write: userLine('firstName'),
  }),
  text('last_name', editing, 'Last name for the user.', {
    read: (row) => storedName(row.lastName),
    write: userLine('lastName'),
  }),
  text('email', editing, 'The email address for the user.', {
    required: true,
    format: 'email',
    read: (row) => row.email || unknownEmail,
    arg: () => ({ check: checkEmail }),
    write: userText('email'),
  }),
  text('url', shownEverywhere, 'URL of the user.', {
    format: 'uri',
    read: (row) => normaliseReferences(row.url),
    write: userAddress('url'),
  }),
  text('description', shownEverywhere, 'Description of the user.', { write: noteOf('description') }),
  text('link', shownEverywhere, 'Author URL of the user.', {
    readonly: true,
    format: 'uri',
    read: (row, { model }) => userLink(row, model.site().url),
  }),
  field('locale', editing, 'Locale for the user.', { schema: () => z.enum(['', 'en_US']), json: () => '"en_US"' }),
  text('nickname', editing, 'The nickname for the user.', {
    read: (row) => storedName(row.nickname || row.login),
    write: userLine('nickname'),
  }),
  text('slug', shownEverywhere, 'An alphanumeric identifier for the user.', { write: userText('slug') }),
  field('roles', editing, 'Roles assigned to the user.', {
    schema: () => z.array(z.string()),
    json: (row) => asciiJson(row.roles),
    write: rolesOf,
  }),
  text('password', [], 'Password for the user (never included).', {
    required: true,
    json: () => 'null',
    arg: () => ({ check: checkPassword }),
  }),
  text('registered_date', editing, 'Registration date for the user.', {
    readonly: true,
    format: 'date-time',
    read: (row) => `${row.registered.slice(0, 19)}+00:00`,
  }),
  field('capabilities', editing, 'All capabilities assigned to the user.', {
    readonly: true,
    schema: anyMap,
    json: ({ roles }) => asciiJson(allTrue(capabilitiesOf(roles))),
  }),
  field('extra_capabilities', editing, 'Any extra capabilities assigned to the user.', {
    readonly: true,
    schema: anyMap,
    json: ({ roles }) => asciiJson(allTrue(roles)),
  }),
  field('avatar_urls', shownEverywhere, 'Avatar URLs for the user.', {
    readonly: true,
    schema: () => z.object({ 24: size(24), 48: size(48), 96: size(96) }),
    json: (row, { model }) => asciiJson(avatars(row, model.site().storeUrl)),
  }),
  field('meta', whole, 'Meta fields.', {
    schema: () => z.object({ persisted_preferences: preferences.optional() }),
    json: (row, { context }) => (context === 'edit' ? metaJson(row) : '[]'),
    arg: () => ({ check: checkMeta }),
  }),
  { name: '_links', context: everywhere, json: linksJson },
];

/** The order of the schema. Fields that it does not name come last. */
const listing = [
  'id username name first_name last_name email url description link locale nickname slug',
  'registered_date roles password',
].join(' ');

export const userFields = defineFields<UserTypes>(fields, listing)('user');

/** A user as a record (interface behaviour, section 6). */
export function userRecord(row: UserRow, showing: UserShowing): FieldRecord {
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

function linksJson({ id }: UserRow, { viewer, model }: UserShowing): JsonText {
  const { rest } = linkParts(model.site());
  const allow = asciiJson(methodsForUser(viewer, id, model));
  const self = `"self":[{"href":"${rest}/users/${id}","targetHints":{"allow":${allow}}}]`;
  return `{${self},"collection":[{"href":"${rest}/users"}]}`;
}

/** Converts sent values of users to their stored form. Null stands for the empty text. */
type Member = Exclude<keyof ProfileFields, 'preferences'> | 'login';

type Write = (call: Call<Model>, name: string) => { readonly [M in Member]?: string };

function rolesOf({ params, sent }: Call<Model>, name: string): { readonly roles?: readonly string[] } {
  return sent(name) === undefined ? {} : { roles: params[name] as readonly string[] };
}

function stored(member: Member, form: (text: string) => string): Write {
  return ({ params, sent }, name) => {
    const value = sent(name) === null ? '' : params[name];
    return typeof value === 'string' ? { [member]: form(value) } : {};
  };
}

function checkUsername(value: unknown): Fault | null {
  return isScalar(value) && isLogin(String(value))
    ? null
    : fault('rest_user_invalid_username', 'This username is invalid. Please enter a valid username.', inBody);
}

function checkPassword(value: unknown): Fault | null {
  const text = isScalar(value) ? String(value) : '';
  return text === '' || text === '0' || value === false || text.includes('\\')
    ? fault('rest_user_invalid_password', 'Passwords cannot be empty or contain the "\\" character.', inBody)
    : null;
}

export function checkEmail(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType('email', 'string');
  return isEmail(value) ? null : fault('rest_invalid_email', 'Invalid email address.');
}

/** Who inherits the posts of a deleted user: a number, or nobody. */
export function checkReassign(value: unknown): Fault | null {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
  const isNobody = value === '' || value === false || value === 'false';
  return isNumber || isNobody ? null : fault('rest_invalid_param', 'Invalid user parameter(s).', inBody);
}

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

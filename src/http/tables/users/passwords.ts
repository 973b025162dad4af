import { z } from 'zod';
import { noSuchPassword, renamePassword, revokePasswords } from '#commands/credentials.ts';
import type { Session } from '#commands/session.ts';
import { issuePassword } from '#commands/users.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { plainLine } from '#domain/term/text.ts';
import { canManagePasswords } from '#domain/user/rights.ts';
import type { ApplicationPassword, PasswordUses } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { idFrom } from '../../engine/call.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import { fault } from '../../engine/faults.ts';
import type { Answer, Arg, Args, Call, Context, Rec, Route } from '../../engine/types.ts';
import { contextArg } from '../records/usual-args.ts';

interface PasswordShowing {
  readonly context: Context;
  readonly model: Model;
  readonly uses: Pick<PasswordUses, 'of'>;
  readonly password?: string;
}

const all = ['view', 'edit', 'embed'];

const shownIn = ['view', 'edit'];

const text = (description: string, context: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
  z.string().meta({ description, context, readonly: true, ...more });

const orNull = (description: string, more: Readonly<Record<string, unknown>>) =>
  z
    .string()
    .nullable()
    .meta({ description, context: shownIn, readonly: true, ...more });

const properties: Readonly<Record<string, z.ZodType>> = {
  uuid: text('The unique identifier for the application password.', all, { format: 'uuid' }),
  app_id: text('A UUID provided by the application to uniquely identify it.', all, { readonly: false }),
  name: text('The name of the application password.', all, { readonly: false }),
  password: text('The generated password. Only available after adding an application.', ['edit']),
  created: text('The GMT date the application password was created.', shownIn, { format: 'date-time' }),
  last_used: orNull('The GMT date the application password was last used.', { format: 'date-time' }),
  last_ip: orNull('The IP address the application password was last used by.', { format: 'ip' }),
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const appId: Arg<Model> = {
  schema: z.string().describe('A UUID provided by the application to uniquely identify it.'),
  check: (value) =>
    value === '' || (typeof value === 'string' && UUID.test(value))
      ? null
      : fault('rest_no_matching_schema', 'app_id does not match any of the expected formats.'),
};

const name = z
  .string()
  .min(1)
  .regex(/.*\S.*/)
  .describe('The name of the application password.');

const readArgs: Args<Model> = { context: contextArg };

const passwordCreateArgs: Args<Model> = { app_id: appId, name: { schema: name, required: true } };

const passwordUpdateArgs: Args<Model> = { app_id: appId, name: { schema: name } };

type Uses = Pick<PasswordUses, 'of'>;

const namespace = 'cms/v2';
const collection = `/${namespace}/users/(?P<user_id>(?:[\\d]+|me))/application-passwords`;
const depends = null;

/** Application passwords: created, listed and withdrawn by their users and by administrators. */
export function passwordRoutes(uses: Uses): readonly Route<Model, Session>[] {
  const schema = passwordSchema;
  return [
    {
      namespace,
      pattern: collection,
      schema,
      endpoints: [
        { methods: ['GET'], args: readArgs, permission: allows('list', 's'), query: list(uses), depends },
        {
          methods: ['POST'],
          args: passwordCreateArgs,
          permission: allows('create', 's'),
          command: create(uses),
          status: 201,
          unkept: true,
        },
        {
          methods: ['DELETE'],
          args: {},
          permission: allows('delete', 's'),
          command: removeAll,
          summary: 'Withdraw all application passwords of a user',
        },
      ],
    },
    {
      namespace,
      pattern: `${collection}/introspect`,
      schema,
      endpoints: [{ methods: ['GET'], args: readArgs, permission: mayIntrospect, query: introspect(uses), depends }],
    },
    {
      namespace,
      pattern: `${collection}/(?P<uuid>[\\w\\-]+)`,
      schema,
      endpoints: [
        { methods: ['GET'], args: readArgs, permission: allows('read', ''), query: show(uses), depends },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          args: passwordUpdateArgs,
          permission: allows('edit', ''),
          command: update(uses),
        },
        { methods: ['DELETE'], args: {}, permission: allows('delete', ''), command: remove(uses) },
      ],
    },
  ];
}

const allows =
  (act: string, many: '' | 's') =>
  (call: Call<Model>): Refusal | null => {
    const user = accountOf(call);
    if (isRefusal(user)) return user;
    const code = `rest_cannot_${act}_application_password${many}`;
    return mayManage(call, user) ? null : refuse(code, 'Sorry, you are not allowed to manage application passwords.');
  };

function mayIntrospect(call: Call<Model>): Refusal | null {
  const user = accountOf(call);
  if (isRefusal(user)) return user;
  return user.id === call.viewer.id
    ? null
    : refuse(
        'rest_cannot_introspect_app_password_for_non_authenticated_user',
        'The authenticated application password can only be introspected for the current user.',
      );
}

const list =
  (uses: Uses) =>
  (call: Call<Model>): Answer | Refusal => {
    const user = accountOf(call);
    if (isRefusal(user)) return user;
    const records = user.passwords.map((row) => passwordRecord(user, row, showing(call, uses)));
    return { body: { kind: 'list', records } };
  };

const show =
  (uses: Uses) =>
  (call: Call<Model>): Answer | Refusal =>
    withPassword(call, (user, row) => shown(user, row, showing(call, uses)));

const introspect =
  (uses: Uses) =>
  (call: Call<Model>): Answer | Refusal => {
    const user = accountOf(call);
    if (isRefusal(user)) return user;
    const used = user.passwords.find(({ id }) => id === call.viewer.password);
    return used === undefined
      ? refuse('rest_no_authenticated_app_password', 'Cannot introspect application password.')
      : shown(user, used, showing(call, uses));
  };

const create =
  (uses: Uses) =>
  (call: Call<Session>): Answer | Refusal => {
    const user = accountOf(call);
    if (isRefusal(user)) return user;
    const name = plainLine(String(call.params['name']));
    if (name === '') return refuse('application_password_empty_name', 'An application name is required.');
    const appId = String(call.params['app_id'] ?? '');
    const issued = issuePassword(call.model, user, { name, appId });
    if (isRefusal(issued)) return issued;
    const { id, password } = issued;
    const row = call.model.user(user.id)?.passwords.find((one) => one.id === id);
    if (row === undefined) throw new Error('the password that was made is not there');
    const headers = { Location: passwordAddress(user, row, call.model) };
    return { ...shown(user, row, { ...edited(call, uses), password }), status: 201, headers };
  };

const update =
  (uses: Uses) =>
  (call: Call<Session>): Answer | Refusal =>
    withPassword(call, (user, row) => {
      const sent = call.params['name'];
      const name = typeof sent === 'string' ? plainLine(sent) : row.name;
      if (name === '') return refuse('application_password_empty_name', 'An application name is required.');
      renamePassword(call.model, user, row.id, name);
      return shown(user, { ...row, name }, edited(call, uses));
    });

const remove =
  (uses: Uses) =>
  (call: Call<Session>): Answer | Refusal =>
    withPassword(call, (user, row) => {
      const previous = plainValues(row, edited(call, uses));
      revokePasswords(call.model, user, row.id);
      return { body: { kind: 'json', value: { deleted: true, previous } } };
    });

function removeAll(call: Call<Session>): Answer | Refusal {
  const user = accountOf(call);
  if (isRefusal(user)) return user;
  const { length: count } = revokePasswords(call.model, user, 'all');
  return { body: { kind: 'json', value: { deleted: true, count } } };
}

function withPassword(
  call: Call<Model>,
  work: (user: UserRow, row: ApplicationPassword) => Answer | Refusal,
): Answer | Refusal {
  const user = accountOf(call);
  if (isRefusal(user)) return user;
  const row = accountPassword(user, call);
  return row === undefined ? noSuchPassword : work(user, row);
}

function shown(user: UserRow, row: ApplicationPassword, how: PasswordShowing): Answer {
  return { body: { kind: 'record', record: passwordRecord(user, row, how) } };
}

function showing({ params, model }: Call<Model>, uses: Uses): PasswordShowing {
  return { context: params['context'] as Context, model, uses };
}

function edited({ model }: Call<Model>, uses: Uses): PasswordShowing {
  return { context: 'edit', model, uses };
}

/** The account whose passwords a request is about: by its number, or the viewer's own. */
function accountOf({ params, viewer, model }: Call<Model>): UserRow | Refusal {
  if (params['user_id'] !== 'me') {
    return model.user(idFrom(params['user_id'])) ?? refuse('rest_user_invalid_id', 'Invalid user ID.');
  }
  const user = viewer.id === 0 ? undefined : model.user(viewer.id);
  return user ?? refuse('rest_not_logged_in', 'You are not currently logged in.');
}

function accountPassword(user: UserRow, { params }: Call<Model>): ApplicationPassword | undefined {
  return user.passwords.find(({ id }) => id === params['uuid']);
}

function mayManage({ viewer }: Call<Model>, user: UserRow): boolean {
  return canManagePasswords(viewer, user.id);
}

function passwordSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'application-password',
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}

function passwordRecord(user: UserRow, row: ApplicationPassword, showing: PasswordShowing): Rec {
  const values = { ...plainValues(row, showing), _links: linksOf(user, row, showing) };
  return { names: Object.keys(values), json: (name) => asciiJson(values[name as keyof typeof values] ?? null) };
}

/** The fields of a password, without links. */
function plainValues({ id, appId, name, created }: ApplicationPassword, { context, uses, password }: PasswordShowing) {
  const own = { uuid: id, app_id: appId, name };
  if (context === 'embed') return own;
  const use = uses.of(id);
  const last = use === null ? null : new Date(use.at).toISOString().slice(0, 19);
  const times = { created: created.slice(0, 19), last_used: last, last_ip: use?.address ?? null };
  return { ...own, ...times, ...(password === undefined ? {} : { password }) };
}

function passwordAddress(user: UserRow, { id }: ApplicationPassword, model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/users/${user.id}/application-passwords/${id}`;
}

function linksOf(user: UserRow, row: ApplicationPassword, { model }: PasswordShowing) {
  return {
    self: [
      { href: passwordAddress(user, row, model), targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } },
    ],
  };
}

import { changeAccount, createAccount, deleteAccount } from '#commands/accounts.ts';
import { newAccountSalt } from '#commands/credentials.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { parseDate } from '#domain/time/local.ts';
import type { ProfileFields } from '#domain/user/commands.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { type PreparedTexts, resultOf, type TextWork } from '#text/prepared-texts.ts';
import { saltOf } from '#text/secret.ts';
import { membersOf } from '#text/shapes.ts';
import { idFrom } from '../../engine/call.ts';
import { deletedRecord } from '../../engine/field.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { isEmpty } from '../entries/permissions.ts';
import { userFields, userRecord } from './fields.ts';
import type { FindUser } from './permissions.ts';

const NAME = 'meta.persisted_preferences';

export function userCreation(call: Call<Session>): Answer | Refusal {
  if (!isEmpty(call.params['id'])) return refuse('rest_user_exists', 'Cannot create existing user.');
  const preferences = preferencesIn(call);
  if (isRefusal(preferences)) return preferences;
  const { login = '', roles = ['subscriber'], ...fields } = userFields.input(call);
  const secret = secretIn(call, undefined) ?? '';
  const id = createAccount(call.model, { ...fields, ...preferences, login, roles, secret });
  if (isRefusal(id)) return id;
  const headers = { Location: `${namespaceUrl(call.model.site(), CONTENT)}/users/${id}` };
  return { ...shown(call, id), status: 201, headers };
}

export const userUpdate =
  (find: FindUser) =>
  (call: Call<Session>): Answer | Refusal => {
    const row = find(call);
    if (isRefusal(row)) return row;
    const preferences = preferencesIn(call);
    if (isRefusal(preferences)) return preferences;
    const secret = secretIn(call, row);
    const fields = { ...userFields.input(call), ...preferences, ...(secret === undefined ? {} : { secret }) };
    return changeAccount(call.model, row.id, { ...fields, actor: call.viewer.id }) ?? shown(call, row.id);
  };

export const userRemoval =
  (find: FindUser) =>
  (call: Call<Session>): Answer | Refusal => {
    const row = find(call);
    if (isRefusal(row)) return row;
    const { params, viewer, model } = call;
    if (params['force'] !== true) {
      return refuse('rest_trash_not_supported', "Users do not support trashing. Set 'force=true' to delete.");
    }
    const record = deletedRecord(userRecord(row, { context: 'edit', viewer, model }));
    const refusal = deleteAccount(model, row.id, Math.abs(idFrom(params['reassign'])));
    return refusal ?? { body: { kind: 'record', record }, noAllow: true };
  };

export const digests =
  (find: FindUser) =>
  (call: Call<Model>, texts: PreparedTexts): Promise<void> | undefined => {
    const row = find(call);
    const work = secretWork(call, isRefusal(row) ? undefined : row);
    return work === null ? undefined : texts.prepare([work]);
  };

function shown({ viewer, model }: Call<Session>, id: number): Answer {
  const row = model.user(id) as UserRow;
  return { body: { kind: 'record', record: userRecord(row, { context: 'edit', viewer, model }) } };
}

/** The preferences that editors store, in stored form; empty if they were not sent. Null clears them. */
function preferencesIn({ sent }: Call<Model>): Pick<ProfileFields, 'preferences'> | Refusal {
  const meta = sent('meta');
  if (typeof meta !== 'object' || meta === null || !Object.hasOwn(meta, 'persisted_preferences')) return {};
  const { persisted_preferences: value } = meta as Readonly<Record<string, unknown>>;
  if (value === null) return { preferences: '' };
  const members = membersOf(value);
  if (members === null) return invalid('rest_invalid_type', `${NAME} is not of type object.`, NAME);
  const modified = members.find(([name]) => name === '_modified')?.[1] ?? '';
  if (typeof modified !== 'string') {
    return invalid('rest_invalid_type', `${NAME}[_modified] is not of type string.`, `${NAME}[_modified]`);
  }
  if (modified !== '' && parseDate(modified) === null) return invalid('rest_invalid_date', 'Invalid date.', NAME);
  return { preferences: members.length === 0 ? '' : asciiJson(Object.fromEntries(members)) };
}

function invalid(code: string, message: string, param: string): Refusal {
  return { ...refuse(code, message), about: 'input', extra: { additional_data: [{ param }] } };
}

/** Digest of the password sent for a user; undefined if there is none. Keeps the salt of the current password. */
function secretIn(call: Call<Model>, user: User | undefined): string | undefined {
  const work = secretWork(call, user);
  return work === null ? undefined : resultOf(work.job, ...work.texts);
}

function secretWork({ sent, params }: Call<Model>, user: User | undefined): TextWork | null {
  if ((sent('password') ?? null) === null) return null;
  const salt = saltOf(user?.secret ?? '') || newAccountSalt(user?.login ?? String(params['username']));
  return { job: 'secretDigest', texts: [String(params['password']), salt] };
}

import { changeAccount, createAccount, deleteAccount } from '#commands/accounts.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { deletedRecord } from '../../engine/field.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { isEmpty } from '../entries/permissions.ts';
import { userFields, userRecord } from './fields.ts';
import type { FindUser } from './find.ts';
import { preferencesIn } from './preferences.ts';
import { secretIn } from './secret.ts';

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
  (call: Call<Model>): void => {
    const row = find(call);
    secretIn(call, isRefusal(row) ? undefined : row);
  };

function shown({ viewer, model }: Call<Session>, id: number): Answer {
  const row = model.user(id) as UserRow;
  return { body: { kind: 'record', record: userRecord(row, { context: 'edit', viewer, model }) } };
}

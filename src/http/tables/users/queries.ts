import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { pageOf } from '../../engine/listing.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { findUsers } from './collection.ts';
import { userRecord } from './fields.ts';
import { findMe, findUser } from './find.ts';

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

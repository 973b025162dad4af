import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { pageOf } from '../../engine/listing.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Answer, Call, Context, Route } from '../../engine/types.ts';
import {
  deleteMeArgs,
  meArgs,
  updateMeArgs,
  userCollectionArgs,
  userCreateArgs,
  userDeleteArgs,
  userItemArgs,
  userUpdateArgs,
} from './args.ts';
import { findUsers } from './collection.ts';
import { userRecord, userSchema } from './fields.ts';
import { type FindUser, findMe, findUser } from './find.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { mayCreateUser, mayDeleteUser, mayListUsers, mayShowUser, mayUpdateUser } from './permissions.ts';
import { digests, userCreation, userRemoval, userUpdate } from './writes.ts';

const namespace = 'cms/v2';
const depends = () => ['users', 'entries', 'site'];

const updating = (find: FindUser) => ({
  permission: mayUpdateUser(find),
  prepare: digests(find),
  command: userUpdate(find),
});

export function userRoutes(uses: Pick<PasswordUses, 'of'>): readonly Route<Model, Session>[] {
  return [
    ...resourceRoutes<Model, Session>({
      namespace,
      path: '/users',
      allowBatch: true,
      schema: userSchema,
      list: { args: userCollectionArgs, permission: mayListUsers, query: listUsers, depends },
      create: { args: userCreateArgs, permission: mayCreateUser, prepare: digests(findUser), command: userCreation },
      show: { args: userItemArgs, permission: mayShowUser, query: showUser, depends },
      update: { args: userUpdateArgs, ...updating(findUser) },
      remove: { args: userDeleteArgs, permission: mayDeleteUser(findUser), command: userRemoval(findUser) },
    }),
    meRoute,
    ...passwordRoutes(uses),
  ];
}

const meRoute: Route<Model, Session> = {
  namespace,
  pattern: `/${namespace}/users/me`,
  schema: userSchema,
  endpoints: [
    { methods: ['GET'], args: meArgs, permission: () => null, query: showMe, depends },
    { methods: ['POST', 'PUT', 'PATCH'], args: updateMeArgs, ...updating(findMe) },
    { methods: ['DELETE'], args: deleteMeArgs, permission: mayDeleteUser(findMe), command: userRemoval(findMe) },
  ],
};

function showUser(call: Call<Model>): Answer | Refusal {
  const row = findUser(call);
  return isRefusal(row) ? row : shown(call, row);
}

function showMe(call: Call<Model>): Answer | Refusal {
  const row = findMe(call);
  return isRefusal(row) ? refuse('rest_not_logged_in', 'You are not currently logged in.') : shown(call, row);
}

function listUsers(call: Call<Model>): Answer {
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

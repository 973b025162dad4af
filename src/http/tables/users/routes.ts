import type { Session } from '#commands/session.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/reading/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Route } from '../../engine/types.ts';
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
import { userSchema } from './fields.ts';
import { type FindUser, findMe, findUser } from './find.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { mayCreateUser, mayDeleteUser, mayListUsers, mayShowUser, mayUpdateUser } from './permissions.ts';
import { listUsers, showMe, showUser } from './queries.ts';
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

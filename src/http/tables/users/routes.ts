import type { Session } from '#commands/session.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/reading/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Route } from '../../engine/types.ts';
import {
  collectionArgs,
  createArgs,
  deleteArgs,
  deleteMeArgs,
  itemArgs,
  meArgs,
  updateArgs,
  updateMeArgs,
} from './args.ts';
import { userSchema } from './fields.ts';
import { type FindUser, findMe, findUser } from './find.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { mayCreate, mayDelete, mayList, mayShow, mayUpdate } from './permissions.ts';
import { listUsers, showMe, showUser } from './queries.ts';
import { create, digests, remove, update } from './writes.ts';

const namespace = 'cms/v2';
const depends = () => ['users', 'entries', 'site'];

const updating = (find: FindUser) => ({
  permission: mayUpdate(find),
  prepare: digests(find),
  command: update(find),
});

export function userRoutes(uses: Pick<PasswordUses, 'of'>): readonly Route<Model, Session>[] {
  return [
    ...resourceRoutes<Model, Session>({
      namespace,
      path: '/users',
      allowBatch: true,
      schema: userSchema,
      list: { args: collectionArgs, permission: mayList, query: listUsers, depends },
      create: { args: createArgs, permission: mayCreate, prepare: digests(findUser), command: create },
      show: { args: itemArgs, permission: mayShow, query: showUser, depends },
      update: { args: updateArgs, ...updating(findUser) },
      remove: { args: deleteArgs, permission: mayDelete(findUser), command: remove(findUser) },
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
    { methods: ['DELETE'], args: deleteMeArgs, permission: mayDelete(findMe), command: remove(findMe) },
  ],
};

import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args, Route } from '../../engine/types.ts';
import { resourceRoutes } from '../records/resource.ts';
import {
  contextArg,
  excludeArg,
  includeArg,
  inSecondPass,
  itemIdArg,
  offsetArg,
  orderArg,
  pagingArgs,
} from '../records/usual-args.ts';
import { checkReassign, userFields, userSchema } from './fields.ts';
import { passwordRoutes } from './passwords.ts';
import {
  type FindUser,
  findMe,
  findUser,
  mayCreateUser,
  mayDeleteUser,
  mayListUsers,
  mayShowUser,
  mayUpdateUser,
} from './permissions.ts';
import { listUsers, showMe, showUser } from './reads.ts';
import { digests, userCreation, userRemoval, userUpdate } from './writes.ts';

const namespace = 'cms/v2';

const userItemArgs: Args<Model> = {
  id: itemIdArg('user'),
  context: contextArg,
};

const written = userFields.args();

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

const meArgs: Args<Model> = { context: contextArg };
const updateMeArgs = written;

const deleteMeArgs: Args<Model> = {
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as users do not support trashing.'),
    pass: 2,
  },
  reassign: {
    schema: z.int().describe("Reassign the deleted user's posts and links to this user ID."),
    required: true,
    check: checkReassign,
  },
};

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

const required = (name: string): Arg<Model> => ({ ...written[name]!, required: true });

const userCreateArgs: Args<Model> = {
  ...written,
  username: required('username'),
  email: required('email'),
  password: required('password'),
};

const userUpdateArgs: Args<Model> = { id: userItemArgs['id']!, ...written };
const userDeleteArgs: Args<Model> = { id: userItemArgs['id']!, ...deleteMeArgs };

const words = (what: string) => z.array(z.string()).describe(what);

const orders = ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'] as const;
const columns = ['email', 'name', 'id', 'username', 'slug'] as const;
const kinds = ['post', 'page', 'attachment'] as const;

const userCollectionArgs: Args<Model> = {
  ...pagingArgs,
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg('asc'),
  orderby: inSecondPass(z.enum(orders).default('name').describe('Sort collection by user attribute.')),
  slug: inSecondPass(words('Limit result set to users with one or more specific slugs.')),
  roles: inSecondPass(words('Limit result set to users with one of the roles.')),
  capabilities: inSecondPass(words('Limit result set to users whose role has one of the capabilities.')),
  who: inSecondPass(z.enum(['authors']).describe('Limit result set to users who are considered authors.')),
  has_published_posts: inSecondPass(
    z.union([z.boolean(), z.array(z.enum(kinds))]).describe('Limit result set to users who have published posts.'),
  ),
  search_columns: inSecondPass(z.array(z.enum(columns)).default([]).describe('Array of column names to be searched.')),
};

import type { Session } from '#commands/session.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Route } from '../../engine/types.ts';
import { collectionArgs, itemArgs, meArgs } from './args.ts';
import { userSchema } from './fields.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { mayList, mayShow } from './permissions.ts';
import { listUsers, showMe, showUser } from './queries.ts';

const namespace = 'cms/v2';
/** Who may be seen depends on what was published. */
const depends = () => ['users', 'entries', 'site'];

/** Users can be looked at, and have application passwords; accounts are made and changed by the operator. */
export function userRoutes(uses: Pick<PasswordUses, 'of'>): readonly Route<Model, Session>[] {
  const me = { args: meArgs, permission: () => null, query: showMe, depends };
  return [
    ...resourceRoutes<Model, Session>({
      namespace,
      path: '/users',
      schema: userSchema,
      list: { args: collectionArgs, permission: mayList, query: listUsers, depends },
      show: { args: itemArgs, permission: mayShow, query: showUser, depends },
    }),
    { namespace, pattern: `/${namespace}/users/me`, schema: userSchema, endpoints: [{ methods: ['GET'], ...me }] },
    ...passwordRoutes(uses),
  ];
}

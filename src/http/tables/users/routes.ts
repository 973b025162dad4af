import type { Session } from '#commands/session.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { Model } from '#projections/model.ts';
import type { QueryEndpoint, Route } from '../../engine/types.ts';
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
  return [
    route('/users', { args: collectionArgs, permission: mayList, query: listUsers }),
    route('/users/(?P<id>[\\d]+)', { args: itemArgs, permission: mayShow, query: showUser }),
    route('/users/me', { args: meArgs, permission: () => null, query: showMe }),
    ...passwordRoutes(uses),
  ];
}

function route(
  path: string,
  endpoint: Pick<QueryEndpoint<Model>, 'args' | 'permission' | 'query'>,
): Route<Model, Session> {
  return {
    namespace,
    pattern: `/${namespace}${path}`,
    schema: userSchema,
    endpoints: [{ methods: ['GET'], ...endpoint, depends }],
  };
}

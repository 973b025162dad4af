import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { allTermKinds, type TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { pastOfCollection, pastOfItem } from '../entries/permissions.ts';
import { termCollectionArgs, termCreateArgs, termDeleteArgs, termItemArgs, termUpdateArgs } from './args.ts';
import { termSchema } from './fields.ts';
import { findTerm } from './find.ts';
import { mayCreateTerm, mayDeleteTerm, mayListTerms, mayShowTerm, mayUpdateTerm } from './permissions.ts';
import { listTerms, showTerm } from './queries.ts';
import { termCreation, termRemoval, termUpdate } from './writes.ts';

export function termRoutes(): readonly Route<Model, Session>[] {
  return allTermKinds.flatMap(routesOf);
}

const depends = () => ['terms', 'entries', 'site'];

function versionOf(kind: TermKind): (call: Call<Model>) => string | null {
  return (call) => {
    const row = findTerm(call, kind);
    return isRefusal(row) ? null : String(row.touched);
  };
}

function routesOf(kind: TermKind): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: 'cms/v2',
    path: `/${kind.base}`,
    allowBatch: true,
    schema: () => termSchema(kind),
    version: versionOf(kind),
    list: {
      args: termCollectionArgs(kind),
      past: pastOfCollection,
      permission: mayListTerms(kind),
      query: listTerms(kind),
      depends,
    },
    create: { args: termCreateArgs(kind), permission: mayCreateTerm(kind), command: termCreation(kind) },
    show: { args: termItemArgs, past: pastOfItem, permission: mayShowTerm(kind), query: showTerm(kind), depends },
    update: { args: termUpdateArgs(kind), permission: mayUpdateTerm(kind), command: termUpdate(kind) },
    remove: { args: termDeleteArgs, permission: mayDeleteTerm(kind), command: termRemoval(kind) },
  });
}

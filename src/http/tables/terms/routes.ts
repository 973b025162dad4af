import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { allTermKinds, type TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { pastOfCollection, pastOfItem } from '../entries/permissions.ts';
import { collectionArgs, createArgs, deleteArgs, itemArgs, updateArgs } from './args.ts';
import { termSchema } from './fields.ts';
import { findTerm } from './find.ts';
import { mayCreate, mayDelete, mayList, mayShow, mayUpdate } from './permissions.ts';
import { listTerms, showTerm } from './queries.ts';
import { create, remove, update } from './writes.ts';

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
      args: collectionArgs(kind),
      past: pastOfCollection,
      permission: mayList(kind),
      query: listTerms(kind),
      depends,
    },
    create: { args: createArgs(kind), permission: mayCreate(kind), command: create(kind) },
    show: { args: itemArgs, past: pastOfItem, permission: mayShow(kind), query: showTerm(kind), depends },
    update: { args: updateArgs(kind), permission: mayUpdate(kind), command: update(kind) },
    remove: { args: deleteArgs, permission: mayDelete(kind), command: remove(kind) },
  });
}

import type { VisitorLimit } from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { pastOfCollection, pastOfItem } from '../entries/permissions.ts';
import { collectionArgs, createArgs, deleteArgs, itemArgs, updateArgs } from './args.ts';
import { commentSchema } from './fields.ts';
import { findComment } from './find.ts';
import { mayCreate, mayDelete, mayList, mayShow, mayUpdate } from './permissions.ts';
import { listComments, showComment } from './queries.ts';
import { create, remove, update } from './writes.ts';

export function commentRoutes(visitors: VisitorLimit): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: CONTENT,
    path: '/comments',
    schema: commentSchema,
    version: versionOf,
    list: {
      args: collectionArgs,
      past: pastOfCollection,
      ...{ permission: mayList, query: listComments, depends },
    },
    create: { args: createArgs, permission: mayCreate(visitors.limit > 0), command: create(visitors) },
    show: { args: itemArgs, past: pastOfItem, permission: mayShow, query: showComment, depends },
    update: { args: updateArgs, permission: mayUpdate, command: update },
    remove: { args: deleteArgs, permission: mayDelete, command: remove },
  });
}

const depends = () => ['comments', 'entries', 'media', 'users', 'site'];

function versionOf(call: Call<Model>): string | null {
  const row = findComment(call);
  return isRefusal(row) ? null : String(row.touched);
}

import type { VisitorLimit } from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { pastOfCollection, pastOfItem } from '../entries/permissions.ts';
import {
  commentCollectionArgs,
  commentCreateArgs,
  commentDeleteArgs,
  commentItemArgs,
  commentUpdateArgs,
} from './args.ts';
import { commentSchema } from './fields.ts';
import { findComment } from './find.ts';
import {
  mayCreateComment,
  mayDeleteComment,
  mayListComments,
  mayShowComment,
  mayUpdateComment,
} from './permissions.ts';
import { listComments, showComment } from './queries.ts';
import { commentCreation, commentRemoval, commentUpdate } from './writes.ts';

export function commentRoutes(visitors: VisitorLimit): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: CONTENT,
    path: '/comments',
    schema: commentSchema,
    version: versionOf,
    list: {
      args: commentCollectionArgs,
      past: pastOfCollection,
      ...{ permission: mayListComments, query: listComments, depends },
    },
    create: {
      args: commentCreateArgs,
      permission: mayCreateComment(visitors.limit > 0),
      command: commentCreation(visitors),
    },
    show: { args: commentItemArgs, past: pastOfItem, permission: mayShowComment, query: showComment, depends },
    update: { args: commentUpdateArgs, permission: mayUpdateComment, command: commentUpdate },
    remove: { args: commentDeleteArgs, permission: mayDeleteComment, command: commentRemoval },
  });
}

const depends = () => ['comments', 'entries', 'media', 'users', 'site'];

function versionOf(call: Call<Model>): string | null {
  const row = findComment(call);
  return isRefusal(row) ? null : String(row.touched);
}

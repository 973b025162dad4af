import { z } from 'zod';
import type { VisitorLimit } from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import type { Args, Call, Route } from '../../engine/types.ts';
import { pastOfCollection } from '../entries/permissions.ts';
import { resourceRoutes } from '../records/resource.ts';
import {
  contextArg,
  excludeArg,
  idListArg,
  includeArg,
  inSecondPass,
  itemIdArg,
  offsetArg,
  orderArg,
  pagingArgs,
} from '../records/usual-args.ts';
import { checkAuthorEmail, commentBodyArgs, commentSchema } from './fields.ts';
import {
  findComment,
  mayCreateComment,
  mayDeleteComment,
  mayListComments,
  mayShowComment,
  mayUpdateComment,
  pastOfComment,
} from './permissions.ts';
import { listComments, showComment } from './reads.ts';
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
      permission: mayListComments,
      query: listComments,
      depends,
    },
    create: {
      args: commentCreateArgs,
      permission: mayCreateComment(visitors.limit > 0),
      command: commentCreation(visitors),
    },
    show: { args: commentItemArgs, past: pastOfComment, permission: mayShowComment, query: showComment, depends },
    update: { args: commentUpdateArgs, permission: mayUpdateComment, command: commentUpdate },
    remove: { args: commentDeleteArgs, permission: mayDeleteComment, command: commentRemoval },
  });
}

const depends = () => ['comments', 'entries', 'media', 'users', 'site'];

function versionOf(call: Call<Model>): string | null {
  const row = findComment(call);
  return isRefusal(row) ? null : String(row.touched);
}

const ids = (what: string) => z.array(z.int()).describe(what);
const time = (what: string) => z.string().meta({ format: 'date-time', description: what });

const idArg = itemIdArg('comment');
const passwordArg = inSecondPass(
  z.string().describe('The password for the parent post of the comment (if the post is password protected).'),
);

const commentItemArgs: Args<Model> = { id: idArg, context: contextArg, password: passwordArg };

const commentCreateArgs: Args<Model> = commentBodyArgs;

const commentUpdateArgs: Args<Model> = { id: idArg, ...commentBodyArgs };

const commentDeleteArgs: Args<Model> = {
  id: idArg,
  force: inSecondPass(z.boolean().default(false).describe('Whether to bypass Trash and force deletion.')),
  password: passwordArg,
};

const orders = ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'] as const;

const commentCollectionArgs: Args<Model> = {
  ...pagingArgs,
  per_page: { ...pagingArgs['per_page']!, embedded: 10 },
  after: inSecondPass(time('Limit response to comments published after a given ISO8601 compliant date.')),
  author: inSecondPass(ids('Limit result set to comments assigned to specific user IDs. Requires authorization.')),
  author_exclude: inSecondPass(
    ids('Ensure result set excludes comments assigned to specific user IDs. Requires authorization.'),
  ),
  author_email: {
    schema: z.string().meta({
      format: 'email',
      default: null,
      description: 'Limit result set to that from a specific author email. Requires authorization.',
    }),
    pass: 2,
    check: checkAuthorEmail,
  },
  before: inSecondPass(time('Limit response to comments published before a given ISO8601 compliant date.')),
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg('desc'),
  orderby: inSecondPass(z.enum(orders).default('date_gmt').describe('Sort collection by comment attribute.')),
  parent: idListArg('Limit result set to comments of specific parent IDs.'),
  parent_exclude: idListArg('Ensure result set excludes specific parent IDs.'),
  post: idListArg('Limit result set to comments assigned to specific post IDs.'),
  status: {
    schema: z
      .string()
      .default('approve')
      .describe('Limit result set to comments assigned a specific status. Requires authorization.'),
  },
  type: {
    schema: z
      .string()
      .default('comment')
      .describe('Limit result set to comments assigned a specific type. Requires authorization.'),
  },
  password: inSecondPass(z.string().describe('The password for the post if it is password protected.')),
};

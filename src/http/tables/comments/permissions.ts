import { moderates } from '#domain/comment/rights.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import {
  type CommentHost,
  canEditComment,
  canReadComment,
  commentHostOf,
  hostPassword,
  hostRights,
  hostStatus,
  isOpenToComments,
  rightsOver,
  takesNotes,
} from '#site/comments.ts';
import { listOf } from '#text/shapes.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, RoutePast } from '../../engine/types.ts';
import { tooManyAttempts } from '../../message/attempts.ts';
import { hiddenUnless, isEmpty, pastOfItem } from '../entries/permissions.ts';

/** Permissions for comments (interface behaviour, section 35); the first refusal that applies is returned. */

type Permission = (call: Call<Model>) => Refusal | null;

export const mayListComments: Permission = (call) => {
  const { params } = call;
  const posts = (listOf(params['post'] ?? []) ?? []).map(idFrom);
  for (const post of posts) {
    const refusal = mayListOn(call, post, posts.length === 1);
    if (refusal !== null) return refusal;
  }
  return mayEditThese(call, posts) ?? forbiddenParameter(call);
};

export const mayShowComment: Permission = (call) => {
  const comment = findComment(call);
  if (isRefusal(comment)) return comment;
  const { viewer, model } = call;
  if (isEditing(call, comment) && !seesAll(call, comment)) return noContext;
  const host = commentHostOf(comment.post, model);
  const refusal = host && guessRefusal(call, host);
  if (refusal !== null) return refusal;
  const password = sentPassword(call);
  if (!canReadComment(viewer, comment, model, password)) {
    return refuse('rest_cannot_read', 'Sorry, you are not allowed to read this comment.');
  }
  const rights = hostRights(viewer, comment, model, password);
  return rights === null || rights.isReadable ? null : noHost;
};

/** `visitors`: whether visitors without an account may comment. */
export const mayCreateComment =
  (visitors: boolean): Permission =>
  (call) => {
    const { params, sent, viewer, model, request } = call;
    const isNote = params['type'] === 'note';
    if (viewer.id === 0 && (isNote || !visitors)) {
      return refuse('rest_comment_login_required', 'Sorry, you must be logged in to comment.');
    }
    const isFree = moderates(viewer);
    if (sent('author') !== undefined && idFrom(params['author']) !== viewer.id && !isFree) return notYours('author');
    if (sent('author_ip') !== undefined && params['author_ip'] !== request.peer && !isFree)
      return notYours('author_ip');
    const host = commentHostOf(postIn(params), model);
    const isHosts = host !== null && rightsOver(host, viewer, model).isEditable;
    if (sent('status') !== undefined && !(isNote ? isHosts : isFree)) return notYours('status');
    if (host === null) {
      return refuse(
        'rest_comment_invalid_post_id',
        'Sorry, you are not allowed to create this comment without a post.',
      );
    }
    return isNote ? mayNote(host, isHosts) : mayComment(call, host);
  };

export const mayUpdateComment: Permission = (call) => {
  const comment = findComment(call);
  if (isRefusal(comment)) return comment;
  const { params, sent, viewer, model } = call;
  if (!canEditComment(viewer, comment, model)) return noEdit;
  if (sent('post') === undefined || isEmpty(params['post'])) return null;
  const host = commentHostOf(postIn(params), model);
  if (host === null) return { ...refuse('rest_comment_invalid_post_id', 'Invalid post ID.') };
  return moderates(viewer) || rightsOver(host, viewer, model).isEditable ? null : noEdit;
};

/** The past of a comment, as `as_of` shows it. */
export const pastOfComment: RoutePast<Model> = {
  ...pastOfItem,
  hidden: hiddenUnless(
    (call) => {
      const comment = findComment(call);
      return !isRefusal(comment) && canReadComment(call.viewer, comment, call.model, undefined);
    },
    refuse('rest_comment_invalid_id', 'Invalid comment ID.'),
  ),
};

export const mayDeleteComment: Permission = (call) => {
  const comment = findComment(call);
  if (isRefusal(comment)) return comment;
  return canEditComment(call.viewer, comment, call.model)
    ? null
    : refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete this comment.');
};

const noEdit = refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this comment.');
const noHost = refuse('rest_cannot_read_post', 'Sorry, you are not allowed to read the post for this comment.');
const noContext = refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit comments.');

function notYours(what: string): Refusal {
  return refuse(`rest_comment_invalid_${what}`, `Sorry, you are not allowed to edit '${what}' for comments.`);
}

function postIn(params: Call<Model>['params']): number {
  return Array.isArray(params['post']) ? 0 : idFrom(params['post']);
}

function mayNote(host: CommentHost, isHosts: boolean): Refusal | null {
  if (!takesNotes(host))
    return refuse('rest_comment_not_supported_post_type', 'Sorry, this post type does not support notes.');
  if (!isHosts) return refuse('rest_cannot_create_note', 'Sorry, you are not allowed to create notes for this post.');
  return hostStatus(host) === 'trash' ? trashed : null;
}

const trashed = refuse('rest_comment_trash_post', 'Sorry, you are not allowed to create a comment on this post.');

function mayComment(call: Call<Model>, host: CommentHost): Refusal | null {
  const { viewer, model } = call;
  const status = hostStatus(host);
  if (status === 'draft') {
    return refuse('rest_comment_draft_post', 'Sorry, you are not allowed to create a comment on this post.');
  }
  if (status === 'trash') return trashed;
  const refusal = guessRefusal(call, host);
  if (refusal !== null) return refusal;
  if (!rightsOver(host, viewer, model, sentPassword(call)).isReadable) return noHost;
  return isOpenToComments(host) ? null : refuse('rest_comment_closed', 'Sorry, comments are closed for this item.');
}

/** Permission for one of the posts that a collection is limited to. A password only counts if the post is the only one. */
function mayListOn(call: Call<Model>, post: number, isOnly: boolean): Refusal | null {
  const { viewer, model, params } = call;
  const host = commentHostOf(post, model);
  if (host !== null) {
    if (params['type'] === 'note' && !takesNotes(host) && rightsOver(host, viewer, model).isEditable) {
      return refuse('rest_comment_not_supported_post_type', 'Sorry, this post type does not support notes.');
    }
    const refusal = isOnly ? guessRefusal(call, host) : null;
    if (refusal !== null) return refusal;
    return rightsOver(host, viewer, model, isOnly ? sentPassword(call) : '').isReadable ? null : noHost;
  }
  return post === 0 && !moderates(viewer)
    ? refuse('rest_cannot_read', 'Sorry, you are not allowed to read comments without a post.')
    : null;
}

/** In context edit, comments are for moderators, and notes for users who may edit their hosts. */
function mayEditThese({ params, viewer, model }: Call<Model>, posts: readonly number[]): Refusal | null {
  if (params['context'] !== 'edit') return null;
  if (params['type'] !== 'note' || posts.length === 0) return moderates(viewer) ? null : noContext;
  const isEditable = (post: number) => {
    const host = commentHostOf(post, model);
    return host !== null && rightsOver(host, viewer, model).isEditable;
  };
  return posts.every(isEditable) ? null : noContext;
}

/** Readers may list only approved comments, and not by author. Methods other than GET (`Allow`) have no defaults of these parameters. */
function forbiddenParameter({ method, params, viewer }: Call<Model>): Refusal | null {
  if (may(viewer, 'edit_posts')) return null;
  const forbidden = ['author', 'author_exclude', 'author_email'].filter((name) => !isEmpty(params[name]));
  const isRead = method === 'GET';
  if (!isRead || wordOf(params['type']) !== 'comment') forbidden.push('type');
  if (!isRead || wordOf(params['status']) !== 'approve') forbidden.push('status');
  return forbidden.length === 0
    ? null
    : refuse('rest_forbidden_param', `Query parameter not permitted: ${forbidden.join(', ')}`);
}

/** Writes respond in context edit, so `Allow` is computed for that context. */
function isEditing(call: Call<Model>, comment: CommentRow): boolean {
  const { method, params, viewer, model } = call;
  return (
    params['context'] === 'edit' || (!['GET', 'OPTIONS'].includes(method) && canEditComment(viewer, comment, model))
  );
}

function seesAll({ viewer, model }: Call<Model>, comment: CommentRow): boolean {
  return comment.kind === 'note' ? canEditComment(viewer, comment, model) : moderates(viewer);
}

/** The password of the host in the request; '' for none. */
export function sentPassword({ params }: Call<Model>): string {
  const { password } = params;
  return typeof password === 'string' ? password : '';
}

function guessRefusal(call: Call<Model>, host: CommentHost): Refusal | null {
  const [own, sent] = [hostPassword(host), sentPassword(call)];
  if (own === '' || sent === '') return null;
  const attempt = call.request.attempt?.(host.row.id);
  if (attempt === undefined) return null;
  if (attempt.wait > 0) return tooManyAttempts(attempt.wait);
  if (own !== sent) attempt.failed();
  return null;
}

export function findComment({ params, model }: Call<Model>): CommentRow | Refusal {
  const id = idFrom(params['id']);
  const comment = id > 0 ? model.comments.get(id) : undefined;
  return comment ?? refuse('rest_comment_invalid_id', 'Invalid comment ID.');
}

/** Normalises a status or type: lower case, without punctuation. */
export function wordOf(sent: unknown): string {
  return typeof sent === 'string' ? sent.toLowerCase().replace(/[^a-z0-9_-]/g, '') : '';
}

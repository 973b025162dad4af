import * as comments from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import { moderates } from '#domain/comment/rights.ts';
import { commentKinds } from '#domain/comment/vocabulary.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import { commentHostOf, rightsOver } from '#site/comments/hosts.ts';
import { canEditComment } from '#site/comments/rights.ts';
import { deletedRecord } from '../../engine/field.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { isEmpty } from '../entries/permissions.ts';
import { commentMetaRefusal, fieldsIn } from './body.ts';
import { findComment } from './find.ts';
import { commentsUrl, recordIn, shownComment } from './queries.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

/** `visitors`: the limit for visitors without an account. */
export const commentCreation =
  (visitors: comments.VisitorLimit): Command =>
  (call) => {
    const { params, viewer, model } = call;
    if (!isEmpty(params['id'])) return refuse('rest_comment_exists', 'Cannot create existing comment.');
    const kind = commentKinds.find((known) => known === params['type']) ?? 'comment';
    if (!isEmpty(params['type']) && params['type'] !== kind) {
      return refuse('rest_invalid_comment_type', 'Cannot create a comment with that type.');
    }
    const fields = fieldsIn(call, null);
    const { post = 0 } = fields;
    const id = comments.writeComment(model, { ...fields, kind, post }, visitors);
    if (isRefusal(id)) return id;
    const host = commentHostOf(post, model);
    const isHosts = host !== null && rightsOver(host, viewer, model).isEditable;
    const refusal = commentMetaRefusal(call, null, isHosts || moderates(viewer));
    if (refusal !== null) return refusal;
    const headers = { Location: `${commentsUrl(model)}/${id}` };
    return { ...after(call, id, moderates(viewer) ? 'edit' : 'view'), status: 201, headers };
  };

export const commentUpdate: Command = (call) => {
  const row = findComment(call);
  if (isRefusal(row)) return row;
  const type = call.sent('type') ?? row.kind;
  if (type !== row.kind)
    return refuse('rest_comment_invalid_type', 'Sorry, you are not allowed to change the comment type.');
  const refusal =
    comments.changeComment(call.model, row.id, fieldsIn(call, row)) ??
    commentMetaRefusal(call, row, canEditComment(call.viewer, row, call.model));
  return refusal ?? after(call, row.id, 'edit');
};

export const commentRemoval: Command = (call) => {
  const row = findComment(call);
  if (isRefusal(row)) return row;
  if (call.params['force'] !== true) return comments.trashComment(call.model, row.id) ?? after(call, row.id, 'edit');
  const record = deletedRecord(recordIn('edit', call, row), call.wants);
  comments.deleteComment(call.model, row.id);
  return { body: { kind: 'record', record }, noAllow: true };
};

function after(call: Call<Session>, id: number, context: Context): Answer {
  return shownComment(call, call.model.comments.get(id) as CommentRow, context);
}

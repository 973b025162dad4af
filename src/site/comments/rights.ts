import { type HostRights, mayEditComment, mayReadComment } from '#domain/comment/rights.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { commentHostOf, rightsOver } from './hosts.ts';

/** `password`: that of the host, as sent in the request. */
export function canReadComment(viewer: Viewer, comment: CommentRow, model: Model, password = ''): boolean {
  return mayReadComment(viewer, comment, hostRights(viewer, comment, model, password));
}

export function canEditComment(viewer: Viewer, comment: CommentRow, model: Model): boolean {
  return mayEditComment(viewer, hostRights(viewer, comment, model));
}

export function methodsForComment(viewer: Viewer, comment: CommentRow, model: Model): readonly string[] {
  const methods = canReadComment(viewer, comment, model) ? ['GET'] : [];
  return canEditComment(viewer, comment, model) ? [...methods, 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
}

/** The viewer's rights over a comment's host; null if there is none. */
export function hostRights(viewer: Viewer, comment: CommentRow, model: Model, password = ''): HostRights | null {
  const host = commentHostOf(comment.post, model);
  return host && rightsOver(host, viewer, model, password);
}

import { may, type Viewer } from '#domain/user/roles.ts';
import type { Comment } from './state.ts';

export interface HostRights {
  readonly isReadable: boolean;
  readonly isEditable: boolean;
}

export type OwnedComment = Pick<Comment, 'kind' | 'post' | 'author' | 'status'>;

export function moderates(viewer: Viewer): boolean {
  return may(viewer, 'moderate_comments');
}

/** Whether the viewer may see a comment. Approved ones: every reader of the host; others: the author and users who may edit the host. */
export function mayReadComment(viewer: Viewer, comment: OwnedComment, host: HostRights | null): boolean {
  const { kind, post, author, status } = comment;
  if (kind !== 'note' && host?.isReadable === true && status === 'approved') return true;
  if (viewer.id === 0) return false;
  if (post === 0 && !moderates(viewer)) return false;
  return author === viewer.id || mayEditCommentOn(viewer, host);
}

/** Whether the viewer may change or delete a comment: moderators and those who may edit the host. Being its author is not enough. */
export function mayEditComment(viewer: Viewer, host: HostRights | null): boolean {
  return moderates(viewer) || mayEditCommentOn(viewer, host);
}

function mayEditCommentOn(viewer: Viewer, host: HostRights | null): boolean {
  return host === null ? may(viewer, 'edit_posts') : host.isEditable;
}

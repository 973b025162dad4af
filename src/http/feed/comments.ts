import { codec } from '#catalogue/events.ts';
import type { CommentEvent } from '#domain/comment/events.ts';
import { type HostRights, mayEditComment, mayReadComment, type OwnedComment } from '#domain/comment/rights.ts';
import { type Comment, commentStream, evolveComment } from '#domain/comment/state.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { mayEdit } from '#domain/entry/rights.ts';
import { mayEditMedia } from '#domain/media/rights.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type AccessState, type AccessStates, createStates, isReadable } from './access-states.ts';
import { isMediaReadable, type MediaAccess, type MediaAccessStates } from './media.ts';

export interface CommentAccess {
  readonly comment: OwnedComment;
  /** What the comment is on; null: nothing. */
  readonly host: HostAccess | null;
}

type HostAccess = { readonly entry: AccessState } | { readonly media: MediaAccess };

export interface CommentAccessStates {
  readonly step: (
    id: number,
    stored: StoredEvent,
  ) => { readonly before: CommentAccess | null; readonly after: CommentAccess | null };
}

interface Reached {
  readonly comment: Comment;
  readonly at: number;
}

export function createCommentAccessStates(
  read: EventStore['read'],
  { entries, media }: { readonly entries: AccessStates; readonly media: MediaAccessStates },
): CommentAccessStates {
  const hostAt = (post: number, position: number): HostAccess | null => {
    if (post === 0) return null;
    const entry = entries.asOf(post, position);
    if (entry !== null) return { entry };
    const item = media.asOf(post, position);
    return item && { media: item };
  };
  const move = (before: Reached | null, stored: StoredEvent): Reached | null => {
    const known = before && settled(before, hostAt(before.comment.post, stored.position - 1));
    const comment = evolveComment(known, codec.decode(stored) as CommentEvent);
    const texts = { name: '', email: '', url: '', ip: '', agent: '', content: '' };
    return comment && { comment: { ...comment, ...texts }, at: stored.position };
  };
  const comments = createStates({ read, streamOf: commentStream, move });
  const standing = (state: Reached | null, position: number): CommentAccess | null => {
    if (state === null) return null;
    const host = hostAt(state.comment.post, position);
    const { kind, post, author, status } = settled(state, host);
    // The comment was deleted with its host.
    if (host === null && post !== 0) return null;
    return { comment: { kind, post, author, status }, host };
  };
  return {
    step: (id, stored) => ({
      before: standing(comments.at(id, stored.revision - 1), stored.position - 1),
      after: standing(comments.after(id, stored), stored.position),
    }),
  };
}

function settled({ comment, at }: Reached, host: HostAccess | null): Comment {
  const isTrashed = host !== null && 'entry' in host && host.entry.trashedAt > at;
  return isTrashed ? { ...comment, status: 'post-trashed' } : comment;
}

export function isCommentReadable(viewer: Viewer, standing: CommentAccess | null): boolean {
  return standing !== null && mayReadComment(viewer, standing.comment, hostRights(viewer, standing));
}

export function isCommentEditable(viewer: Viewer, standing: CommentAccess | null): boolean {
  return standing !== null && mayEditComment(viewer, hostRights(viewer, standing));
}

function hostRights(viewer: Viewer, { host }: CommentAccess): HostRights | null {
  if (host === null) return null;
  if ('media' in host) {
    const isEditable = mayEditMedia(viewer, { author: host.media.item.author });
    return { isReadable: isMediaReadable(viewer, host.media), isEditable };
  }
  const { entry } = host;
  const isEditable = mayEdit(viewer, kindOf(entry.kind), entry);
  return { isReadable: entry.isProtected ? isEditable : isReadable(viewer, entry), isEditable };
}

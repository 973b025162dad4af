import { countLinks, renderComment } from '#blocks/render-comment.ts';
import type { CommentFacts, CommentFields, ModerationFacts, NewComment, Signature } from '#domain/comment/commands.ts';
import * as decide from '#domain/comment/decide.ts';
import type { CommentEvent } from '#domain/comment/events.ts';
import { networkOf } from '#domain/comment/network.ts';
import { moderates } from '#domain/comment/rights.ts';
import { commentStream } from '#domain/comment/state.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { storedName } from '#domain/term/text.ts';
import { addSeconds } from '#domain/time/local.ts';
import { anonymous, viewerOf } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import { addressDigest } from './addresses.ts';
import type { Session } from './session.ts';

export interface VisitorLimit {
  readonly limit: number;
}

/** Writes a comment. Returns its id. */
export function writeComment(session: Session, fields: NewComment, visitors: VisitorLimit): number | Refusal {
  const facts = factsFor(session);
  const events = decide.writeComment(fields, facts, moderationFacts(session, fields, visitors));
  return stage(session, facts.nextComment, events) ?? facts.nextComment;
}

export function changeComment(session: Session, id: number, fields: CommentFields): Refusal | null {
  return stage(session, id, decide.changeComment(load(session, id), fields, factsFor(session)));
}

/** Moves a comment to the trash; a note takes its open replies along. */
export function trashComment(session: Session, id: number): Refusal | null {
  const comment = load(session, id);
  const refusal = stage(session, id, decide.trashComment(comment));
  if (refusal !== null || comment.kind !== 'note' || comment.parent !== 0) return refusal;
  for (const answer of session.comments.table.answers(id)) {
    const note = session.comments.get(answer);
    const isOpen = note?.kind === 'note' && (note.status === 'approved' || note.status === 'hold');
    if (isOpen) stage(session, answer, decide.trashComment(note));
  }
  return null;
}

/** Deletes a comment permanently. The same event moves its replies to its parent. */
export function deleteComment(session: Session, id: number): void {
  session.stage(commentStream(id), decide.deleteComment(load(session, id)));
}

function stage(session: Session, id: number, events: readonly CommentEvent[] | Refusal): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(commentStream(id), events);
  return null;
}

function load(session: Session, id: number): CommentRow {
  const comment = session.comments.get(id);
  if (comment === undefined) throw new Error(`there is no comment ${id}`);
  return comment;
}

function factsFor(session: Session): CommentFacts {
  return {
    now: session.now,
    nextComment: session.next.nextComment,
    actor: (session.viewer ?? anonymous).id,
    user(id) {
      const user = session.user(id);
      return user && { name: storedName(user.displayName), email: user.email, url: user.url };
    },
    digest: (email) => addressDigest(session, email),
  };
}

const hour = 3600;
const quarter = 900;

function moderationFacts(
  session: Session,
  { post, ip, content }: NewComment,
  { limit }: VisitorLimit,
): ModerationFacts {
  const { comments, at, now } = session;
  const viewer = session.viewer ?? anonymous;
  const owner = (session.entry(post) ?? session.media(post))?.author;
  const since = new Date(Date.parse(at) - quarter * 1000).toISOString();
  const { count, last } = viewer.id === 0 ? comments.recentFrom(networkOf(ip), since) : { count: 0, last: null };
  return {
    moderates: moderates(viewer),
    isTrusted(author) {
      const user = session.user(author);
      return user !== undefined && (author === owner || moderates(viewerOf(user)));
    },
    isKnown: (who) => isKnown(session, who, viewer.id === 0),
    isThere: (comment) => comments.isThere(comment),
    lastDate: ({ email }) => comments.lastDate(viewer.id, email, addSeconds(now.gmt, -hour)),
    get links() {
      return countLinks(renderComment(content?.sent ?? '', new URL(session.site().url).hostname));
    },
    visitors: { recent: count, limit, last: last === null ? null : last.slice(0, 19) },
  };
}

/** By mail address if one is given. A visitor is never taken for the user whose address they enter. */
function isKnown(session: Session, { author, name, email }: Signature, isVisitor: boolean): boolean {
  const { comments } = session;
  if (email === '') return author !== 0 && comments.hasApproved(author);
  const owner = session.userByName(email);
  if (owner?.email.toLowerCase() === email.toLowerCase()) return !isVisitor && comments.hasApproved(owner.id);
  return comments.hasApprovedAs(name, email);
}

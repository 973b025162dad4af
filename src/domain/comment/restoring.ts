import type { Fields } from '#domain/undo/inverse.ts';
import type { CommentFacts } from './commands.ts';
import { commentDifference, writtenComment } from './decide.ts';
import type { CommentEvent } from './events.ts';
import type { Comment } from './state.ts';

const single = ['post', 'parent', 'author', 'name', 'email', 'url', 'content', 'resolution'] as const;

/** A comment as the fields that an undo gives back. */
export function fieldsOfComment(comment: Comment): Fields<Comment> {
  const { status, remembered, date, dateGmt, ip, agent } = comment;
  return {
    ...Object.fromEntries(single.map((name) => [name, { [name]: comment[name] }])),
    status: { status, remembered },
    date: { date, dateGmt },
    origin: { ip, agent },
  };
}

/** Makes a comment what it was; `now` null: it was deleted, and comes back. */
export function restoreComment(
  now: Comment | null,
  then: Comment,
  facts: Pick<CommentFacts, 'digest'>,
): readonly CommentEvent[] {
  if (now === null) {
    return writtenComment(then, facts).map((event) =>
      event.type === 'CommentWritten' ? { type: event.type, data: { ...event.data, again: true } } : event,
    );
  }
  return [...commentDifference(now, then, facts), ...moderatedBack(now, then)];
}

function moderatedBack(now: Comment, { status, remembered }: Comment): readonly CommentEvent[] {
  if (now.status === status && now.remembered === remembered) return [];
  if (remembered === null || status === 'post-trashed') return [{ type: 'CommentRestored', data: { status } }];
  const data = { before: remembered };
  if (status === 'spam') return [{ type: 'CommentMarkedAsSpam', data }];
  const trashed: CommentEvent = { type: 'CommentTrashed', data };
  if (status === 'trash') return [trashed];
  return [trashed, { type: status === 'approved' ? 'CommentApproved' : 'CommentHeld', data: {} }];
}

import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { secondsBetween } from '#domain/time/local.ts';
import type { CommentFacts, ModerationFacts, Signature } from './commands.ts';
import type { CommentEvent } from './events.ts';
import type { Comment } from './state.ts';
import type { CommentStatus, StatusWord } from './vocabulary.ts';

/** Minimum number of seconds between two comments of one author. */
const pause = 15;
/** Window in which comments of visitors are counted, in seconds. */
const span = 15 * 60;
/** A comment with at least this many links is held. */
const manyLinks = 2;

/** Why a comment is rejected: it is a duplicate or follows the last one too soon. Null if it is accepted. */
export function tooMuch(
  comment: Comment,
  { now, actor }: Pick<CommentFacts, 'now' | 'actor'>,
  facts: ModerationFacts,
): Refusal | null {
  if (facts.isThere(comment)) {
    return refuse('comment_duplicate', 'Duplicate comment detected; it looks as though you’ve already said that!');
  }
  if (facts.moderates) return null;
  const { recent, limit, last } = facts.visitors;
  const isVisitor = actor === 0;
  const before = facts.lastDate(comment);
  const isFlood =
    (before !== null && secondsBetween(before, comment.dateGmt) < pause) ||
    (isVisitor && last !== null && secondsBetween(last, now.gmt) < pause);
  if (isFlood) return refuse('comment_flood', 'You are posting comments too quickly. Slow down.');
  return isVisitor && recent >= limit
    ? refuse('rest_too_many_comments', 'Too many comments from this address. Please try again later.', {
        retry_after: span,
      })
    : null;
}

/** Initial status of a comment if none is given: held, unless its author is trusted or known. */
export function firstStatus(who: Signature, facts: ModerationFacts): CommentStatus {
  if (who.author !== 0 && facts.isTrusted(who.author)) return 'approved';
  return facts.links < manyLinks && facts.isKnown(who) ? 'approved' : 'hold';
}

/** Applies a status word to a comment; no events if the comment already has that status. */
export function moderate({ status, remembered }: Comment, word: StatusWord): readonly CommentEvent[] {
  switch (word) {
    case 'approve':
      return status === 'approved' ? [] : [{ type: 'CommentApproved', data: {} }];
    case 'hold':
      return status === 'hold' ? [] : [{ type: 'CommentHeld', data: {} }];
    case 'spam': {
      const before = status === 'approved' ? status : 'hold';
      return status === 'spam' ? [] : [{ type: 'CommentMarkedAsSpam', data: { before } }];
    }
    case 'trash':
      return status === 'trash' ? [] : [{ type: 'CommentTrashed', data: { before: status } }];
    case 'unspam':
    case 'untrash': {
      const again = remembered ?? 'hold';
      const stays = again === status || again === 'post-trashed';
      return stays ? [] : [{ type: 'CommentRestored', data: { status: again } }];
    }
    default:
      return word satisfies never;
  }
}

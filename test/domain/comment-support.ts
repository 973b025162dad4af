import { expect } from 'vitest';
import type { CommentFacts, CommentFields, ModerationFacts, NewComment, Signature } from '#domain/comment/commands.ts';
import { changeComment, deleteComment, trashComment, writeComment } from '#domain/comment/decide.ts';
import type { CommentEvent } from '#domain/comment/events.ts';
import { type Comment, evolveComment } from '#domain/comment/state.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';

export const now = { local: '2026-03-14T10:15:00', gmt: '2026-03-14T09:15:00' };

/** Facts of a site with the users 1 to 9. */
export const facts: CommentFacts = {
  now,
  nextComment: 5,
  actor: 3,
  user: (id) => (id > 0 && id < 10 ? { name: `user ${id}`, email: `user${id}@example.org`, url: '' } : undefined),
  digest: (email) => (email === '' ? '' : `digest of ${email}`),
};

export const nothingKnown: ModerationFacts = {
  moderates: false,
  isTrusted: (author) => author === 1 || author === 2,
  isKnown: () => false,
  isThere: () => false,
  lastDate: () => null,
  links: 0,
  visitors: { recent: 0, limit: 0, last: null },
};

export const text = (sent: string) => ({ sent, stored: sent });
const first: NewComment = { kind: 'comment', post: 12, ip: '192.0.2.7', agent: 'Mozilla/5.0', content: text('Words') };

interface Circumstances {
  readonly facts?: Partial<CommentFacts>;
  readonly moderation?: Partial<ModerationFacts>;
}

/** given(events).when… for one comment. */
export function given(...history: readonly CommentEvent[]) {
  const before = history.reduce<Comment | null>(evolveComment, null);
  const known = () => before as Comment;
  return {
    written: (fields: Partial<NewComment> = {}, { facts: more, moderation }: Circumstances = {}) =>
      outcome(writeComment({ ...first, ...fields }, { ...facts, ...more }, { ...nothingKnown, ...moderation }), before),
    changed: (fields: Partial<CommentFields>) =>
      outcome(changeComment(known(), { ip: '192.0.2.7', ...fields }, facts), before),
    trashed: () => outcome(trashComment(known()), before),
    deleted: () => outcome(deleteComment(known()), before),
  };
}

/** The events of a comment that was written with some fields. */
export function written(fields: Partial<NewComment> = {}, circumstances?: Circumstances): readonly CommentEvent[] {
  return given().written(fields, circumstances).events();
}

function outcome(decision: readonly CommentEvent[] | Refusal, before: Comment | null) {
  return {
    events(): readonly CommentEvent[] {
      if (isRefusal(decision)) throw new Error(`refused: ${decision.code}`);
      return decision;
    },
    types(): readonly string[] {
      return this.events().map(({ type }) => type);
    },
    /** The comment afterwards. */
    comment(): Comment | null {
      return this.events().reduce<Comment | null>(evolveComment, before);
    },
    refused(code: string): void {
      expect(isRefusal(decision) ? decision.code : decision).toBe(code);
    },
  };
}

export const guest: Partial<Signature> & { name: string; email: string } = {
  name: 'Guest',
  email: 'guest@example.org',
};

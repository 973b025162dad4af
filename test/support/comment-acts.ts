import fc from 'fast-check';
import * as comments from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import type { CommentFields, NewComment } from '#domain/comment/commands.ts';

/** Something a user does with comments; `at` picks one of the existing ones. */
export type CommentAct =
  | { readonly do: 'comment'; readonly fields: NewComment }
  | { readonly do: 'change comment'; readonly at: number; readonly fields: CommentFields }
  | { readonly do: 'trash comment'; readonly at: number }
  | { readonly do: 'delete comment'; readonly at: number };

const text = (...texts: readonly string[]) => fc.constantFrom(...texts).map((sent) => ({ sent, stored: sent }));
const known = {
  parent: fc.nat(6),
  author: fc.constantFrom(1, 2),
  name: text('Ada', 'Über'),
  email: fc.constantFrom('ada@example.org', 'Ada@Example.org', 'bob@example.org'),
  url: fc.constantFrom('', 'https://example.org/'),
  agent: fc.constantFrom('one', 'two'),
  content: text('Words', 'wörds and "more"', 'x', 'A\n\nB'),
  date: fc.constantFrom(
    { local: '2019-05-06T07:08:09', gmt: '2019-05-06T05:08:09' },
    { local: '2026-03-01T12:00:00', gmt: '2026-03-01T11:00:00' },
    { local: '2030-05-06T07:08:09', gmt: '2030-05-06T05:08:09' },
  ),
  status: fc.constantFrom('approve' as const, 'hold' as const, 'spam' as const, 'trash' as const, 'untrash' as const),
};
const ip = fc.constantFrom('192.0.2.1', '2001:db8::1');
const fields: fc.Arbitrary<CommentFields> = fc.record({ ip, ...known, post: fc.nat(8) }, { requiredKeys: ['ip'] });
const first: fc.Arbitrary<NewComment> = fc.record(
  {
    kind: fc.constantFrom('comment' as const, 'comment' as const, 'note' as const),
    post: fc.integer({ min: 1, max: 8 }),
    ip,
    ...known,
  },
  { requiredKeys: ['kind', 'post', 'ip', 'content'] },
);

/** Comments, changes, and what moderators do. */
export const commentAct: fc.Arbitrary<CommentAct> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('comment' as const), fields: first }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change comment' as const), at: fc.nat(9), fields }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('trash comment' as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete comment' as const), at: fc.nat(9) }) },
);

/** Performs an act, as far as possible. */
export function performOnComments(session: Session, act: CommentAct): unknown {
  const isThere = (post: number) => session.entry(post) !== undefined || session.media(post) !== undefined;
  if (act.do === 'comment') {
    return isThere(act.fields.post) ? comments.writeComment(session, act.fields, { limit: 0 }) : null;
  }
  const ids = knownComments(session);
  const id = ids[act.at % Math.max(1, ids.length)];
  if (id === undefined) return null;
  if (act.do === 'trash comment') return comments.trashComment(session, id);
  if (act.do === 'delete comment') return comments.deleteComment(session, id);
  const { post = 0, ...fields } = act.fields;
  return comments.changeComment(session, id, isThere(post) ? act.fields : fields);
}

/** Ids of all comments, in order. */
export function knownComments(session: Pick<Session, 'comments'>): number[] {
  const all = { statuses: null, kinds: null, orderBy: 'id', order: 'asc', offset: 0, limit: -1 } as const;
  return [...session.comments.find(all).ids];
}

export function isCommentAct(act: { readonly do: string }): act is CommentAct {
  return act.do.endsWith('comment');
}

import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { secondsBetween } from '#domain/time/local.ts';
import type { CommentFacts, CommentFields, ModerationFacts, NewComment, Signature } from './commands.ts';
import type { CommentEvent } from './events.ts';
import { type Comment, evolveComment } from './state.ts';
import type { CommentStatus, StatusWord } from './vocabulary.ts';

const longest = { name: 245, email: 100, url: 200, content: 65_525 } as const;
const lengthCodes = {
  name: 'comment_author_column_length',
  email: 'comment_author_email_column_length',
  url: 'comment_author_url_column_length',
  content: 'comment_content_column_length',
} as const;

/** Minimum number of seconds between two comments of one author. */
const pause = 15;
/** Window in which comments of visitors are counted, in seconds. */
const span = 15 * 60;
/** A comment with at least this many links is held. */
const manyLinks = 2;

export function writeComment(
  fields: NewComment,
  facts: CommentFacts,
  moderation: ModerationFacts,
): readonly CommentEvent[] | Refusal {
  const signature = signNew(fields, facts);
  if (isRefusal(signature)) return signature;
  const { kind, post, parent = 0, content, resolution = '', ip, agent = '', date = facts.now } = fields;
  const isNote = kind === 'note';
  if ((content?.sent ?? '') === '' && !(isNote && resolution !== '')) return noContent;
  if (signature.name === '' || (signature.email === '' && needsEmail(signature, facts))) return unsigned;
  const refusal = tooLong(fields, signature);
  if (refusal !== null) return refusal;
  const draft: Comment = {
    id: facts.nextComment,
    kind,
    post,
    parent,
    ...signature,
    resolution,
    ip,
    agent,
    date: date.local,
    dateGmt: date.gmt,
    content: content?.stored ?? '',
    status: 'approved',
    remembered: null,
  };
  if (isNote) return writtenComment(settled(draft, fields), facts);
  return (
    tooMuch(draft, facts, moderation) ??
    writtenComment(settled({ ...draft, status: firstStatus(draft, moderation) }, fields), facts)
  );
}

/** Saves the changed fields of a comment. Its client address becomes that of the save. */
export function changeComment(
  comment: Comment,
  fields: CommentFields,
  facts: CommentFacts,
): readonly CommentEvent[] | Refusal {
  const { post, parent, author, name, email, url, ip, agent, content, date, resolution, status } = fields;
  const user = author === undefined ? undefined : facts.user(author);
  if (author !== undefined && user === undefined) return noAuthor;
  if (content !== undefined && (content.sent === '' || content.sent === '0') && !saysMore(comment, fields)) {
    return noContent;
  }
  const refusal = tooLong(fields, user ?? noTexts);
  if (refusal !== null) return refusal;
  const named = {
    name: name?.stored,
    email,
    url,
    ip,
    agent,
    content: content?.stored,
    post,
    parent,
    author,
    resolution,
  };
  const dates = date === undefined ? {} : { date: date.local, dateGmt: date.gmt };
  const after: Comment = { ...comment, ...user, ...given(named), ...dates };
  const events = commentDifference(comment, after, facts);
  return status === undefined ? events : [...events, ...moderate(after, status)];
}

export function trashComment(comment: Comment): readonly CommentEvent[] | Refusal {
  return comment.status === 'trash'
    ? refuse('rest_already_trashed', 'The comment has already been trashed.')
    : moderate(comment, 'trash');
}

/** Deletes a comment permanently; its replies become replies to its parent. */
export function deleteComment({ id, parent }: Pick<Comment, 'id' | 'parent'>): readonly CommentEvent[] {
  return [{ type: 'CommentDeleted', data: { id, parent } }];
}

/** Orders the erasure of a comment that is deleted, also by the same commit. `last`: type of its last event in the log. */
export function eraseComment(id: number, last: string, order: ErasureReason): readonly CommentEvent[] {
  return last === 'CommentErased' ? [] : [{ type: 'CommentErased', data: { id, ...order } }];
}

const noAuthor = refuse('rest_comment_author_invalid', 'Invalid comment author ID.');
const noContent = refuse('rest_comment_content_invalid', 'Invalid comment content.');
const unsigned = refuse(
  'rest_comment_author_data_required',
  'Creating a comment requires valid author name and email values.',
);

const noTexts = { name: '', email: '', url: '' };
const signatureNames = ['name', 'email', 'url'] as const;
const originNames = ['ip', 'agent'] as const;
const detailNames = ['post', 'parent', 'author', 'resolution', 'date', 'dateGmt'] as const;

function signNew({ author, name, email, url }: NewComment, { actor, user }: CommentFacts): Signature | Refusal {
  const named = author === undefined ? undefined : user(author);
  if (author !== undefined && named === undefined) return noAuthor;
  const sent = { ...noTexts, ...named, ...given({ name: name?.stored, email, url }) };
  const isSaid = named !== undefined || signatureNames.some((each) => sent[each] !== '');
  return isSaid ? { author: author ?? 0, ...sent } : { author: actor, ...noTexts, ...user(actor) };
}

function needsEmail({ author }: Signature, { user }: CommentFacts): boolean {
  return author === 0 || user(author)?.email !== '';
}

function tooLong(fields: CommentFields, signature: Omit<Signature, 'author'>): Refusal | null {
  const { name, email = signature.email, url = signature.url, content } = fields;
  const texts = { name: name?.sent ?? signature.name, email, url, content: content?.sent ?? '' };
  const long = (Object.keys(longest) as (keyof typeof longest)[]).find(
    (each) => Buffer.byteLength(texts[each]) > longest[each],
  );
  return long === undefined ? null : refuse(lengthCodes[long], 'Comment field exceeds maximum length allowed.');
}

function saysMore({ kind, resolution: before }: Comment, { resolution = before }: CommentFields): boolean {
  return kind === 'note' && resolution !== '';
}

function settled(draft: Comment, { status }: NewComment): Comment {
  const [moderated] = status === undefined ? [] : moderate(draft, status);
  return moderated === undefined ? draft : (evolveComment(draft, moderated) as Comment);
}

/** The events that write a comment. */
export function writtenComment(comment: Comment, { digest }: Pick<CommentFacts, 'digest'>): readonly CommentEvent[] {
  const { id, kind, post, parent, author, status, remembered, resolution, date, dateGmt } = comment;
  const { name, email, url, ip, agent, content } = comment;
  const whose = { post, author, address: digest(email) };
  const data = {
    id,
    kind,
    post,
    parent,
    author,
    status,
    ...(remembered === null ? {} : { remembered }),
    ...(resolution === '' ? {} : { resolution }),
    date,
    dateGmt,
    content,
  };
  return [
    { type: 'CommentWritten', data },
    { type: 'CommentSigned', data: { ...whose, name, email, url } },
    { type: 'CommentOriginNoted', data: { ...whose, ip, agent } },
  ];
}

/** The events that turn a comment into another one, but for its status. */
export function commentDifference(
  before: Comment,
  after: Comment,
  { digest }: Pick<CommentFacts, 'digest'>,
): readonly CommentEvent[] {
  const events: CommentEvent[] = [];
  const details = changed(before, after, detailNames);
  if (details !== null) events.push({ type: 'CommentChanged', data: details });
  if (before.content !== after.content) {
    events.push({ type: 'CommentEdited', data: { post: after.post, content: after.content } });
  }
  // Signed anew for another author, so that an erasure of that account reaches the names.
  const { name, email, url } = after;
  const isPassedOn = before.author !== after.author;
  const signature = isPassedOn ? { name, email, url } : changed(before, after, signatureNames);
  const origin = changed(before, after, originNames);
  if (signature === null && origin === null) return events;
  const whose = { post: after.post, author: after.author, address: digest(after.email) };
  if (signature !== null) events.push({ type: 'CommentSigned', data: { ...whose, ...signature } });
  if (origin !== null) events.push({ type: 'CommentOriginNoted', data: { ...whose, ...origin } });
  return events;
}

function changed<N extends keyof Comment>(
  before: Comment,
  after: Comment,
  names: readonly N[],
): Partial<Pick<Comment, N>> | null {
  const different = names.filter((name) => before[name] !== after[name]);
  if (different.length === 0) return null;
  return Object.fromEntries(different.map((name) => [name, after[name]])) as Partial<Pick<Comment, N>>;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends Record<string, unknown>>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Why a comment is rejected: it is a duplicate or follows the last one too soon. Null if it is accepted. */
function tooMuch(
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
function firstStatus(who: Signature, facts: ModerationFacts): CommentStatus {
  if (who.author !== 0 && facts.isTrusted(who.author)) return 'approved';
  return facts.links < manyLinks && facts.isKnown(who) ? 'approved' : 'hold';
}

/** Applies a status word to a comment; no events if the comment already has that status. */
function moderate({ status, remembered }: Comment, word: StatusWord): readonly CommentEvent[] {
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

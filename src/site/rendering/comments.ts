import { escapeAttribute } from '#blocks/references.ts';
import { secondsBetween } from '#domain/time/local.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { CommentRow, CommentThread } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaLink, type Pictured, permalink } from '../addresses/items.ts';
import { canEditEntry } from '../rights.ts';
import type { Here } from './types.ts';

/** Whether the post of a text has approved comments that the viewer may see without a password. */
export function isCommented({ post: { row }, rendering: { model, viewer } }: Here): boolean {
  if (row === undefined || (row.password !== '' && !canEditEntry(viewer, row))) return false;
  return model.comments.count(row.id) > 0;
}

export function authorOf(comment: CommentRow, model: Model): string {
  const user = comment.author === 0 ? undefined : model.user(comment.author);
  const name =
    comment.name === '' && user !== undefined && !user.erased ? escapeAttribute(user.displayName) : comment.name;
  return name === '' ? 'Anonymous' : name;
}

export function picturedBy({ author, email, name }: CommentRow, model: Model): Pictured {
  return (author === 0 ? undefined : model.user(author)) ?? { email, login: name };
}

/** Its local date and time, with the site's offset from UTC. */
export function exactDate({ date, dateGmt }: Pick<CommentRow, 'date' | 'dateGmt'>): string {
  const minutes = Math.round(secondsBetween(dateGmt, date) / 60);
  const size = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Threads with everything below them, in the order in which they are shown: they can be deeper than the call stack allows. */
export function* flatThreads(threads: readonly CommentThread[]): Generator<CommentThread> {
  const rest = threads.toReversed();
  for (let thread = rest.pop(); thread !== undefined; thread = rest.pop()) {
    yield thread;
    for (let i = thread.answers.length - 1; i >= 0; i--) rest.push(thread.answers[i] as CommentThread);
  }
}

/** Comments that are read to find the latest public ones. */
export const LOOKED_AT = 500;

/** The latest approved comments on one item, or on all public ones. */
export function latestComments(count: number, model: Model, post?: number): readonly CommentRow[] {
  const found = model.comments.find({
    statuses: ['approved'],
    kinds: ['comment'],
    orderBy: 'date_gmt',
    order: 'desc',
    offset: 0,
    ...(post === undefined ? { limit: LOOKED_AT } : { posts: [post], limit: count }),
  });
  const shown: CommentRow[] = [];
  for (const id of found.ids) {
    if (shown.length >= count) break;
    const comment = model.comments.get(id);
    if (comment !== undefined && (post !== undefined || isOnPublic(comment, model))) shown.push(comment);
  }
  return shown;
}

function isOnPublic({ post }: CommentRow, model: Model): boolean {
  const entry = model.entry(post);
  return entry?.status === 'publish' && entry.password === '';
}

/** Threads on a page of comments, so that as many comments are on one. */
export const THREADS = 50;

export function commentLink(comment: CommentRow, model: Model): string {
  return addressBelow(commentHostLink(comment.post, model), comment, model);
}

/** The address of a comment below that of its host. Where there are several pages of comments, it finds the one that shows it. */
export function addressBelow(host: string, { id, post }: CommentRow, model: Model): string {
  if (host === '' || model.comments.count(post) <= THREADS) return `${host}#comment-${id}`;
  return `${host}${host.includes('?') ? '&' : '?'}comment=${id}#comment-${id}`;
}

/** Address of the page of a comment's host; '' if the host no longer exists. */
export function commentHostLink(post: number, model: Model): string {
  const entry = model.entry(post);
  if (entry !== undefined) return permalink(entry, model);
  const media = model.media(post);
  return media === undefined ? '' : mediaLink(media, model, anonymous);
}

export function commentIn(id: unknown, model: Model): CommentRow | undefined {
  return typeof id === 'object' && id !== null && 'number' in id ? model.comments.get(Number(id.number)) : undefined;
}

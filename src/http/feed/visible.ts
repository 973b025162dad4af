import { contact } from '#domain/contact/area.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { mayEdit } from '#domain/entry/rights.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { canView } from '#domain/term/rights.ts';
import { canSeeAll } from '#domain/user/rights.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { namespaceUrl } from '#site/addresses/interface.ts';
import { mediaLink, permalink, termLink, userLink } from '#site/addresses/items.ts';
import { canReadComment } from '#site/comments.ts';
import { contactNamespace } from '#site/contact.ts';
import { commentLink } from '#site/rendering/comments.ts';
import { canReadEntry, canReadMedia, canSee, maySeeEditors } from '#site/rights.ts';
import { type AccessState, isReadable } from './access-states.ts';
import { isCommentEditable, isCommentReadable } from './comments.ts';
import {
  type CommitFacts,
  type DesignFact,
  type Fact,
  type FedComment,
  type FedEntry,
  type MediaFact,
  type MessageFact,
  messagesResource,
  type TermFact,
  type UserFact,
} from './facts.ts';
import { affectedBy, mostAffected } from './follow-ups.ts';
import { isMediaReadable } from './media.ts';

/** What happened to an item, as one viewer may know; `added`, `removed`: it became visible to them, or ceased to be. */
export const whats = [
  'created',
  'changed',
  'published',
  'unpublished',
  'trashed',
  'restored',
  'deleted',
  'added',
  'removed',
] as const;
export type What = (typeof whats)[number];

export interface Change {
  readonly resource: string;
  readonly id: number;
  readonly what: What;
  /** Its address; only if the viewer may read it now. */
  readonly link?: string;
  /** For a deleted user: who now has what they wrote; 0: nobody, posts and pages went to the trash. */
  readonly heir?: number;
}

export interface VisibleCommit {
  readonly position: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly changes: readonly Change[];
}

export interface Looking {
  readonly viewer: Viewer;
  readonly model: Model;
}

/**
 * The part of a commit that a viewer may know; null if there is none. Viewers who could read an entry right before or after the
 * commit learn what happened to it, whatever has happened since; its address only if they may read it now. What follows for other
 * items is told of those that there are now.
 */
export function visibleIn(
  { position, at, facts }: CommitFacts,
  looking: Looking,
  isWanted: (change: Change, fact: Fact) => boolean = () => true,
): VisibleCommit | null {
  const changes = new Map<string, Change>();
  const tell = (change: Change | null, fact: Fact) => {
    const name = change === null ? '' : `${change.resource}/${change.id}`;
    if (change !== null && !changes.has(name) && isWanted(change, fact)) changes.set(name, change);
  };
  for (const fact of facts) tell(changeIn(fact, looking), fact);
  for (const fact of facts) for (const change of followingChanges(fact, looking)) tell(change, fact);
  return changes.size === 0 ? null : { position, at, changes: [...changes.values()] };
}

/** Changes of records that follow from what happened to another item; of what the viewer may read now, or could before. */
function* followingChanges(fact: Fact, looking: Looking): Generator<Change | null> {
  const { viewer, model } = looking;
  const isBounded = viewer.token !== undefined;
  const { entries, media, comments, terms, gone } = affectedBy(fact, model);
  yield* few(entries, 'posts', (id) => entryFollowing(id, looking));
  if (isBounded) return;
  const isOpen = fact.about === 'entry' && isReadable(viewer, fact.before);
  // Only what is on the item itself was as readable as that.
  const host = isOpen || (fact.about === 'media' && isMediaReadable(viewer, fact.before)) ? fact.id : 0;
  // Whoever may edit it needs no password.
  const lock = fact.about === 'entry' && fact.before?.isProtected === true ? fact.before : null;
  const isProtected = lock !== null && !mayEdit(viewer, kindOf(lock.kind), lock);
  yield* few(media, 'media', (id) => mediaFollowing(id, host, looking));
  yield* few(comments, 'comments', (id) => commentFollowing(id, isProtected ? 0 : host, looking));
  if (host !== 0 && !isProtected) yield* few(gone, 'comments', (id) => ({ resource: 'comments', id, what: 'removed' }));
  yield* few(terms, 'categories', (id) => termFollowing(id, looking));
}

/** Of more than fifty items one change tells, of the item 0, that any of them may have changed. */
function* few(
  ids: Iterable<number>,
  resource: string,
  changeOf: (id: number) => Change | null,
): Generator<Change | null> {
  const all = [...ids];
  for (const id of all.slice(0, mostAffected)) yield changeOf(id);
  if (all.length > mostAffected) yield { resource, id: 0, what: 'changed' };
}

function entryFollowing(id: number, { viewer, model }: Looking): Change | null {
  const row = model.entry(id);
  if (row === undefined || (viewer.token !== undefined && !ofTokens.includes(row.kind))) return null;
  const resource = kindOf(row.kind).base;
  if (canReadEntry(viewer, row)) return { resource, id, what: 'changed', link: permalink(row, model) };
  // It went to the trash with its author.
  const status = row.trashed?.status;
  return status !== undefined && canReadEntry(viewer, { ...row, status }) ? { resource, id, what: 'removed' } : null;
}

function mediaFollowing(id: number, host: number, { viewer, model }: Looking): Change | null {
  const row = model.media(id);
  if (row === undefined) return null;
  const change = { resource: 'media', id };
  if (canReadMedia(viewer, row, model)) return { ...change, what: 'changed', link: mediaLink(row, model, viewer) };
  return row.parent === host && host !== 0 && row.status === undefined ? { ...change, what: 'removed' } : null;
}

function commentFollowing(id: number, host: number, { viewer, model }: Looking): Change | null {
  const row = model.comments.get(id);
  if (row === undefined) return null;
  const change = { resource: 'comments', id };
  if (canReadComment(viewer, row, model)) return { ...change, what: 'changed', link: commentLink(row, model) };
  const wasOpen = row.status === 'approved' || row.status === 'post-trashed';
  return row.post === host && host !== 0 && wasOpen ? { ...change, what: 'removed' } : null;
}

function termFollowing(id: number, { viewer, model }: Looking): Change | null {
  const row = model.term(id);
  const kind = row && termKinds[row.taxonomy];
  if (row === undefined || kind === undefined || !canView(viewer, kind)) return null;
  return { resource: kind.base, id, what: 'changed', link: termLink(row, model) };
}

/** Kinds whose entries a token opens. */
const ofTokens: readonly string[] = ['post', 'page'];

function isOpenToTokens(fact: Fact): boolean {
  return fact.about === 'entry' && ofTokens.includes((fact.after ?? fact.before)?.kind ?? '');
}

function changeIn(fact: Fact, looking: Looking): Change | null {
  if (looking.viewer.token !== undefined && !isOpenToTokens(fact)) return null;
  switch (fact.about) {
    case 'entry':
      return entryChange(fact, looking);
    case 'media':
      return mediaChange(fact, looking);
    case 'comment':
      return commentChange(fact, looking);
    case 'term':
      return termChange(fact, looking);
    case 'user':
      return userChange(fact, looking);
    case 'design':
      return designChange(fact, looking);
    case 'message':
      return messageChange(fact, looking);
    case 'site':
      return { resource: 'site', id: 0, what: 'changed', link: looking.model.site().url };
  }
}

function entryChange({ id, before, after }: FedEntry, { viewer, model }: Looking): Change | null {
  const could = isReadable(viewer, before);
  const can = isReadable(viewer, after);
  const standing = after ?? before;
  if (standing === null || (!could && !can)) return null;
  const resource = kindOf(standing.kind).base;
  if (after === null) return { resource, id, what: 'deleted' };
  if (!can) return { resource, id, what: 'removed' };
  const what = whatBecame(before, after, could);
  const now = model.entry(id);
  return now !== undefined && canReadEntry(viewer, now)
    ? { resource, id, what, link: permalink(now, model) }
    : { resource, id, what };
}

function whatBecame(before: AccessState | null, after: AccessState, could: boolean): What {
  const was = before?.status ?? null;
  if (after.status === 'publish' && was !== 'publish') return 'published';
  if (before === null) return 'created';
  if (!could) return 'added';
  if (after.status === 'trash' && was !== 'trash') return 'trashed';
  if (was === 'trash' && after.status !== 'trash') return 'restored';
  return was === 'publish' && after.status !== 'publish' ? 'unpublished' : 'changed';
}

function mediaChange({ id, before, after }: MediaFact, { viewer, model }: Looking): Change | null {
  const could = isMediaReadable(viewer, before);
  const can = isMediaReadable(viewer, after);
  if (!could && !can) return null;
  if (!can) return { resource: 'media', id, what: after === null ? 'deleted' : 'removed' };
  const what = before === null ? 'created' : could ? 'changed' : 'added';
  const now = model.media(id);
  return now !== undefined && canReadMedia(viewer, now, model)
    ? { resource: 'media', id, what, link: mediaLink(now, model, viewer) }
    : { resource: 'media', id, what };
}

function commentChange({ id, before, after, inner }: FedComment, { viewer, model }: Looking): Change | null {
  const could = isCommentReadable(viewer, before);
  const can = isCommentReadable(viewer, after);
  if ((!could && !can) || (inner && !isCommentEditable(viewer, after))) return null;
  const change = { resource: 'comments', id };
  if (!can) return { ...change, what: after === null ? 'deleted' : 'removed' };
  const what = before === null ? 'created' : could ? whatBecameOf(before, after) : 'added';
  const now = model.comments.get(id);
  const link = now !== undefined && canReadComment(viewer, now, model) ? commentLink(now, model) : '';
  return link === '' ? { ...change, what } : { ...change, what, link };
}

function whatBecameOf(before: FedComment['before'], after: FedComment['after']): What {
  const [was, is] = [before?.comment.status === 'trash', after?.comment.status === 'trash'];
  return was === is ? 'changed' : is ? 'trashed' : 'restored';
}

/** Terms are public, except for kinds that require a right; those have no page. */
function termChange({ id, taxonomy, what }: TermFact, { viewer, model }: Looking): Change | null {
  const kind = termKinds[taxonomy];
  if (!canView(viewer, kind)) return null;
  const change = { resource: kind.base, id, what };
  const now = model.term(id);
  return now === undefined || kind.rights.read !== null ? change : { ...change, link: termLink(now, model) };
}

function designChange({ resource, id, what }: DesignFact, { viewer, model }: Looking): Change | null {
  return maySeeEditors(viewer, model) ? { resource, id, what } : null;
}

function messageChange({ id, what }: MessageFact, { viewer, model }: Looking): Change | null {
  if (!may(viewer, 'edit_others_posts')) return null;
  const change = { resource: messagesResource, id, what };
  const isThere = model.plugin(contact, String(id)).message !== null;
  return isThere ? { ...change, link: `${namespaceUrl(model.site(), contactNamespace)}/messages/${id}` } : change;
}

/**
 * Other viewers learn of changes to an account while its data are public. Everyone learns of its deletion, which concerns what it
 * wrote.
 */
function userChange({ id, what, inner, heir }: UserFact, { viewer, model }: Looking): Change | null {
  if (heir !== undefined) return { resource: 'users', id, what, heir };
  const now = model.user(id);
  const sees = inner ? canSeeAll(viewer, id) : canSee(viewer, id, model);
  if (now === undefined || !sees) return null;
  return { resource: 'users', id, what, link: userLink(now, model.site().url) };
}

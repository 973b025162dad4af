import { produce } from 'immer';
import type { TermDeletedEvent } from '#domain/term/events.ts';
import type { EntryEvent } from './events.ts';
import type { EntryStatus, Format } from './vocabulary.ts';

/** A post or page as its events leave it: what `decide` needs, and what the read model stores. */
export interface Entry {
  readonly id: number;
  readonly kind: string;
  readonly status: EntryStatus;
  readonly slug: string;
  readonly author: number;
  /** Local and UTC. `dateGmt` is null while the date floats: then `date` is the time of the last save. */
  readonly date: string;
  readonly dateGmt: string | null;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
  readonly password: string;
  readonly commentStatus: 'open' | 'closed';
  readonly pingStatus: 'open' | 'closed';
  readonly format: Format;
  readonly sticky: boolean;
  readonly template: string;
  readonly parent: number;
  readonly menuOrder: number;
  readonly featuredMedia: number;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  /** What it was before it was trashed; null outside the trash. `slug` is null when there was none to give back. */
  readonly trashed: { readonly status: EntryStatus; readonly slug: string | null } | null;
  readonly revisions: number;
  /** Id of the newest revision; 0 without one. */
  readonly latestRevision: number;
}

/** Its own events, and the one of another stream that reaches into it. */
export type EntryFact = EntryEvent | TermDeletedEvent;

/** The stream of an entry. */
export const entryStream = (id: number): string => `entry-${id}`;

/** Folds events onto an entry; null before its creation and after its deletion. */
export function evolveEntry(entry: Entry | null, facts: readonly EntryFact[]): Entry | null {
  let state = entry;
  let rest = facts;
  if (state === null) {
    const [first] = facts;
    if (first?.type !== 'EntryCreated') return null;
    state = { ...first.data, trashed: null, revisions: 0, latestRevision: 0 };
    rest = facts.slice(1);
  }
  if (rest.some((fact) => fact.type === 'EntryDeleted')) return null;
  if (rest.length === 0) return state;
  return produce(state, (draft) => {
    for (const fact of rest) apply(draft as Draft, fact);
  });
}

type Draft = { -readonly [K in keyof Entry]: Entry[K] };

function apply(entry: Draft, fact: EntryFact): void {
  switch (fact.type) {
    case 'EntryRevised':
      takeTexts(entry, fact.data);
      if (fact.data.revision !== null) keepRevision(entry, fact.data.revision);
      break;
    case 'EntryRevisionKept':
      keepRevision(entry, fact.data.revision);
      break;
    case 'EntryPublished':
      entry.status = 'publish';
      break;
    case 'EntryReleased':
      entry.status = 'publish';
      entry.categories = fact.data.categories;
      break;
    case 'EntryScheduled':
      entry.status = 'future';
      break;
    case 'EntryMadePrivate':
      entry.status = 'private';
      break;
    case 'EntrySubmitted':
      entry.status = 'pending';
      break;
    case 'EntrySentBackToDraft':
      entry.status = 'draft';
      break;
    case 'EntryTrashed':
      entry.trashed = {
        status: entry.status,
        slug: entry.slug === '' || entry.slug.endsWith(TRASHED) ? null : entry.slug,
      };
      entry.status = 'trash';
      break;
    case 'EntryRestored':
      entry.trashed = null;
      break;
    case 'EntrySlugChanged':
      entry.slug = fact.data.slug;
      break;
    case 'EntryDateChanged':
      entry.date = fact.data.date;
      entry.dateGmt = fact.data.dateGmt;
      break;
    case 'EntryAuthorChanged':
      entry.author = fact.data.author;
      break;
    case 'EntryPasswordChanged':
      entry.password = fact.data.password;
      break;
    case 'EntryStuck':
      entry.sticky = true;
      break;
    case 'EntryUnstuck':
      entry.sticky = false;
      break;
    case 'EntryClassified':
      entry.categories = fact.data.categories;
      entry.tags = fact.data.tags;
      break;
    case 'EntryMoved':
    case 'EntryOrphaned':
      entry.parent = fact.data.parent;
      break;
    case 'EntryDetailsChanged':
      takeDetails(entry, fact.data);
      break;
    case 'TermDeleted':
      loseTerm(entry, fact.data);
      break;
    case 'EntrySaved':
    case 'EntryCreated':
    case 'EntryDeleted':
      break;
    default:
      fact satisfies never;
  }
  if ('modified' in fact.data) takeTime(entry, fact.data);
}

/** Marks the slug of what is in the trash, so that its name is free. */
export const TRASHED = '__trashed';

function takeTime(entry: Draft, saved: { modified: string; modifiedGmt: string }): void {
  entry.modified = saved.modified;
  entry.modifiedGmt = saved.modifiedGmt;
  // Interface behaviour, section 10: a floating date is the time of the last save.
  if (entry.dateGmt === null) entry.date = saved.modified;
}

function takeTexts(entry: Draft, texts: Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>): void {
  entry.title = texts.title;
  entry.content = texts.content;
  entry.excerpt = texts.excerpt;
  entry.footnotes = texts.footnotes;
}

function takeDetails(entry: Draft, details: Extract<EntryEvent, { type: 'EntryDetailsChanged' }>['data']): void {
  if (details.commentStatus !== undefined) entry.commentStatus = details.commentStatus;
  if (details.pingStatus !== undefined) entry.pingStatus = details.pingStatus;
  if (details.format !== undefined) entry.format = details.format;
  if (details.template !== undefined) entry.template = details.template;
  if (details.menuOrder !== undefined) entry.menuOrder = details.menuOrder;
  if (details.featuredMedia !== undefined) entry.featuredMedia = details.featuredMedia;
}

function keepRevision(entry: Draft, revision: number): void {
  entry.revisions += 1;
  entry.latestRevision = revision;
}

function loseTerm(entry: Draft, deleted: TermDeletedEvent['data']): void {
  const without = (ids: readonly number[]) => ids.filter((id) => id !== deleted.id);
  if (entry.categories.includes(deleted.id)) {
    const left = without(entry.categories);
    entry.categories = left.length === 0 && deleted.heir !== 0 ? [deleted.heir] : left;
  }
  if (entry.tags.includes(deleted.id)) entry.tags = without(entry.tags);
}

/** Whether an event of another stream concerns an entry. */
export function concerns(entry: Entry, fact: TermDeletedEvent): boolean {
  return entry.categories.includes(fact.data.id) || entry.tags.includes(fact.data.id);
}

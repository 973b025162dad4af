import { produce } from 'immer';
import type { TermDeletedEvent } from '#domain/term/events.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import { allTerms, type Classified, noTerms, withoutTerm, withTerms } from './classification.ts';
import type { EntryDeletedEvent, EntryEvent } from './events.ts';
import { type Details, initialDetails, namedDetails } from './fields.ts';
import { hierarchicalKinds, kindOf, personalKinds } from './kinds.ts';
import { mergedPart, type Part } from './parts.ts';
import { besideTypes, newestFirst, type RevisionChange, revisionChange } from './revisions.ts';
import type { SomeTexts } from './texts.ts';
import type { EntryStatus } from './vocabulary.ts';

/** The state of an entry of any kind, folded from its events: what decisions need and the read model stores. */
export interface Entry extends Details, Classified {
  readonly id: number;
  readonly kind: string;
  readonly status: EntryStatus;
  readonly slug: string;
  readonly author: number;
  /** `date` is local, `dateGmt` is UTC and null while the date floats: `date` is then the time of the last save. */
  readonly date: string;
  readonly dateGmt: string | null;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
  readonly password: string;
  readonly sticky: boolean;
  readonly parent: number;
  readonly part: Part | null;
  /** Status and slug from before the trash; null if not in the trash. `slug` is null if there is none to restore. */
  readonly trashed: { readonly status: EntryStatus; readonly slug: string | null } | null;
  readonly revisions: number;
  /** Id of the newest revision, by time and then by id; 0: none. */
  readonly latestRevision: number;
  /** UTC time of the newest revision; empty if there is none. */
  readonly latestRevisionGmt: string;
}

export type EntryFact = EntryEvent | LossEvent;
export type LossEvent = TermDeletedEvent | MediaDeletion | UserDeletedEvent | EntryDeletedEvent;

/** What an entry reads of the event `MediaDeleted`: media build on entries, so it cannot be imported from there. */
interface MediaDeletion {
  readonly type: 'MediaDeleted';
  readonly data: { readonly id: number };
}

export const entryStream = (id: number): string => `entry-${id}`;

/** Folds events onto an entry; null before its creation and after its deletion. */
export function evolveEntry(entry: Entry | null, facts: readonly EntryFact[]): Entry | null {
  let state = entry;
  let rest = facts;
  if (state === null) {
    const [first] = facts;
    if (first?.type !== 'EntryCreated') return null;
    const { again: _, trashed = null, ...data } = first.data;
    state = { ...initialDetails(kindOf(data.kind)), ...data, ...nothingYet, trashed };
    rest = facts.slice(1);
  }
  const { id } = state;
  if (rest.some((fact) => fact.type === 'EntryDeleted' && fact.data.id === id)) return null;
  if (rest.length === 0) return state;
  return produce(state, (draft) => {
    for (const fact of rest) apply(draft as Draft, fact);
  });
}

const nothingYet = {
  otherTerms: noTerms,
  part: null,
  revisions: 0,
  latestRevision: 0,
  latestRevisionGmt: '',
};

type Draft = { -readonly [K in keyof Entry]: Entry[K] };

type Facts = { readonly [Fact in EntryFact as Fact['type']]: Fact };

/** What each type of event changes, apart from the time of the last save and revisions. */
const changes: { readonly [Type in keyof Facts]: (entry: Draft, fact: Facts[Type]) => void } = {
  EntryRevised: (entry, { data }) => takeTexts(entry, data),
  EntryReverted: (entry, { data }) => takeTexts(entry, data),
  EntryPublished: become('publish'),
  EntryReleased(entry, { data }) {
    entry.status = 'publish';
    entry.categories = data.categories;
  },
  EntryScheduled: become('future'),
  EntryMadePrivate: become('private'),
  EntrySubmitted: become('pending'),
  EntrySentBackToDraft: become('draft'),
  EntryTrashed(entry, { data: { former } }) {
    const { status, slug } = entry;
    entry.trashed = former ?? { status, slug: slug === '' || slug.endsWith(TRASHED) ? null : slug };
    entry.status = 'trash';
  },
  EntryRestored(entry) {
    entry.trashed = null;
  },
  EntrySlugChanged(entry, { data }) {
    entry.slug = data.slug;
  },
  EntryDateChanged(entry, { data }) {
    entry.date = data.date;
    entry.dateGmt = data.dateGmt;
  },
  EntryAuthorChanged(entry, { data }) {
    entry.author = data.author;
  },
  EntryPasswordChanged(entry, { data }) {
    entry.password = data.password;
  },
  EntryStuck(entry) {
    entry.sticky = true;
  },
  EntryUnstuck(entry) {
    entry.sticky = false;
  },
  EntryClassified(entry, { data }) {
    entry.categories = data.categories;
    entry.tags = data.tags;
  },
  EntryTermsChanged(entry, { data }) {
    entry.otherTerms = withTerms(entry.otherTerms, data.taxonomy, data.terms);
  },
  EntryMoved: takeParent,
  EntryOrphaned: takeParent,
  EntryDetailsChanged: (entry, { data }) => Object.assign(entry, namedDetails(data)),
  EntryProductChanged: (entry, { data }) => takePart(entry, data),
  EntryPatternChanged: (entry, { data }) => takePart(entry, data),
  EntryMenuItemChanged: (entry, { data }) => takePart(entry, data),
  TermDeleted: takeLoss,
  MediaDeleted: takeLoss,
  UserDeleted: takeLoss,
  EntryDeleted: takeLoss,
  EntryRevisionKept: nothing,
  EntryRevisionDeleted: nothing,
  EntryAutosaved: nothing,
  EntryRevisionImported: nothing,
  EntrySaved: nothing,
  EntryCreated: nothing,
  EntryErased: nothing,
};

function apply(entry: Draft, fact: EntryFact): void {
  take(entry, fact.type, fact);
  if ('modified' in fact.data) takeTime(entry, fact.data);
  const change = isLoss(fact) ? null : revisionChange(fact);
  if (change !== null) countRevision(entry, change);
}

/** Suffix for slugs of trashed entries, so that the name becomes free. */
export const TRASHED = '__trashed';

function take<Type extends keyof Facts>(entry: Draft, type: Type, fact: Facts[Type]): void {
  changes[type](entry, fact);
}

function become(status: EntryStatus): (entry: Draft) => void {
  return (entry) => {
    entry.status = status;
  };
}

function nothing(): void {}

function takeParent(entry: Draft, { data }: { readonly data: { readonly parent: number } }): void {
  entry.parent = data.parent;
}

function takeLoss(entry: Draft, fact: LossEvent): void {
  Object.assign(entry, afterLoss(entry, fact));
}

function takeTime(entry: Draft, saved: { modified: string; modifiedGmt: string }): void {
  entry.modified = saved.modified;
  entry.modifiedGmt = saved.modifiedGmt;
  // Interface behaviour, section 10: a floating date is the time of the last save.
  if (entry.dateGmt === null) entry.date = saved.modified;
}

function takeTexts(entry: Draft, texts: SomeTexts): void {
  if (texts.title !== undefined) entry.title = texts.title;
  if (texts.content !== undefined) entry.content = texts.content;
  if (texts.excerpt !== undefined) entry.excerpt = texts.excerpt;
  if (texts.footnotes !== undefined) entry.footnotes = texts.footnotes;
}

function takePart(entry: Draft, change: object): void {
  const { part } = kindOf(entry.kind);
  if (part !== null) entry.part = mergedPart(part, entry.part, change);
}

function countRevision(entry: Draft, change: RevisionChange): void {
  if ('dropped' in change) {
    entry.revisions -= 1;
    entry.latestRevision = change.latest;
    entry.latestRevisionGmt = change.latestGmt;
    return;
  }
  const { kept } = change;
  if (kept.isNew) entry.revisions += 1;
  if (newestFirst(kept, { id: entry.latestRevision, dateGmt: entry.latestRevisionGmt }) > 0) return;
  entry.latestRevision = kept.id;
  entry.latestRevisionGmt = kept.dateGmt;
}

export type Losable = Classified &
  Pick<Entry, 'id' | 'featuredMedia' | 'kind' | 'author' | 'status' | 'slug' | 'sticky' | 'trashed' | 'parent'>;

export function afterLoss(entry: Losable, { type, data }: LossEvent): Partial<Losable> {
  if (type === 'MediaDeleted') return entry.featuredMedia === data.id ? { featuredMedia: 0 } : {};
  if (type === 'UserDeleted') return withoutAuthor(entry, data);
  if (type === 'EntryDeleted') return isBelow(entry, data) ? { parent: data.heir ?? 0 } : {};
  return afterTermLoss(entry, data);
}

export function afterTermLoss(
  { categories, tags, otherTerms }: Classified,
  { id, heir }: TermDeletedEvent['data'],
): Classified {
  return {
    categories: categories.includes(id) ? heirOr(without(categories, id), heir) : categories,
    tags: tags.includes(id) ? without(tags, id) : tags,
    otherTerms: withoutTerm(otherTerms, id),
  };
}

/** The entry passes to the author's heir; without one it is trashed and keeps its author. Dates do not change, since this is no save. */
function withoutAuthor(entry: Losable, { id, heir }: UserDeletedEvent['data']): Partial<Losable> {
  const { kind, author, status, slug } = entry;
  if (author !== id) return {};
  if (heir !== 0) return { author: heir };
  if (status === 'trash' || !personalKinds.has(kind)) return {};
  const name = slug === '' || slug.endsWith(TRASHED) ? null : slug;
  return { status: 'trash', trashed: { status, slug: name }, slug: lostSlug(slug), sticky: false };
}

/** The slug of an entry that is trashed with its author: marked, but neither shortened nor numbered. */
export function lostSlug(slug: string): string {
  return slug === '' || slug.endsWith(TRASHED) ? slug : `${slug}${TRASHED}`;
}

function without(ids: readonly number[], lost: number): readonly number[] {
  return ids.filter((id) => id !== lost);
}

function heirOr(left: readonly number[], heir: number): readonly number[] {
  return left.length === 0 && heir !== 0 ? [heir] : left;
}

function isBelow({ kind, parent }: Losable, { id, heir }: EntryDeletedEvent['data']): boolean {
  return heir !== undefined && parent === id && hierarchicalKinds.has(kind);
}

export function isLoss(fact: EntryFact): fact is LossEvent {
  const { type } = fact;
  if (type === 'EntryDeleted') return fact.data.heir !== undefined;
  return type === 'TermDeleted' || type === 'MediaDeleted' || type === 'UserDeleted';
}

/** Whether a deletion affects an entry, including its own deletion. */
export function concerns(entry: Losable, fact: LossEvent): boolean {
  if (fact.type === 'EntryDeleted') return fact.data.id === entry.id || isBelow(entry, fact.data);
  if (fact.type === 'MediaDeleted') return entry.featuredMedia === fact.data.id;
  if (fact.type === 'UserDeleted') return Object.keys(withoutAuthor(entry, fact.data)).length > 0;
  return allTerms(entry).includes(fact.data.id);
}

/** Whether an event changes the entry itself rather than only its revisions and autosaves. */
export function changesEntry(fact: EntryFact): boolean {
  return !besideTypes.has(fact.type) && fact.type !== 'EntryRevisionDeleted';
}

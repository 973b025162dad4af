import { codec } from '#catalogue/events.ts';
import type { CommentEvent } from '#domain/comment/events.ts';
import { type ContactEvent, contact } from '#domain/contact/area.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { entryKinds } from '#domain/entry/kinds.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { type TemplateEvent, templates } from '#domain/templates/area.ts';
import type { Taxonomy, TermEvent } from '#domain/term/events.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import type { UserEvent } from '#domain/user/events.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { baseOf, stylesId } from '#site/design.ts';
import type { AccessState, AccessStates } from './access-states.ts';
import type { CommentAccess, CommentAccessStates } from './comments.ts';
import type { MediaAccess, MediaAccessStates } from './media.ts';

/** What a commit did to one item, independent of the viewer and without its content. */
export type Fact = FedEntry | MediaFact | FedComment | TermFact | UserFact | DesignFact | MessageFact | SiteFact;

export interface FedEntry {
  readonly about: 'entry';
  readonly id: number;
  readonly before: AccessState | null;
  readonly after: AccessState | null;
  /** Whether what is below it may have another address, or other readers. */
  readonly leads: boolean;
}

export interface MediaFact {
  readonly about: 'media';
  readonly id: number;
  readonly before: MediaAccess | null;
  readonly after: MediaAccess | null;
}

export interface FedComment {
  readonly about: 'comment';
  readonly id: number;
  readonly before: CommentAccess | null;
  readonly after: CommentAccess | null;
  /** Noticeable only to viewers who may edit the comment. */
  readonly inner: boolean;
}

export interface TermFact {
  readonly about: 'term';
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly what: 'created' | 'changed' | 'deleted';
}

export interface UserFact {
  readonly about: 'user';
  readonly id: number;
  readonly what: 'created' | 'changed' | 'deleted';
  /** For a deletion: the user who now has the entries; 0: nobody. */
  readonly heir?: number;
  /** Noticeable only to viewers who may see everything about the user. */
  readonly inner: boolean;
}

export interface SiteFact {
  readonly about: 'site';
}

export interface CommitFacts {
  readonly position: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly facts: readonly Fact[];
}

export interface Records {
  readonly entries: AccessStates;
  readonly media: MediaAccessStates;
  readonly comments: CommentAccessStates;
}

export interface DesignFact {
  readonly about: 'design';
  readonly resource: string;
  readonly id: number;
  readonly what: 'created' | 'changed' | 'trashed' | 'deleted';
}

export interface MessageFact {
  readonly about: 'message';
  readonly id: number;
  readonly what: 'created' | 'deleted';
}

/** The resource name of messages received by contact forms. */
export const messagesResource = 'contact-messages';

/** Every resource that a change can belong to. */
export const feedResources: readonly string[] = [
  ...entryKinds.map(({ base }) => base),
  'media',
  'comments',
  ...allTermKinds.map(({ base }) => base),
  'users',
  ...Object.values(baseOf),
  'global-styles',
  messagesResource,
  'site',
];

export function factsOf(events: readonly StoredEvent[], records: Records): CommitFacts {
  const facts = new Map<string, Fact>();
  for (const event of events) {
    const fact = factOf(event, facts.get(event.stream), records);
    if (fact !== undefined) facts.set(event.stream, fact);
  }
  const last = events.at(-1);
  return { position: last?.position ?? 0, at: last?.at ?? '', facts: [...facts.values()] };
}

/** The fact about an item after one more event; streams that the interface does not expose add none. */
function factOf(event: StoredEvent, sofar: Fact | undefined, records: Records): Fact | undefined {
  const [area = ''] = event.stream.split('-', 1);
  if (area === 'entry') return entryFact(event, sofar, records);
  if (area === 'media') return mediaFact(event, sofar, records);
  if (area === 'comment') return commentFact(event, sofar, records);
  if (area === 'term') return termFact(codec.decode(event) as TermEvent, sofar);
  if (area === 'user') return userFact(codec.decode(event) as UserEvent, sofar);
  if (area === 'plugin') return designFact(event) ?? messageFact(event) ?? sofar;
  return area === 'site' ? { about: 'site' } : sofar;
}

function entryFact(event: StoredEvent, sofar: Fact | undefined, { entries }: Records): Fact | undefined {
  const id = Number(event.stream.slice('entry-'.length));
  const { before, after, effect } = entries.step(id, event);
  if (effect === 'nothing') return sofar;
  const known = sofar?.about === 'entry' ? sofar : { before, leads: false };
  // Files may name an entry that is not there yet.
  const leads = known.leads || effect === 'rights' || leading.has(event.type);
  return { about: 'entry', id, before: known.before, after, leads };
}

/** Events, besides those about rights, after which what is below an entry has another address. */
const leading: ReadonlySet<string> = new Set<EntryEvent['type']>(['EntrySlugChanged', 'EntryMoved', 'EntryOrphaned']);

function mediaFact(event: StoredEvent, sofar: Fact | undefined, { media }: Records): Fact {
  const id = Number(event.stream.slice('media-'.length));
  const { before, after } = media.step(id, event);
  return { about: 'media', id, before: sofar?.about === 'media' ? sofar.before : before, after };
}

function commentFact(event: StoredEvent, sofar: Fact | undefined, { comments }: Records): Fact {
  const id = Number(event.stream.slice('comment-'.length));
  const { before, after } = comments.step(id, event);
  const known = sofar?.about === 'comment' ? sofar : { before, inner: true };
  const isInner = event.type === ('CommentOriginNoted' satisfies CommentEvent['type']);
  return { about: 'comment', id, before: known.before, after, inner: known.inner && isInner };
}

const termActs = {
  TermCreated: 'created',
  TermChanged: 'changed',
  TermDeleted: 'deleted',
  MenuChanged: 'changed',
} as const;

function termFact({ type, data }: TermEvent, sofar: Fact | undefined): Fact {
  const { id, taxonomy } = data;
  const stays = sofar?.about === 'term' && sofar.what === 'created' && termActs[type] === 'changed';
  return stays ? sofar : { about: 'term', id, taxonomy, what: termActs[type] };
}

function userFact({ type, data }: UserEvent, sofar: Fact | undefined): Fact | undefined {
  const { id } = data;
  switch (type) {
    case 'UserAdded':
      return { about: 'user', id, what: 'created', inner: true };
    case 'UserRoleChanged':
      return sofar ?? { about: 'user', id, what: 'changed', inner: true };
    case 'UserDeleted':
      return { about: 'user', id, what: 'deleted', heir: data.heir, inner: false };
    case 'UserErased':
      return { about: 'user', id, what: 'changed', inner: false };
    case 'UserProfileChanged':
      return sofar?.about === 'user' && sofar.what === 'created'
        ? sofar
        : { about: 'user', id, what: 'changed', inner: isInner(data) && (sofar?.about !== 'user' || sofar.inner) };
    // Changes of passwords are not shown to anyone.
    default:
      return sofar;
  }
}

function isInner(changed: object): boolean {
  return !['displayName', 'slug', 'url', 'description', 'email'].some((name) => name in changed);
}

/** The fact in an event of a plugin area; undefined for areas that the interface of contents does not expose. */
function designFact(event: StoredEvent): DesignFact | undefined {
  if (event.stream === siteStyles.stream) return styles;
  return event.stream === templates.stream ? templateFact(codec.decode(event) as TemplateEvent) : undefined;
}

const styles: DesignFact = { about: 'design', resource: 'global-styles', id: stylesId, what: 'changed' };

function templateFact({ type, data }: TemplateEvent): DesignFact | undefined {
  const what = type === 'TemplateSaved' && data.isNew ? 'created' : acts[type];
  return what === null ? undefined : { about: 'design', resource: baseOf[data.type], id: data.number, what };
}

const acts: Readonly<Record<TemplateEvent['type'], DesignFact['what'] | null>> = {
  TemplateSaved: 'changed',
  TemplateAutosaved: null,
  TemplateRevisionDeleted: 'changed',
  TemplateTrashed: 'trashed',
  TemplateDeleted: 'deleted',
};

function messageFact(event: StoredEvent): MessageFact | undefined {
  if (event.stream !== contact.stream) return undefined;
  const { type, data } = codec.decode(event) as ContactEvent;
  return { about: 'message', id: data.id, what: type === 'ContactMessageReceived' ? 'created' : 'deleted' };
}

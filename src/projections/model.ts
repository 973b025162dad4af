import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { TakenNumbers } from '#domain/kernel/numbering.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { Site } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { CollectionQuery, Found } from './collection/types.ts';
import type { Comments } from './comments/types.ts';
import type { EntryRow, Texts } from './entries/row.ts';
import type { Later } from './later.ts';
import type { Lost } from './lost.ts';
import type { MediaRow } from './media/row.ts';
import type { Dated, Following, Immediate, Projection } from './projection.ts';
import type { RevisionRow } from './revisions.ts';
import type { TermRow } from './terms.ts';
import type { UserRow } from './users.ts';
import type { View, ViewList } from './views/types.ts';

/** Whose slug it is to be. */
export interface SlugOwner {
  readonly kind: string;
  /** 0: a new one. */
  readonly id: number;
  /** Negative where it does not matter. */
  readonly parent: number;
}

/** The site as it is served here. */
export interface ShownSite extends Site {
  readonly names: InterfaceNames;
}

/** What routes read. Every answer is a function of one of these, of the request and of who asks. */
export interface Model {
  readonly position: number;
  /** The model of the present; itself unless it shows the past. */
  present(): PresentModel;
  site(): ShownSite;
  entry(id: number): EntryRow | undefined;
  /** What everybody is sent of an entry, if it is ready. */
  view(id: number): View | undefined;
  /** The same of several, as a list; `other` makes what is not ready. Undefined where nothing is kept ready. */
  viewList(ids: readonly number[], other: (id: number) => string | null): ViewList | undefined;
  /** The long texts as they were written. */
  texts(id: number): Texts | undefined;
  revision(id: number): RevisionRow | undefined;
  /** Revisions and autosaves of an entry, the newest first. */
  revisions(parent: number): readonly RevisionRow[];
  /** What a revision holds; read from the log. */
  revisionTexts(revision: RevisionRow): RevisionTexts;
  /** Ids of an entry's ancestors, nearest first, itself first of all; ends where the chain does or closes. */
  lineage(id: number): readonly number[];
  media(id: number): MediaRow | undefined;
  readonly comments: Comments;
  /** Ids of the media items that are attached to an entry, in ascending order. */
  attached(entry: number): readonly number[];
  /** Whether anything else than the item, of whatever kind, has the slug. */
  nameTaken(slug: string, id: number): boolean;
  /**
   * Whether another entry of the kind has the slug; below one parent only when `parent` is not negative, where it
   * must not be that of a media item either.
   */
  slugTaken(slug: string, owner: SlugOwner): boolean;
  /** Numbers behind a slug that are known to be taken in the same sense; of a media item, by anything else. */
  slugNumbers?(slug: string, owner: SlugOwner): TakenNumbers;
  /** Ids of all entries and media items that have exactly this slug. */
  named(slug: string): readonly number[];
  term(id: number): TermRow | undefined;
  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined;
  terms(taxonomy: Taxonomy): readonly TermRow[];
  user(id: number): UserRow | undefined;
  userByLogin(login: string): UserRow | undefined;
  /** The user with a login, upper and lower case alike; else the one with that mail address. None that has been erased. */
  userByName(name: string): UserRow | undefined;
  userBySlug(slug: string): UserRow | undefined;
  users(): readonly UserRow[];
  /** A document of a plugin area; `key` where the area has several. */
  plugin<S, E extends DomainEvent>(area: Area<S, E>, key?: string): S;
  /** All documents of an area that are not empty, by key. */
  plugins<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
  /** What a projection answers that is defined for the past as well. */
  dated<A>(projection: Projection<A> & Dated<A>): A | Promise<A>;
  /** Answers a collection; sees what has been committed, also inside a session. */
  find(query: CollectionQuery): Later<Found>;
  /** The same model, its terms with the number of published entries that have them. */
  counted(): Later<Model>;
}

/** The model of what is now, which answers everything at once. */
export interface PresentModel extends Model {
  /** What a projection answers. */
  of<T>(projection: Immediate<T>): T;
  /** The same of one that follows, once it contains what is shown here: most often at once, else after the commit under way. */
  following<T>(projection: Following<T>): T | Promise<T>;
  /** Deletions that reach into other streams. */
  readonly lost: Pick<Lost, 'users'>;
  find(query: CollectionQuery): Found;
}

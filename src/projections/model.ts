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
import type { NamedTerm, TermRow } from './terms.ts';
import type { UserRow } from './users.ts';
import type { View, ViewList } from './views/types.ts';

export interface SlugOwner {
  readonly kind: string;
  /** 0: a new one. */
  readonly id: number;
  readonly parent: number;
}

export interface ShownSite extends Site {
  readonly names: InterfaceNames;
  /** Address of a network that can deliver media; null: there is none. */
  readonly network: string | null;
  /** What addresses of media files begin with: that of the network while it delivers them, else the site's own. */
  readonly mediaUrl: string;
}

export interface Model {
  readonly position: number;
  /** The model of the present; itself unless it shows the past. */
  present(): PresentModel;
  site(): ShownSite;
  entry(id: number): EntryRow | undefined;
  view(id: number): View | undefined;
  /** The same of several, as a list; `other` makes what is not ready. Undefined where nothing is kept ready. */
  viewList(ids: readonly number[], other: (id: number) => string | null | undefined): ViewList | undefined;
  texts(id: number): Texts | undefined;
  revision(id: number): RevisionRow | undefined;
  revisions(parent: number): readonly RevisionRow[];
  /** What a revision holds; read from the log. */
  revisionTexts(revision: RevisionRow): RevisionTexts;
  /** Ids of an entry's ancestors, nearest first, itself first of all; ends where the chain does or closes. */
  lineage(id: number): readonly number[];
  media(id: number): MediaRow | undefined;
  readonly comments: Comments;
  attached(entry: number): readonly number[];
  nameTaken(slug: string, id: number): boolean;
  /**
   * Whether another entry of the kind has the slug; below one parent only when `parent` is not negative, where it
   * must not be that of a media item either.
   */
  slugTaken(slug: string, owner: SlugOwner): boolean;
  /** Numbers behind a slug that are known to be taken in the same sense; of a media item, by anything else. */
  slugNumbers?(slug: string, owner: SlugOwner): TakenNumbers;
  named(slug: string): readonly number[];
  term(id: number): TermRow | undefined;
  namedTerm(id: number): NamedTerm | undefined;
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
  plugins<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
  dated<A>(projection: Projection<A> & Dated<A>): A | Promise<A>;
  /** Answers a collection; sees what has been committed, also inside a session. */
  find(query: CollectionQuery): Later<Found>;
  counted(): Later<Model>;
}

export interface PresentModel extends Model {
  of<T>(projection: Immediate<T>): T;
  /** The same of one that follows, once it contains what is shown here: most often at once, else after the commit under way. */
  following<T>(projection: Following<T>): T | Promise<T>;
  readonly lost: Pick<Lost, 'users' | 'parents'>;
  find(query: CollectionQuery): Found;
}

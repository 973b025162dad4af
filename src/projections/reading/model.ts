import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { Site } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { Comments } from '../comments/types.ts';
import type { Deletions } from '../deletions/deletions.ts';
import type { EntryRevisions, RevisionRow } from '../entries/revisions.ts';
import type { EntryRow, Texts } from '../entries/row.ts';
import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import type { Following, Immediate } from '../kernel/projection.ts';
import type { MediaRow } from '../media/row.ts';
import type { NamedTerm, TermRow } from '../terms/definition.ts';
import type { UserRow } from '../users/definition.ts';
import type { View, ViewList } from '../views/types.ts';
import type { LeftPlace } from './left.ts';

export interface SlugOwner {
  readonly kind: string;
  /** 0 for a new one. */
  readonly id: number;
  readonly parent: number;
}

export interface ShownSite extends Site {
  /** Where pages are: the address of the front end, if there is one. */
  readonly url: string;
  /** Where this server is: its interface, files, feeds and forms. */
  readonly storeUrl: string;
  readonly names: InterfaceNames;
  /** Address of a network that can deliver media, or null. */
  readonly network: string | null;
  /** Prefix of the addresses of media files: the network's while it delivers them, else the site's. */
  readonly mediaUrl: string;
}

export interface Model {
  readonly position: number;
  /** The model of the present; itself unless it shows the past. */
  present(): PresentModel;
  site(): ShownSite;
  entry(id: number): EntryRow | undefined;
  view(id: number): View | undefined;
  /** Several views as a list; `other` supplies those that are not ready. Undefined without ready answers. */
  viewList(ids: readonly number[], other: (id: number) => string | null | undefined): ViewList | undefined;
  texts(id: number): Texts | undefined;
  revision(id: number): RevisionRow | undefined;
  revisions(parent: number): EntryRevisions;
  /** Texts of a revision; read from the log. */
  revisionTexts(revision: RevisionRow): RevisionTexts;
  /** Ids of an entry and its ancestors, from the entry upwards; ends at the top or before a cycle. */
  lineage(id: number): readonly number[];
  media(id: number): MediaRow | undefined;
  readonly comments: Comments;
  attached(entry: number): readonly number[];
  nameTaken(slug: string, id: number): boolean;
  /** Whether another entry of the kind has the slug. If `parent` is not negative, only its children count, including media items. */
  slugTaken(slug: string, owner: SlugOwner): boolean;
  /** What follows a stem and a dash, if it begins with a digit, in slugs that are taken in this sense; for a media item, by any other item. */
  slugEndings?(stem: string, owner: SlugOwner): readonly string[];
  named(slug: string): readonly number[];
  /** Where commits begin with which something left a place with one of these slugs, newest first; the last ones of many. */
  left(slugs: readonly string[]): readonly number[];
  /** All places that were left, newest first. Takes long on a site with a long past. */
  everyLeft(): readonly LeftPlace[];
  /** When something public was last changed or taken away, of posts or comments, as in `2026-03-01T11:00:00.000Z`; null: never. */
  leftAt(what: 'posts' | 'comments'): string | null;
  /** The time of the newest commit, as in `2026-03-01T11:00:00.000Z`; null: there is none. */
  lastCommitAt(): string | null;
  /** The site as of an earlier position, which must be the end of a commit. */
  earlier(position: number): Model;
  term(id: number): TermRow | undefined;
  namedTerm(id: number): NamedTerm | undefined;
  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined;
  terms(taxonomy: Taxonomy): readonly TermRow[];
  user(id: number): UserRow | undefined;
  userByLogin(login: string): UserRow | undefined;
  /** The user with a login, ignoring case; else the user with that mail address. Excludes erased users. */
  userByName(name: string): UserRow | undefined;
  userBySlug(slug: string): UserRow | undefined;
  users(): readonly UserRow[];
  /** A document of a plugin area; `key` if the area has several. */
  plugin<S, E extends DomainEvent>(area: Area<S, E>, key?: string): S;
  plugins<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
  /** A projection as of this state. Its tables have to be versioned. */
  dated<A>(projection: Immediate<A>): A;
  dated<A>(projection: Following<A>): A | Promise<A>;
  /** Finds a collection. Sees only committed data, even inside a session. */
  find(query: CollectionQuery): Found;
}

/** Feeds of other sites, which are fetched besides requests. */
export interface ForeignFeeds {
  /** Their items as JSON; null if they cannot be had, undefined if they have not been fetched yet. Notes that the feed is shown. */
  of(address: string): string | null | undefined;
}

export interface PresentModel extends Model {
  readonly feeds: ForeignFeeds;
  of<T>(projection: Immediate<T>): T;
  /** A following projection, once it contains what is shown here: usually at once, else after the commit under way. */
  following<T>(projection: Following<T>): T | Promise<T>;
  readonly deletions: Pick<Deletions, 'users' | 'parents'>;
  /** Media items that not everybody may read. */
  guardedMedia(): readonly number[];
}

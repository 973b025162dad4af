import type { Entry } from '#domain/entry/state.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { type Area, onlyKey } from '#domain/plugins/area.ts';
import { defaultSite } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import { PastComments } from '../comments/past.ts';
import type { CommentQuery } from '../comments/types.ts';
import { names } from '../entries/names.ts';
import { render } from '../entries/render.ts';
import { type EntryRevisions, type RevisionRow, revisionsIn } from '../entries/revisions.ts';
import type { EntryRow, Texts } from '../entries/row.ts';
import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import { lineage } from '../kernel/lineage.ts';
import type { Dated } from '../kernel/projection.ts';
import { remember } from '../kernel/remember.ts';
import { media } from '../media/definition.ts';
import { type MediaRow, toMediaRow } from '../media/row.ts';
import { plugins } from '../plugins/store.ts';
import type { Model, PresentModel, ShownSite } from '../reading/model.ts';
import type { Reader } from '../reading/reader.ts';
import { site } from '../site/definition.ts';
import type { NamedTerm, TermRow } from '../terms/definition.ts';
import { type UserRow, users } from '../users/definition.ts';
import { type FoldedEntry, HistoricalStates } from './historical-states.ts';

/** Answers questions across items: which existed, and how many. */
export interface Finder {
  find(query: CollectionQuery): Found;
  /** Finds comments when too many differ; null: there is no limit. */
  readonly comments: ((query: CommentQuery) => Found) | null;
  readonly overlayLimit: number;
  /** Number of published entries per term; terms without any may be missing. */
  counts(): ReadonlyMap<number, number>;
}

export interface PastParts {
  readonly position: number;
  readonly log: Pick<EventStore, 'read'>;
  readonly now: Reader;
  readonly finder: Finder;
}

/**
 * The site as of a position. Items without later events are read from the present, all others are folded from the log on demand. Users
 * have no counts of published entries.
 */
export class PastModel implements Model {
  readonly position: number;
  readonly comments: PastComments;
  readonly #now: Reader;
  readonly #finder: Finder;
  readonly #log: PastParts['log'];
  readonly #historical: HistoricalStates;
  readonly #entries = new Map<number, FoldedEntry | null>();
  readonly #rows = new Map<number, EntryRow>();
  readonly #revisions = new Map<number, readonly RevisionRow[]>();
  readonly #media = new Map<number, MediaRow | null>();
  readonly #terms = new Map<number, NamedTerm | null>();
  readonly #users = new Map<number, UserRow | null>();
  #site: ShownSite | undefined;

  constructor({ position, log, now, finder }: PastParts) {
    this.position = position;
    this.#now = now;
    this.#finder = finder;
    this.#log = log;
    this.#historical = new HistoricalStates(position, log, now.deletions);
    this.comments = new PastComments({ position, log, now, far: finder.comments, overlayLimit: finder.overlayLimit });
  }

  present(): PresentModel {
    return this.#now;
  }

  site(): ShownSite {
    this.#site ??= this.#now.placed(this.dated(site).get() ?? defaultSite);
    return this.#site;
  }

  entry(id: number): EntryRow | undefined {
    const same = this.#unchanged(id);
    if (same !== undefined) return same;
    const folded = this.#fold(id);
    if (folded === null) return undefined;
    const { state, touched, version } = folded;
    return remember(this.#rows, id, () => ({ ...state, ...render(state), ord: 0, touched, version }));
  }

  view(): undefined {
    return undefined;
  }

  viewList(): undefined {
    return undefined;
  }

  texts(id: number): Texts | undefined {
    if (this.#unchanged(id) !== undefined) return this.#now.texts(id);
    const state = this.#fold(id)?.state;
    return state && { content: state.content, excerpt: state.excerpt };
  }

  /** Only revisions that still exist are found. */
  revision(id: number): RevisionRow | undefined {
    const now = this.#now.revision(id);
    if (now === undefined || this.#unchanged(now.parent) !== undefined) return now;
    return this.revisions(now.parent)
      .all()
      .find((revision) => revision.id === id);
  }

  revisions(parent: number): EntryRevisions {
    if (this.#unchanged(parent) !== undefined) return this.#now.revisions(parent);
    const rows = () => (this.#fold(parent) === null ? [] : this.#historical.revisions(parent));
    return revisionsIn(remember(this.#revisions, parent, rows));
  }

  revisionTexts(revision: RevisionRow): RevisionTexts {
    return this.#now.revisionTexts(revision);
  }

  lineage(id: number): readonly number[] {
    return lineage(id, (entry) => this.#state(entry)?.parent ?? 0);
  }

  slugTaken(slug: string, { kind, id, parent }: { kind: string; id: number; parent: number }): boolean {
    return this.#now
      .of(names)
      .of(slug)
      .some((other) => {
        const entry = this.#state(other);
        if (entry !== undefined) {
          return other !== id && entry.slug === slug && entry.kind === kind && (parent < 0 || entry.parent === parent);
        }
        const media = this.media(other);
        return media !== undefined && media.slug === slug && media.parent === parent;
      });
  }

  named(slug: string): readonly number[] {
    const ids = this.#now.of(names).of(slug);
    const entries = ids.filter((id) => this.#state(id)?.slug === slug);
    return [...entries, ...ids.filter((id) => this.media(id)?.slug === slug)];
  }

  nameTaken(slug: string, id: number): boolean {
    return this.named(slug).some((other) => other !== id);
  }

  media(id: number): MediaRow | undefined {
    const now = this.#now.media(id);
    if (now !== undefined && now.touched <= this.position) return now;
    return (
      remember(this.#media, id, () => {
        const folded = this.#historical.media(id);
        return folded && toMediaRow(folded.state, { ord: 0, touched: folded.touched });
      }) ?? undefined
    );
  }

  attached(entry: number): readonly number[] {
    const table = this.#now.of(media);
    const changed = [...table.touchedAfter(this.position), ...table.lostAfter(this.position)];
    const ids = new Set([...table.attachedTo(entry), ...changed]);
    return [...ids].filter((id) => this.media(id)?.parent === entry).sort((a, b) => a - b);
  }

  term(id: number): TermRow | undefined {
    const now = this.#now.term(id);
    const isSame = now !== undefined && now.touched <= this.position;
    const row = isSame ? now : remember(this.#terms, id, () => this.#pastTerm(id));
    const published = () => this.counts().get(id) ?? 0;
    return row === null
      ? undefined
      : {
          ...row,
          get published() {
            return published();
          },
        };
  }

  namedTerm(id: number): NamedTerm | undefined {
    return this.term(id);
  }

  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.terms(taxonomy).find((term) => term.slug === slug);
  }

  terms(taxonomy: Taxonomy): readonly TermRow[] {
    const gone = this.#now.deletions
      .terms()
      .flatMap(({ event, position }) => (position > this.position ? event.data.id : []));
    const ids = [...this.#now.terms(taxonomy).map(({ id }) => id), ...gone].sort((a, b) => a - b);
    return ids.flatMap((id) => this.term(id) ?? []).filter((term) => term.taxonomy === taxonomy);
  }

  user(id: number): UserRow | undefined {
    return (
      remember(this.#users, id, () => {
        const user = this.dated(users).get(id);
        return user === undefined ? null : { ...user, published: 0 };
      }) ?? undefined
    );
  }

  userByLogin(login: string): UserRow | undefined {
    return this.users().find((user) => user.login === login);
  }

  userByName(name: string): UserRow | undefined {
    const low = name.toLowerCase();
    const users = this.users().filter(({ erased }) => !erased);
    const named = users.filter((user) => user.login.toLowerCase() === low);
    const exact = named.find((user) => user.login === name);
    return exact ?? named[0] ?? users.find(({ email }) => email !== '' && email.toLowerCase() === low);
  }

  userBySlug(slug: string): UserRow | undefined {
    return this.users().find((user) => user.slug === slug);
  }

  users(): readonly UserRow[] {
    const gone = this.#now.deletions
      .users()
      .flatMap(({ event, position }) => (position > this.position ? event.data.id : []));
    const ids = [...this.#now.users().map(({ id }) => id), ...gone].sort((a, b) => a - b);
    return ids.flatMap((id) => this.user(id) ?? []);
  }

  plugin<S, E extends DomainEvent>(area: Area<S, E>, key: string = onlyKey): S {
    return this.plugins(area).get(key) ?? area.empty;
  }

  plugins<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S> {
    return this.dated(plugins).all(area);
  }

  dated<A>({ past }: Dated<A>): A {
    return past(this.#log, this.position);
  }

  find(query: CollectionQuery): Found {
    return this.#finder.find(query);
  }

  counts(): ReadonlyMap<number, number> {
    return this.#finder.counts();
  }

  #pastTerm(id: number): NamedTerm | null {
    const folded = this.#historical.term(id);
    return folded && { ...folded.state, touched: folded.touched };
  }

  #state(id: number): Omit<Entry, keyof Texts> | undefined {
    return this.#unchanged(id) ?? this.#fold(id)?.state;
  }

  #unchanged(id: number): EntryRow | undefined {
    const now = this.#now.entry(id);
    return now !== undefined && now.touched <= this.position ? now : undefined;
  }

  #fold(id: number): FoldedEntry | null {
    return remember(this.#entries, id, () => this.#historical.entry(id));
  }
}

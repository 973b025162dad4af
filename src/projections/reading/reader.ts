import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#catalogue/events.ts';
import { isDelivered } from '#catalogue/plugins.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { type Area, onlyKey } from '#domain/plugins/area.ts';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import { defaultSite, type Site } from '#domain/site/state.ts';
import { type Taxonomy, taxonomies } from '#domain/term/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import { comments, type StoredComments } from '../comments/definition.ts';
import { Deletions } from '../deletions/deletions.ts';
import { entries } from '../entries/definition.ts';
import { type EntryRevisions, type RevisionRow, revisions } from '../entries/revisions.ts';
import type { EntryRow, Texts } from '../entries/row.ts';
import type { EntryTable } from '../entries/store.ts';
import type { Changes } from '../kernel/changes.ts';
import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import { lineage } from '../kernel/lineage.ts';
import { type Following, type Immediate, type Projection, Tables } from '../kernel/projection.ts';
import { remember } from '../kernel/remember.ts';
import { DamagedRow } from '../kernel/sums.ts';
import { textsAt } from '../kernel/text-places.ts';
import { media } from '../media/definition.ts';
import type { MediaRow } from '../media/row.ts';
import { type MediaTable, mediaKind } from '../media/store.ts';
import { plugins } from '../plugins/store.ts';
import { site, siteInLog } from '../site/definition.ts';
import { type NamedTerm, type TermRow, type TermTable, terms } from '../terms/definition.ts';
import { type UserRow, type UserTable, users } from '../users/definition.ts';
import { listOfTexts } from '../views/record-reader.ts';
import type { View, ViewList, Views } from '../views/views.ts';
import { KeptRows } from './kept-rows.ts';
import { everyPlaceLeft, type LeftPlace, leftPlaces, timeOf } from './left.ts';
import type { ForeignFeeds, Model, PresentModel, ShownSite, SlugOwner } from './model.ts';
import { isClaimed, livesAtTop } from './top.ts';

export interface ReaderParts {
  readonly db: DatabaseSync;
  readonly log: Pick<EventStore, 'read' | 'head'>;
  readonly find: (query: CollectionQuery) => Found;
  /** Default: tables of its own. */
  readonly tables?: Tables | undefined;
  /** Default: those of the documentation. */
  readonly names?: InterfaceNames | undefined;
  /** Address of a network that delivers media while the cache cloud is on; null: none. */
  readonly network?: string | null | undefined;
  /** Default: none can be had. */
  readonly feeds?: ForeignFeeds | undefined;
}

const noFeeds: ForeignFeeds = { of: () => null };

/** The read model on one connection. Small or frequently used rows are kept until `forget` reports a change. */
export class Reader implements PresentModel {
  deletions!: Deletions;
  #log!: ReaderParts['log'];
  #tables!: Tables;
  #find!: ReaderParts['find'];
  readonly #kept = new KeptRows();
  readonly #documents = new Map<string, unknown>();
  #site: ShownSite | undefined;
  #interface = defaultNames;
  #network: string | null = null;
  feeds: ForeignFeeds = noFeeds;
  /** Ready answers; optional. */
  ready: Pick<Views, 'get' | 'list'> | undefined;
  /** Catches following projections up to this reader. If absent, they are always current. */
  followed: (() => Promise<void> | undefined) | undefined;
  /** Set by what opens the past of this reader. */
  earlier: (position: number) => Model = () => {
    throw new Error('no earlier position is open');
  };
  position = 0;
  #address: string | undefined;

  constructor(parts: ReaderParts) {
    this.moveTo(parts);
  }

  moveTo({
    db,
    log,
    find,
    tables = new Tables(db),
    names = defaultNames,
    network = null,
    feeds = noFeeds,
  }: ReaderParts): void {
    this.#tables = tables;
    this.deletions = new Deletions({ users: tables.of(users), parents: tables.of(entries).losses });
    this.#log = log;
    this.#find = find;
    this.#interface = names;
    this.#network = network;
    this.feeds = feeds;
    this.forgetAll();
  }

  of<T>(projection: Immediate<T>): T {
    return this.#tables.of(projection);
  }

  /** A projection for this reader's own use. */
  protected on<T>(projection: Projection<T>): T {
    return this.#tables.of(projection);
  }

  get #entries(): EntryTable {
    return this.on(entries);
  }

  get #terms(): TermTable {
    return this.on(terms);
  }

  get #users(): UserTable {
    return this.on(users);
  }

  get #mediaTable(): MediaTable {
    return this.on(media);
  }

  following<T>(projection: Following<T>): T | Promise<T> {
    const wait = this.followed?.();
    return wait === undefined ? this.#tables.of(projection) : wait.then(() => this.#tables.of(projection));
  }

  present(): PresentModel {
    return this;
  }

  get comments(): StoredComments {
    return this.on(comments);
  }

  site(): ShownSite {
    this.#site ??= this.placed(this.#storedSite() ?? defaultSite);
    return this.#site;
  }

  /** Makes links begin with another address, for a copy that is served there. */
  serveAt(address: string): void {
    this.#address = address;
    this.#site = undefined;
  }

  placed(site: Site): ShownSite {
    const storeUrl = this.#address ?? site.url;
    const url = this.#address ?? this.#interface.frontUrl ?? storeUrl;
    return { ...site, url, storeUrl, names: this.#interface, network: this.#network, mediaUrl: this.#media(storeUrl) };
  }

  entry(id: number): EntryRow | undefined {
    return remember(this.#kept.entries, id, () => this.#entries.rendered(id));
  }

  view(id: number): View | undefined {
    return this.ready?.get(id);
  }

  viewList(ids: readonly number[], other: (id: number) => string | null | undefined): ViewList | undefined {
    if (this.ready !== undefined) return this.ready.list(ids, other);
    const texts = ids.map(other);
    return texts.includes(undefined) ? undefined : listOfTexts(texts.filter((text) => typeof text === 'string'));
  }

  texts(id: number): Texts | undefined {
    return this.#entries.texts(id);
  }

  revision(id: number): RevisionRow | undefined {
    return this.on(revisions).row(id);
  }

  revisions(parent: number): EntryRevisions {
    return this.on(revisions).of(parent);
  }

  revisionTexts({ places }: RevisionRow): RevisionTexts {
    return textsAt(places, (position) => this.eventAt(position));
  }

  lineage(id: number): readonly number[] {
    return lineage(id, (entry) => this.entry(entry)?.parent ?? 0);
  }

  slugEndings(stem: string, owner: SlugOwner): readonly string[] {
    const { kind, id, parent } = owner;
    const isMedia = kind === mediaKind;
    const ofEntries = this.#entries.slugs.endings(stem, isMedia ? { ...owner, kind: null } : owner);
    return isMedia || parent >= 0 ? [...ofEntries, ...this.#mediaTable.slugEndings(stem, { id, parent })] : ofEntries;
  }

  /** What follows a stem and a dash, if it begins with a digit, in slugs of terms of any taxonomy, except of the term `except`. */
  termEndings(stem: string, except: number): readonly string[] {
    return taxonomies.flatMap((taxonomy) => this.#terms.slugEndings(taxonomy, stem, except));
  }

  slugTaken(slug: string, owner: SlugOwner): boolean {
    return (
      this.#entries.slugs.isTaken(slug, owner) ||
      (owner.parent >= 0 && this.#mediaTable.slugBelow(slug, owner.parent)) ||
      (livesAtTop(owner) && this.#topTaken(slug, owner.id))
    );
  }

  /** Whether something else than an item of the same kind has the address that a slug is at the top of the site. */
  #topTaken(slug: string, id: number): boolean {
    return (
      isClaimed(slug, this.#interface) || this.#entries.slugs.isAtTop(slug, id) || this.#mediaTable.slugBelow(slug, 0)
    );
  }

  named(slug: string): readonly number[] {
    return [...this.#entries.slugs.named(slug, null), ...this.#mediaTable.idsBySlug(slug)];
  }

  left(slugs: readonly string[]): readonly number[] {
    return leftPlaces([this.#entries, this.#mediaTable, this.#terms, this.#users], slugs, this.position);
  }

  everyLeft(): readonly LeftPlace[] {
    return everyPlaceLeft([this.#entries, this.#mediaTable], this.#terms, this.#users, this.position);
  }

  leftAt(what: 'posts' | 'comments'): string | null {
    const position = (what === 'posts' ? this.#entries.shown : this.on(comments).shown).at(this.position);
    return position === null ? null : timeOf(position, this.#log);
  }

  lastCommitAt(): string | null {
    return timeOf(this.position, this.#log);
  }

  nameTaken(slug: string, id: number): boolean {
    return isClaimed(slug, this.#interface) || this.named(slug).some((other) => other !== id);
  }

  media(id: number): MediaRow | undefined {
    return remember(this.#kept.media, id, () => this.#mediaTable.get(id));
  }

  guardedMedia(): readonly number[] {
    return this.#kept.guardedMedia(() => this.#mediaTable.guarded());
  }

  attached(entry: number): readonly number[] {
    return this.#mediaTable.attachedTo(entry);
  }

  term(id: number): TermRow | undefined {
    return remember(this.#kept.terms, id, () => this.#terms.get(id), maxTerms);
  }

  namedTerm(id: number): NamedTerm | undefined {
    return this.term(id);
  }

  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.#terms.bySlug(taxonomy, slug);
  }

  terms(taxonomy: Taxonomy): readonly TermRow[] {
    return this.#kept.termsOf(taxonomy, () => this.#terms.all(taxonomy));
  }

  user(id: number): UserRow | undefined {
    return remember(this.#kept.users, id, () => this.#users.get(id));
  }

  userByLogin(login: string): UserRow | undefined {
    return this.#users.byLogin(login);
  }

  userByName(name: string): UserRow | undefined {
    const id = this.#users.idByName(name);
    // An unknown name takes equally long, so that response times do not reveal who has an account.
    const row = this.#users.get(id ?? anyone);
    return id === undefined ? undefined : row;
  }

  userBySlug(slug: string): UserRow | undefined {
    return this.#users.bySlug(slug);
  }

  users(): readonly UserRow[] {
    return this.#kept.allUsers(() => this.#users.all());
  }

  plugin<S, E extends DomainEvent>(area: Area<S, E>, key: string = onlyKey): S {
    return remember(this.#documents, `${area.name} ${key}`, () => this.on(plugins).get(area, key)) as S;
  }

  plugins<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S> {
    return this.on(plugins).all(area);
  }

  find(query: CollectionQuery): Found {
    return this.#find(query);
  }

  #media(own: string): string {
    if (this.#network === null || this.#address !== undefined) return own;
    return isDelivered({ document: (area, key) => this.plugin(area, key) }) ? this.#network : own;
  }

  // Every answer needs the site, even an error. If the row is damaged, it is read from the log.
  #storedSite(): Site | undefined {
    try {
      return this.on(site).get();
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error;
      return siteInLog(this.#log, this.position);
    }
  }

  protected eventAt(position: number): DomainEvent {
    const [event] = this.#log.read({ from: position, limit: 1 });
    if (event === undefined) throw new Error(`the log has nothing at position ${position}`);
    return codec.decode(event);
  }

  dated<A>(projection: Immediate<A>): A;
  dated<A>(projection: Following<A>): A | Promise<A>;
  dated<A>(projection: Projection<A>): A | Promise<A> {
    return projection.follows ? this.following(projection) : this.on(projection);
  }

  forget(changes: Changes): void {
    this.#kept.clear();
    if (changes.lost.length > 0) this.deletions.forget();
    if (changes.keys.has('plugins')) this.#documents.clear();
    if (changes.keys.has('site') || changes.keys.has('plugins')) this.#site = undefined;
  }

  forgetAll(): void {
    this.#kept.clear();
    this.deletions.forget();
    this.#documents.clear();
    this.#site = undefined;
  }
}

/** Maximum number of terms that are kept: lists name many. */
const maxTerms = 4096;
/** User whose row is read for an unknown name. */
const anyone = 1;

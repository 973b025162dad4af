import type { DatabaseSync } from 'node:sqlite';
import type { TermDeletedEvent } from '#domain/term/events.ts';
import { createCollections, type SavedCollections } from '../collection/collections.ts';
import type { Sources } from '../collection/fitting.ts';
import type { OrdSet } from '../collection/ord-set.ts';
import { SavedLists, saveLists } from '../collection/saved-lists.ts';
import { EntryTable } from '../entries/store.ts';
import type { Changes } from '../kernel/changes.ts';
import type { CollectionQuery, EntryFacets, EntryTexts, Found } from '../kernel/collection-query.ts';
import { IdMap } from '../kernel/id-map.ts';
import { remember } from '../kernel/remember.ts';
import { MediaTable, mediaFacets, mediaKind, searchTextsOf } from '../media/store.ts';
import { createSearchIndex } from '../search/index.ts';
import { SearchStore } from '../search/store.ts';
import { TermTable } from '../terms/definition.ts';
import type { Views } from '../views/views.ts';
import { existingAmong, writtenAfter } from './indexed.ts';

export interface LiveOptions {
  /** Loads in steps, by `loadSome`, or as soon as anything is asked for. */
  readonly later?: boolean;
  readonly borrowed?: { readonly db: DatabaseSync; readonly position: number } | undefined;
  /** Whether another one saves the search index, which this one adopts: see `adoptSaved`. */
  readonly follows?: boolean;
  /** Entries or media items that are loaded in one step: by default, a few milliseconds of work. */
  readonly step?: number;
}

const all = Number.POSITIVE_INFINITY;
/** Bytes of the search index in memory from which it is saved. */
const maxUnsaved = 8 << 20;
/** From this number of changed entries, deleted ones are removed together. */
const many = 100;

/** In-memory indexes that answer collections, loaded from the tables and updated after each commit. */
export class Live {
  #db: DatabaseSync;
  #entries: EntryTable;
  #media: MediaTable;
  #terms: TermTable;
  readonly #collections;
  readonly #search;
  readonly #searchStore = new SearchStore();
  #saving: Generator<void> | null = null;
  readonly #ordById = new IdMap();
  /** Texts that are already folded; without them, those of the tables are folded at each search. */
  ready: Pick<Views, 'texts' | 'which'> | undefined;
  unsaved = 0;
  #isRemoved = false;
  /** Null once everything has been loaded. */
  #loading: Pick<Iterator<void>, 'next'> | null;
  /** Up to where entries (by ord) and media items (by id) have been loaded. Whatever comes after is loaded as it is by then. */
  readonly #loaded = { entries: -1, media: -1 };
  /** What the last stop saved, until it is taken: by the first one of a start, not by those of other threads. */
  #saved: SavedLists | null;
  readonly #step: number;

  constructor(db: DatabaseSync, { later = false, borrowed, follows = false, step = 500 }: LiveOptions = {}) {
    this.#saved = later && borrowed === undefined ? SavedLists.beside(db) : null;
    this.#step = step;
    this.#db = db;
    this.#entries = new EntryTable(db);
    this.#media = new MediaTable(db);
    this.#terms = new TermTable(db);
    this.#collections = createCollections({
      idsBySlug: (kind, slug) =>
        kind === mediaKind ? this.#media.idsBySlug(slug) : this.#entries.slugs.named(slug, kind),
    });
    this.#search = createSearchIndex({
      texts: (ord) => this.#texts(ord),
      ready: {
        texts: (ord) => this.ready?.texts(this.#collections.idOf(ord)),
        which: (ord, terms) => this.ready?.which(this.#collections.idOf(ord), terms),
      },
      lengthOf: (ord) => this.#entries.textLength(this.#collections.idOf(ord)),
      keepsSaved: follows,
    });
    this.#loading = this.#load(borrowed);
    if (!later) this.loadAll();
  }

  /** Loads for a few milliseconds. Returns false once everything has been loaded. Throws `DamagedRow`, from then on at each call. */
  loadSome(): boolean {
    try {
      if (this.#loading?.next().done) this.#loading = null;
    } catch (error) {
      const next = () => {
        throw error;
      };
      this.#loading = { next };
      throw error;
    }
    return this.#loading !== null;
  }

  /** Loads what is left. */
  loadAll(): void {
    while (this.loadSome());
  }

  moveTo(db: DatabaseSync): void {
    this.#db = db;
    this.#entries = new EntryTable(db);
    this.#media = new MediaTable(db);
    this.#terms = new TermTable(db);
  }

  /** Number of entries whose texts have changed since they were indexed, among those loaded. */
  get unindexed(): number {
    return this.#search.tailSize;
  }

  /** Brings the search index one step closer to being current. Returns false when it is; `compact`: and of one piece. */
  indexStep({ compact }: { readonly compact: boolean }): boolean {
    return compact ? this.#search.indexStep() : this.#search.indexTail();
  }

  find(query: CollectionQuery): Found {
    this.loadAll();
    return this.#collections.find(query, this.#search);
  }

  /** Number of published entries with a term, without some. */
  published(term: number, hidden: OrdSet): number {
    this.loadAll();
    return this.#collections.published(term, hidden);
  }

  sources(kind: string): Sources | undefined {
    this.loadAll();
    return this.#collections.sources(kind, this.#search);
  }

  /** The sequence number of an item in collections and search; undefined if it does not exist. */
  ordOf(id: number): number | undefined {
    this.loadAll();
    return this.#ordById.get(id);
  }

  /** Entries that refer to deleted items, or whose image may have become visible to others; to be called before `apply`. */
  affectedByDeletion({ lost, readable, media }: Pick<Changes, 'lost' | 'readable' | 'media'>): number[] {
    if (lost.length > 0) this.loadAll();
    const losing = lost.flatMap(({ type, data: { id } }) => {
      if (type === 'EntryDeleted') return this.#collections.below(id);
      if (type === 'MediaDeleted') return [...this.#entries.featuring.of(id), ...this.#media.featuring(id)];
      if (type === 'UserDeleted')
        return [...this.#collections.by(id), ...this.#entries.featuring.attachedToThoseOf(id)];
      return this.#collections.having(id);
    });
    const shown = [...media].flatMap((id) => this.#entries.featuring.of(id));
    const attached = readable.size === 0 ? [] : this.#entries.featuring.attachedTo(readable);
    return [...losing, ...shown, ...attached];
  }

  apply(changes: Changes): void {
    this.unsaved += changes.entries.size + changes.media.size;
    if (this.#saved === null) this.#update(changes);
    else this.#saved.changed.push(changes);
  }

  #update(changes: Changes): void {
    this.#loseTerms(changes.lost.flatMap((event) => (event.type === 'TermDeleted' ? event.data : [])));
    for (const { type, data } of changes.lost) {
      if (type === 'UserDeleted') this.#collections.pass(data);
      if (type === 'EntryDeleted') this.#collections.raise({ id: data.id, heir: data.heir ?? 0 });
    }
    const gone = this.#removeMany(changes.entries);
    for (const id of changes.entries) {
      const facets = gone.has(id) ? undefined : this.#entries.facetsOf(id);
      if (facets === undefined || facets.ord <= this.#loaded.entries) this.#show(id, facets);
    }
    for (const id of changes.media) {
      const row = this.#media.get(id);
      if (row === undefined || id <= this.#loaded.media) this.#show(id, row && mediaFacets(row));
    }
  }

  /** Does about `budget` milliseconds of deferrable work. Returns false when none is left. */
  work(budget = 8): boolean {
    return this.loadSome() || this.#collections.warm() || this.#search.indexSome(budget);
  }

  /** Replaces the search index by the one that the writer has saved since. What is indexed here would otherwise grow with each change. */
  adoptSaved(): void {
    if (this.#loading !== null || !this.#searchStore.isOutdated(this.#db)) return;
    const indexed = this.#searchStore.load(this.#db, this.#search);
    if (indexed > 0) this.#completeSearch(this.#db, indexed);
  }

  /** Saves the search index, so that the next start need not rebuild it. */
  save(db: DatabaseSync, position: number): void {
    // Otherwise nothing has changed since it was saved.
    if (this.#loading === null) for (const _ of this.saving(db, position));
  }

  *saving(db: DatabaseSync, position: number): Generator<void> {
    this.unsaved = 0;
    while (this.#search.isForgetting && this.#search.indexStep()) yield;
    yield* this.#searchStore.save(db, this.#search, () => position);
  }

  /** Saves the indexes for lists of tables that are about to be closed. */
  saveLists(db: DatabaseSync): void {
    if (this.#loading === null) saveLists(db, this.#collections.saved());
  }

  /** Closes the files of the search index. */
  close(): void {
    this.stopSaving();
    this.#searchStore.close();
  }

  /** Removes what was saved of the search index, and has it saved again when it no longer contains anything of removed items. */
  forgetDead(db: DatabaseSync): void {
    this.loadAll();
    this.stopSaving();
    this.#searchStore.remove(db);
    this.#search.forgetDead();
    this.#isRemoved = true;
  }

  /**
   * Saves in steps of a few milliseconds, once there have been `after` changes or much is in memory. Returns false when there is nothing to
   * do. No transaction may be open on the connection between two steps.
   */
  saveSome(db: DatabaseSync, { after, position }: { after: number; position: () => number }): boolean {
    if (this.#loading !== null) return false;
    if (this.#saving === null) {
      const isLarge = this.#searchStore.unsavedSize(this.#search) > maxUnsaved;
      if ((this.unsaved <= after && !this.#isRemoved && !isLarge) || this.#search.isForgetting) return false;
      this.unsaved = 0;
      this.#isRemoved = false;
      this.#saving = this.#searchStore.save(db, this.#search, position);
    }
    const saving = this.#saving;
    // After a failing step, saving starts over after as many changes.
    this.#saving = null;
    if (!saving.next().done) this.#saving = saving;
    return true;
  }

  /** Aborts what `saveSome` has begun. */
  stopSaving(): void {
    this.#saving?.return(undefined);
    this.#saving = null;
  }

  #loseTerms(lost: readonly TermDeletedEvent['data'][]): void {
    if (lost.length === 0) return;
    const known = new Map(lost.map(({ id, taxonomy }) => [id, taxonomy === 'category']));
    const isCategory = (id: number) => remember(known, id, () => this.#terms.get(id)?.taxonomy === 'category', all);
    for (const { id, heir } of lost) this.#collections.lose({ id, heir, isCategory });
  }

  /** Removes those of many entries that no longer exist, and returns them; does nothing with few. */
  #removeMany(entries: ReadonlySet<number>): ReadonlySet<number> {
    if (entries.size < many) return new Set();
    const gone = entries.difference(existingAmong(entries, this.#db));
    const ords = [...gone].flatMap((id) => this.#ordById.get(id) ?? []);
    for (const ord of ords) this.#forget(ord);
    this.#collections.removeAll(ords);
    return gone;
  }

  #show(id: number, facets: EntryFacets | undefined): void {
    if (facets === undefined) {
      this.#remove(id);
      return;
    }
    this.#ordById.set(facets.id, facets.ord);
    this.#collections.upsert(facets);
    // The search index is loaded last, and then lacks what has been written since it was saved.
    if (this.#loading === null) this.#search.put(facets.ord);
  }

  #remove(id: number): void {
    const ord = this.#ordById.get(id);
    if (ord === undefined) return;
    this.#forget(ord);
    this.#collections.remove(id);
  }

  #forget(ord: number): void {
    this.#search.remove(ord);
    this.#ordById.delete(this.#collections.idOf(ord));
  }

  *#load(borrowed: LiveOptions['borrowed']): Generator<void> {
    const loaded = this.#loaded;
    const saved = this.#saved;
    this.#saved = null;
    const lists = saved?.take() ?? null;
    if (lists !== null) this.#restore(lists);
    if (lists !== null) for (const changes of saved?.changed ?? []) this.#update(changes);
    while (loaded.entries < all) {
      const some = this.#entries.facetsAfter(loaded.entries, this.#step);
      this.#add(some);
      loaded.entries = some.at(-1)?.ord ?? all;
      yield;
    }
    while (loaded.media < all) {
      const some = this.#media.rowsAfter(loaded.media, this.#step);
      this.#add(some.map(mediaFacets));
      loaded.media = some.at(-1)?.id ?? all;
      yield;
    }
    const { db, position } = borrowed ?? { db: this.#db, position: all };
    this.#completeSearch(db, Math.min(this.#searchStore.load(db, this.#search), position));
  }

  /** Brings a search index that covers a position up to date. */
  #completeSearch(db: DatabaseSync, position: number): void {
    for (const id of writtenAfter(position, db)) {
      const ord = this.#ordById.get(id);
      if (ord !== undefined) this.#search.put(ord);
    }
    const { end } = this.#collections;
    for (let ord = 0; ord < end; ord++) if (this.#collections.idOf(ord) === 0) this.#search.remove(ord);
  }

  #restore(saved: SavedCollections): void {
    this.#collections.restore(saved);
    const { end } = this.#collections;
    for (let ord = 0; ord < end; ord++) {
      const id = this.#collections.idOf(ord);
      if (id !== 0) this.#ordById.set(id, ord);
    }
    this.#loaded.entries = all;
    this.#loaded.media = all;
  }

  #add(some: readonly EntryFacets[]): void {
    for (const { id, ord } of some) this.#ordById.set(id, ord);
    this.#collections.load(some);
  }

  #texts(ord: number): EntryTexts | undefined {
    const id = this.#collections.idOf(ord);
    if (id === 0) return undefined;
    const texts = this.#entries.searched(id);
    if (texts !== undefined) return texts;
    const media = this.#media.get(id);
    return media === undefined ? undefined : searchTextsOf(media);
  }
}

import { hierarchicalKinds, personalKinds } from '#domain/entry/kinds.ts';
import { countBits, keepBits, newBits, setBit } from '../kernel/bits.ts';
import type { CollectionQuery, EntryFacets, Found } from '../kernel/collection-query.ts';
import { mediaKind } from '../media/store.ts';
import type { Searcher } from '../search/types.ts';
import { Columns, type SavedColumns } from './columns.ts';
import type { IdsBySlug } from './filter.ts';
import { find } from './find.ts';
import { type Fitting, fittingAll, type Sources } from './fitting.ts';
import { type IndexedLoss, KindIndex, type SavedKind } from './kind-index.ts';
import type { OrdSet } from './ord-set.ts';
import { Remembered } from './remembered.ts';

export interface Collections {
  readonly size: number;
  has(id: number): boolean;
  /** All ords are less. */
  readonly end: number;
  /** The id of an entry; 0 if no entry has the ord. */
  idOf(ord: number): number;
  /** Adds or updates an entry. An entry never changes its kind or its ord. */
  upsert(entry: EntryFacets): void;
  remove(id: number): void;
  removeAll(ords: readonly number[]): void;
  having(term: number): number[];
  lose(term: IndexedLoss): void;
  by(author: number): number[];
  pass(user: { readonly id: number; readonly heir: number }): void;
  /** Pages and media items below an entry. */
  below(parent: number): number[];
  raise(parent: { readonly id: number; readonly heir: number }): void;
  load(entries: Iterable<EntryFacets>): void;
  /** All indexes, for `restore`; to be used before the next change. */
  saved(): SavedCollections;
  /** Takes over what was saved, into empty indexes. */
  restore(saved: SavedCollections): void;
  /** Number of published entries with a term, without some. */
  published(term: number, hidden?: OrdSet): number;
  /** Does a few milliseconds of work that later requests would need. Returns false when none is left. */
  warm(): boolean;
  /** `search` is required when the query has one. */
  find(query: CollectionQuery, search?: Searcher): Found;
  /** The indexes of a kind; undefined if it has no entries. */
  sources(kind: string, search: Searcher): Sources | undefined;
}

export interface SavedCollections {
  readonly columns: SavedColumns;
  readonly kinds: ReadonlyMap<string, SavedKind>;
}

export function createCollections(options: { readonly idsBySlug: IdsBySlug }): Collections {
  return new KindIndexes(options.idsBySlug);
}

class KindIndexes implements Collections {
  readonly #idsBySlug: IdsBySlug;
  readonly #columns = new Columns();
  readonly #kinds = new Map<string, KindIndex>();
  readonly #remembered = new Remembered<readonly Fitting[]>();

  constructor(idsBySlug: IdsBySlug) {
    this.#idsBySlug = idsBySlug;
  }

  get size(): number {
    return [...this.#kinds.values()].reduce((sum, index) => sum + index.size, 0);
  }

  has(id: number): boolean {
    return [...this.#kinds.values()].some((index) => index.ordOf(id) !== undefined);
  }

  get end(): number {
    return this.#columns.end;
  }

  idOf(ord: number): number {
    return this.#columns.id[ord] ?? 0;
  }

  upsert(entry: EntryFacets): void {
    this.#remembered.forget();
    this.#indexOf(entry.kind).upsert(entry);
  }

  remove(id: number): void {
    this.#remembered.forget();
    for (const index of this.#kinds.values()) {
      const ord = index.ordOf(id);
      if (ord !== undefined) index.remove(ord);
    }
  }

  removeAll(ords: readonly number[]): void {
    if (ords.length === 0) return;
    this.#remembered.forget();
    const all = newBits(ords.reduce((most, ord) => Math.max(most, ord), 0) + 1);
    for (const ord of ords) setBit(all, ord);
    for (const index of this.#kinds.values()) index.removeAll(all);
  }

  having(term: number): number[] {
    return [...this.#kinds.values()].flatMap((index) => index.having(term));
  }

  lose(term: IndexedLoss): void {
    this.#remembered.forget();
    for (const index of this.#kinds.values()) index.lose(term);
  }

  by(author: number): number[] {
    return [...this.#kinds.values()].flatMap((index) => index.with('author', author));
  }

  pass({ id, heir }: { readonly id: number; readonly heir: number }): void {
    this.#remembered.forget();
    for (const [kind, index] of this.#kinds) {
      if (heir !== 0) index.pass('author', id, heir);
      else if (personalKinds.has(kind)) index.trash(id);
    }
  }

  below(parent: number): number[] {
    return this.#passing().flatMap((index) => index.with('parent', parent));
  }

  raise({ id, heir }: { readonly id: number; readonly heir: number }): void {
    this.#remembered.forget();
    for (const index of this.#passing()) index.pass('parent', id, heir);
  }

  load(entries: Iterable<EntryFacets>): void {
    this.#remembered.forget();
    for (const entry of entries) this.#indexOf(entry.kind).load(entry);
    for (const index of this.#kinds.values()) index.reorder();
  }

  saved(): SavedCollections {
    return {
      columns: this.#columns.saved(),
      kinds: new Map([...this.#kinds].map(([kind, index]) => [kind, index.saved()])),
    };
  }

  restore({ columns, kinds }: SavedCollections): void {
    this.#columns.restore(columns);
    for (const [kind, saved] of kinds) this.#indexOf(kind).restore(saved);
  }

  published(term: number, hidden?: OrdSet): number {
    let sum = 0;
    for (const index of this.#kinds.values()) {
      const found = index.term.any([term], index.columns.end);
      keepBits(found, index.status.any(['publish'], index.columns.end));
      hidden?.dropFrom(found);
      sum += countBits(found);
    }
    return sum;
  }

  warm(): boolean {
    return [...this.#kinds.values()].some((index) => index.warm());
  }

  sources(kind: string, search: Searcher): Sources | undefined {
    const index = this.#kinds.get(kind);
    return index === undefined ? undefined : { index, search, idsBySlug: this.#ofKind(kind) };
  }

  find(query: CollectionQuery, search?: Searcher): Found {
    const parts = [...new Set([query.kind, ...(query.alsoKinds ?? [])])].flatMap((kind) => {
      const index = this.#kinds.get(kind);
      return index === undefined ? [] : [{ index, search, idsBySlug: this.#ofKind(kind) }];
    });
    return find(
      query,
      parts,
      this.#remembered.of(query, () => fittingAll(query, parts)),
    );
  }

  #indexOf(kind: string): KindIndex {
    const index = this.#kinds.get(kind) ?? new KindIndex(this.#columns);
    this.#kinds.set(kind, index);
    return index;
  }

  #ofKind(kind: string): IdsBySlug {
    return (_, slug) => this.#idsBySlug(kind, slug);
  }

  #passing(): readonly KindIndex[] {
    return [...this.#kinds].flatMap(([kind, index]) =>
      hierarchicalKinds.has(kind) || kind === mediaKind ? index : [],
    );
  }
}

import { allTerms } from '#domain/entry/classification.ts';
import type { Entry } from '#domain/entry/state.ts';
import { taxonomies } from '#domain/term/events.ts';
import { type Collections, createCollections } from '../collection/collections.ts';
import type { Fitting } from '../collection/find.ts';
import { findAll, fittingAll } from '../collection/joined.ts';
import { OrdSet } from '../collection/ord-set.ts';
import { Remembered } from '../collection/remembered.ts';
import { entries } from '../entries/definition.ts';
import { facetsOf } from '../entries/facets.ts';
import type { CollectionQuery, EntryTexts, Found } from '../kernel/collection-query.ts';
import type { Live } from '../reading/live.ts';
import type { Reader } from '../reading/reader.ts';
import { createSearchIndex } from '../search/index.ts';
import type { HistoricalStates } from './historical-states.ts';

export interface OverlayParts {
  readonly historical: HistoricalStates;
  readonly now: Reader;
  readonly live: Live;
}

/**
 * The differences of an earlier position: entries with later events are hidden in the present index, and a small index has their earlier
 * state. Together they answer as the index did then. It follows the present: an entry that changes now has to be added, too.
 */
export class Overlay {
  readonly #historical: HistoricalStates;
  readonly #now: Reader;
  readonly #live: Live;
  readonly #collections: Collections;
  readonly #search = createSearchIndex({ texts: (ord) => this.#textsOf(ord) });
  readonly #remembered = new Remembered<readonly Fitting[]>();
  readonly #ids: number[] = [];
  readonly #known = new Set<number>();
  readonly #idsBySlug = new Map<string, number[]>();
  readonly #hidden = new OrdSet();
  readonly #texts = new Map<number, EntryTexts>();
  readonly #counted = new Map<number, readonly number[]>();
  readonly #more = new Map<number, number>();
  #counts: ReadonlyMap<number, number> | null = null;
  #reached: number;
  /** Differences to be added; null: not known yet. */
  #left: number[] | null = null;

  constructor({ historical, now, live }: OverlayParts) {
    this.#historical = historical;
    this.#now = now;
    this.#live = live;
    this.#reached = historical.position;
    this.#collections = createCollections({ idsBySlug: (kind, slug) => this.#idsBySlug.get(`${kind} ${slug}`) ?? [] });
  }

  get size(): number {
    return this.#known.size;
  }

  /** Whether it has all differences. */
  get isFull(): boolean {
    return this.#left?.length === 0;
  }

  /** Adds all differences. When the read ends meanwhile, the next one continues. */
  fill(): void {
    if (this.#left === null) {
      this.#left = [...this.#changedSince(this.#historical.position)];
      this.#reached = this.#now.position;
    }
    for (let id = this.#left.at(-1); id !== undefined; id = this.#left.at(-1)) {
      this.#take(id);
      this.#left.pop();
    }
  }

  find(query: CollectionQuery): Found {
    this.#follow();
    const parts = [...new Set([query.kind, ...(query.alsoKinds ?? [])])].flatMap((kind) => {
      const live = this.#live.sources(kind);
      const few = this.#collections.sources(kind, this.#search);
      return [...(live ? [{ ...live, hidden: this.#hidden }] : []), ...(few ? [few] : [])];
    });
    const fits = this.#remembered.of(query, () => fittingAll(query, parts));
    return findAll(query, parts, fits);
  }

  counts(): ReadonlyMap<number, number> {
    this.#follow();
    if (this.#counts === null) {
      const counts = new Map(this.#more);
      for (const taxonomy of taxonomies) {
        for (const { id, published } of this.#now.terms(taxonomy)) counts.set(id, published + (counts.get(id) ?? 0));
      }
      this.#counts = counts;
    }
    return this.#counts;
  }

  #follow(): void {
    const { position } = this.#now;
    if (position === this.#reached) return;
    for (const id of this.#changedSince(this.#reached)) this.#take(id);
    this.#reached = position;
    this.#remembered.forget();
    this.#counts = null;
  }

  #changedSince(position: number): Set<number> {
    const table = this.#now.of(entries);
    return new Set([...table.touchedAfter(position), ...table.lostAfter(position)]);
  }

  #take(id: number): void {
    // The read may end while the state is read: nothing has changed by then.
    const state = this.#known.has(id) ? undefined : this.#historical.entry(id)?.state;
    const now = this.#now.of(entries).published(id);
    const ord = this.#live.ordOf(id);
    if (ord !== undefined) this.#hidden.add(ord);
    this.#count(this.#counted.get(id) ?? [], 1);
    this.#count(now, -1);
    this.#counted.set(id, now);
    if (this.#known.has(id)) return;
    this.#known.add(id);
    if (state !== undefined) this.#add(id, state);
  }

  #add(id: number, state: Entry): void {
    const ord = this.#ids.length;
    this.#ids.push(id);
    if (state.status === 'publish') this.#count(allTerms(state), 1);
    this.#texts.set(ord, textsIn(state));
    const named = `${state.kind} ${state.slug}`;
    this.#idsBySlug.set(named, [...(this.#idsBySlug.get(named) ?? []), id]);
    this.#collections.upsert(facetsOf({ ...state, ord }));
    this.#search.put(ord);
  }

  #count(terms: readonly number[], by: number): void {
    for (const term of terms) this.#more.set(term, (this.#more.get(term) ?? 0) + by);
  }

  #textsOf(ord: number): EntryTexts | undefined {
    const kept = this.#texts.get(ord);
    this.#texts.delete(ord);
    if (kept !== undefined) return kept;
    const state = this.#historical.entry(this.#ids[ord] ?? 0)?.state;
    return state && textsIn(state);
  }
}

function textsIn({ title, content, excerpt }: EntryTexts): EntryTexts {
  return { title, content, excerpt };
}

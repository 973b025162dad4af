import { type Collections, createCollections } from '../collection/collections.ts';
import { find } from '../collection/find.ts';
import { fittingAll } from '../collection/fitting.ts';
import { OrdSet } from '../collection/ord-set.ts';
import { entries } from '../entries/definition.ts';
import type { EarlierPlace } from '../entries/facet-rows.ts';
import type { CollectionQuery, EntryFacets, EntryTexts, Found } from '../kernel/collection-query.ts';
import { media } from '../media/definition.ts';
import { mediaFacets, mediaKind, searchTextsOf } from '../media/store.ts';
import type { Live } from '../reading/live.ts';
import type { Reader } from '../reading/reader.ts';
import { createSearchIndex } from '../search/index.ts';

export interface OverlayParts {
  /** The site as of the earlier position. */
  readonly past: Reader;
  readonly now: Reader;
  readonly live: Live;
}

/** Entries that are read at once. */
const piece = 500;

/**
 * The differences of an earlier position: entries and media items with later events are hidden in the present index, and a small index has
 * their earlier state. Together they answer as the index did then. It follows the present: an item that changes now has to be added, too.
 */
export class Overlay {
  readonly #past: Reader;
  readonly #now: Reader;
  readonly #live: Live;
  readonly #collections: Collections;
  readonly #search = createSearchIndex({ texts: (ord) => this.#textsOf(ord) });
  readonly #ids: number[] = [];
  readonly #known = new Set<number>();
  /** Number of those that the search index of this one knows. */
  #searched = 0;
  readonly #hidden = new OrdSet();
  #reached: number;
  #isFull = false;

  constructor({ past, now, live }: OverlayParts) {
    this.#past = past;
    this.#now = now;
    this.#live = live;
    this.#reached = now.position;
    this.#collections = createCollections({ idsBySlug: (kind, slug) => this.#named(kind, slug) });
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Adds all differences, once. */
  fill(): void {
    if (this.#isFull) return;
    const { position } = this.#past;
    // Entries with an earlier row of that position are read many at a time.
    for (let after: EarlierPlace | null = { until: position, id: Number.POSITIVE_INFINITY }; after !== null; ) {
      const { found, next } = this.#past
        .of(entries)
        .facets.earlierAfter(after, { limit: piece, ord: this.#ids.length });
      for (const facets of found) {
        this.#known.add(facets.id);
        this.#ids.push(facets.id);
      }
      this.#collections.load(found);
      after = next;
    }
    // Other entries that were written since were not there yet.
    for (const id of this.#now.of(entries).writtenAfter(position)) this.#hide(id);
    for (const id of this.#known) this.#hide(id);
    for (const id of this.#affectedSince(position)) this.#take(id);
    this.#reached = this.#now.position;
    this.#isFull = true;
  }

  /** Adds all that differs in a reader that is ahead of the present one, once. */
  fillAhead(): void {
    const { position } = this.#now;
    const [table, files] = [this.#past.of(entries), this.#past.of(media)];
    const differing = [...table.writtenAfter(position), ...table.lostAfter(position), ...table.losingAfter(position)];
    for (const id of [...differing, ...files.touchedAfter(position), ...files.lostAfter(position)]) this.#take(id);
    this.#isFull = true;
  }

  find(query: CollectionQuery): Found {
    this.#follow();
    if (query.search !== undefined) while (this.#searched < this.#ids.length) this.#search.put(this.#searched++);
    const parts = [...new Set([query.kind, ...(query.alsoKinds ?? [])])].flatMap((kind) => {
      const live = this.#live.sources(kind);
      const few = this.#collections.sources(kind, this.#search);
      return [...(live ? [{ ...live, hidden: this.#hidden }] : []), ...(few ? [few] : [])];
    });
    return find(query, parts, fittingAll(query, parts));
  }

  /** Number of published entries with a term. */
  published(term: number): number {
    this.#follow();
    return this.#live.published(term, this.#hidden) + this.#collections.published(term);
  }

  #follow(): void {
    const { position } = this.#now;
    if (position === this.#reached) return;
    const table = this.#now.of(entries);
    for (const id of [...table.writtenAfter(this.#reached), ...table.lostAfter(this.#reached)]) this.#take(id);
    for (const id of this.#affectedSince(this.#reached)) this.#take(id);
    this.#reached = position;
  }

  /** Entries that have lost something since, although their rows are the same, and media items. */
  #affectedSince(position: number): Set<number> {
    const files = this.#now.of(media);
    // Which media items a deleted user or parent had, their rows do not say.
    const { users, parents } = this.#now.deletions.since(position);
    const all =
      users + parents > 0
        ? this.#past
            .of(media)
            .rowsAfter(0, -1)
            .map(({ id }) => id)
        : [];
    return new Set([
      ...this.#now.of(entries).losingAfter(position),
      ...files.touchedAfter(position),
      ...files.lostAfter(position),
      ...all,
    ]);
  }

  #hide(id: number): void {
    const ord = this.#live.ordOf(id);
    if (ord !== undefined) this.#hidden.add(ord);
  }

  #take(id: number): void {
    this.#hide(id);
    if (this.#known.has(id)) return;
    this.#known.add(id);
    const facets = this.#past.of(entries).facetsOf(id) ?? this.#fileFacets(id);
    if (facets === undefined) return;
    this.#collections.upsert({ ...facets, ord: this.#ids.length });
    this.#ids.push(id);
  }

  #fileFacets(id: number): EntryFacets | undefined {
    const row = this.#past.of(media).get(id);
    return row && mediaFacets(row);
  }

  /** Those of the small index. */
  #named(kind: string, slug: string): readonly number[] {
    const files = kind === mediaKind ? this.#past.of(media).idsBySlug(slug) : [];
    return [...this.#past.of(entries).slugs.named(slug, kind), ...files].filter((id) => this.#known.has(id));
  }

  #textsOf(ord: number): EntryTexts | undefined {
    const id = this.#ids[ord] ?? 0;
    const texts = this.#past.of(entries).searched(id);
    if (texts !== undefined) return texts;
    const row = this.#past.of(media).get(id);
    return row && searchTextsOf(row);
  }
}

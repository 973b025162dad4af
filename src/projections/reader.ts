import type { DatabaseSync } from 'node:sqlite';
import { defaultSite, type Site } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { CollectionQuery, Found } from './collection/types.ts';
import type { EntryRow, Texts } from './entries/row.ts';
import { EntryTable } from './entries/store.ts';
import type { Model } from './model.ts';
import type { Changes } from './projector.ts';
import { SiteTable } from './site.ts';
import { type TermRow, TermTable } from './terms.ts';
import { type UserRow, UserTable } from './users.ts';

/**
 * The read model on one connection. What is small and asked for all the time (site, terms, users) is kept until
 * `forget` says that it changed.
 */
export class Reader implements Model {
  readonly #entries: EntryTable;
  readonly #terms: TermTable;
  readonly #users: UserTable;
  readonly #siteTable: SiteTable;
  readonly #find: (query: CollectionQuery) => Found;
  readonly #termsById = new Map<number, TermRow | undefined>();
  /** Few: one request asks for the same row again and again, two requests seldom do. */
  readonly #rowsById = new Map<number, EntryRow | undefined>();
  readonly #usersById = new Map<number, UserRow | undefined>();
  #site: Site | undefined;
  position = 0;

  constructor(db: DatabaseSync, find: (query: CollectionQuery) => Found) {
    this.#entries = new EntryTable(db);
    this.#terms = new TermTable(db);
    this.#users = new UserTable(db);
    this.#siteTable = new SiteTable(db);
    this.#find = find;
  }

  present(): Model {
    return this;
  }

  get entries(): EntryTable {
    return this.#entries;
  }

  site(): Site {
    this.#site ??= this.#siteTable.get() ?? defaultSite;
    return this.#site;
  }

  /** Null before the first start is over. */
  configuredSite(): Site | null {
    return this.#siteTable.get();
  }

  entry(id: number): EntryRow | undefined {
    return remember(this.#rowsById, id, () => this.#entries.row(id));
  }

  texts(id: number): Texts | undefined {
    return this.#entries.texts(id);
  }

  lineage(id: number): readonly number[] {
    return lineage(id, (entry) => this.#entries.row(entry)?.parent ?? 0);
  }

  slugTaken(slug: string, owner: { kind: string; id: number; parent: number }): boolean {
    return this.#entries.slugTaken(slug, owner);
  }

  term(id: number): TermRow | undefined {
    return remember(this.#termsById, id, () => this.#terms.get(id));
  }

  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.#terms.bySlug(taxonomy, slug);
  }

  terms(taxonomy: Taxonomy): readonly TermRow[] {
    return this.#terms.all(taxonomy);
  }

  /** Terms of a name, in whatever case its ASCII letters are. */
  termsNamed(taxonomy: Taxonomy, name: string): readonly TermRow[] {
    return this.#terms.named(taxonomy, name);
  }

  /** Deletions of terms up to a position, with where they stand. */
  lostTerms(position: number): ReturnType<TermTable['lost']> {
    return this.#terms.lost(position);
  }

  /** The highest term id there has been. */
  termCount(): number {
    return this.#terms.highestId();
  }

  user(id: number): UserRow | undefined {
    return remember(this.#usersById, id, () => this.#users.get(id));
  }

  userByLogin(login: string): UserRow | undefined {
    return this.#users.byLogin(login);
  }

  users(): readonly UserRow[] {
    return this.#users.all();
  }

  find(query: CollectionQuery): Found {
    return this.#find(query);
  }

  /** Drops what is kept in memory of what changed. Entries move the counts of terms and users. */
  forget(changes: Changes): void {
    this.#rowsById.clear();
    this.#termsById.clear();
    this.#usersById.clear();
    if (changes.site) this.#site = undefined;
  }
}

/** Follows parents upwards; stops at the top and where a chain would close. */
export function lineage(id: number, parentOf: (id: number) => number): readonly number[] {
  const chain: number[] = [];
  for (let at = id; at !== 0 && !chain.includes(at); at = parentOf(at)) chain.push(at);
  return chain;
}

const mostKept = 256;

function remember<V>(kept: Map<number, V>, id: number, load: () => V): V {
  const known = kept.get(id);
  if (known !== undefined) return known;
  const value = load();
  if (kept.size >= mostKept) kept.clear();
  kept.set(id, value);
  return value;
}

import type { Taxonomy } from '#domain/term/events.ts';
import type { EntryRow } from '../entries/row.ts';
import type { MediaRow } from '../media/row.ts';
import type { TermRow } from '../terms/definition.ts';
import type { UserRow } from '../users/definition.ts';

/** Rows that were read since the last change. */
export class KeptRows {
  readonly entries = new Map<number, EntryRow | undefined>();
  readonly media = new Map<number, MediaRow | undefined>();
  readonly terms = new Map<number, TermRow | undefined>();
  readonly users = new Map<number, UserRow | undefined>();
  readonly #termLists = new Map<Taxonomy, readonly TermRow[]>();
  readonly #userLists = new Map<'all', readonly UserRow[]>();
  #guardedMedia: readonly number[] | undefined;

  termsOf(taxonomy: Taxonomy, read: () => readonly TermRow[]): readonly TermRow[] {
    return shortList(this.#termLists, taxonomy, read);
  }

  allUsers(read: () => readonly UserRow[]): readonly UserRow[] {
    return shortList(this.#userLists, 'all', read);
  }

  guardedMedia(read: () => readonly number[]): readonly number[] {
    this.#guardedMedia ??= read();
    return this.#guardedMedia;
  }

  clear(): void {
    this.#guardedMedia = undefined;
    const all = [this.entries, this.media, this.terms, this.users, this.#termLists, this.#userLists];
    // Clearing an empty map takes as long as clearing a full one.
    for (const kept of all) if (kept.size > 0) kept.clear();
  }
}

/** Maximum length of a list that is kept. */
const longest = 1024;

function shortList<K, R>(kept: Map<K, readonly R[]>, key: K, read: () => readonly R[]): readonly R[] {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const rows = read();
  if (rows.length <= longest) kept.set(key, rows);
  return rows;
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { defineProjection } from '../define.ts';

/** Counts the published entries of each term and author as entries change. */
export class Tally {
  readonly #term: StatementSync;
  readonly #user: StatementSync;

  constructor(db: DatabaseSync) {
    this.#term = db.prepare(
      'UPDATE terms SET published = published + ?1, unpublished = unpublished - ?1 WHERE id = ?2',
    );
    this.#user = db.prepare(
      'UPDATE users SET published = published + ?1, unpublished = unpublished - ?1 WHERE id = ?2',
    );
  }

  /** Gives a category the published entries of another one. */
  inherit(category: number, entries: number): void {
    this.#term.run(entries, category);
  }

  /** Takes an entry from one state to another; null: not there. Tells which terms' counts moved. */
  move(before: Entry | null, after: Entry | null): void {
    const [from, to] = [before?.status === 'publish' ? before : null, after?.status === 'publish' ? after : null];
    if (from === null && to === null) return;
    if (from?.author !== to?.author) {
      if (from !== null) this.#user.run(-1, from.author);
      if (to !== null) this.#user.run(1, to.author);
    }
    const [old, now] = [termsOf(from), termsOf(to)];
    for (const term of old) if (!now.includes(term)) this.#term.run(-1, term);
    for (const term of now) if (!old.includes(term)) this.#term.run(1, term);
  }
}

function termsOf(entry: Entry | null): readonly number[] {
  return entry === null ? [] : [...entry.categories, ...entry.tags];
}

/** Its counts stand in the rows of terms and users. */
export const tally = defineProjection({
  name: 'tally',
  version: 0,
  tables: '',
  open: (db) => new Tally(db),
  onEntry: (table, { before, after }) => table.move(before, after),
});

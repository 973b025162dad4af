import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TRASHED } from '#domain/entry/state.ts';
import { defineProjection } from './define.ts';

/**
 * The names that entries and media items have or had, on one connection: who may have been in the way of another at
 * some time is looked for among these. Of entries only those are noted that they no longer have.
 */
export class NameTable {
  readonly #note: StatementSync;
  readonly #of: StatementSync;

  constructor(db: DatabaseSync) {
    this.#note = db.prepare('INSERT OR IGNORE INTO names VALUES (?, ?)');
    this.#of = db.prepare(
      'SELECT id FROM names WHERE slug = ?1 UNION SELECT id FROM entries WHERE slug IN (?1, ?2) ORDER BY id',
    );
  }

  /** `slug` may be empty, which is no name. */
  note(id: number, slug: string): void {
    if (slug !== '') this.#note.run(slug, id);
  }

  /** Ids of what has the name, or had it, and perhaps of others. What went to the trash with its author has the old one in its row. */
  of(slug: string): number[] {
    return this.#of.all(slug, slug.replace(END, '')).map((row) => Number(row['id']));
  }
}

const END = new RegExp(`${TRASHED}$`);

export const names = defineProjection({
  name: 'names',
  version: 0,
  tables: `
    -- Every name that a media item has ever had, and those that entries had and have no longer.
    CREATE TABLE names (slug TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (slug, id)) STRICT, WITHOUT ROWID;
  `,
  open: (db) => new NameTable(db),
});

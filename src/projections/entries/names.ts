import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TRASHED } from '#domain/entry/state.ts';
import { defineProjection } from '../kernel/define.ts';

/**
 * Present and former names of entries and media items, on one connection, for finding items whose names may have collided at some time.
 * The table has only the former names of entries.
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

  /** An empty `slug` is ignored. */
  note(id: number, slug: string): void {
    if (slug !== '') this.#note.run(slug, id);
  }

  /** Ids of items that have or had the name, and perhaps others. Rows of entries trashed with their author have the old name. */
  of(slug: string): number[] {
    return this.#of.all(slug, slug.replace(END, '')).map((row) => Number(row['id']));
  }
}

const END = new RegExp(`${TRASHED}$`);

export const names = defineProjection({
  name: 'names',
  version: 0,
  tables: `
    -- All present and past names of media items, and past names of entries.
    CREATE TABLE names (slug TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (slug, id)) STRICT, WITHOUT ROWID;
  `,
  open: (db) => new NameTable(db),
});

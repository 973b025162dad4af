import type { DatabaseSync, StatementSync } from 'node:sqlite';

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
      'SELECT id FROM names WHERE slug = ?1 UNION SELECT id FROM entries WHERE slug = ?1 ORDER BY id',
    );
  }

  /** `slug` may be empty, which is no name. */
  note(id: number, slug: string): void {
    if (slug !== '') this.#note.run(slug, id);
  }

  /** Ids of what has the name, or had it. */
  of(slug: string): number[] {
    return this.#of.all(slug).map((row) => Number(row['id']));
  }
}

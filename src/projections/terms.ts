import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Taxonomy, TermDeletedEvent, TermEvent } from '#domain/term/events.ts';
import type { Term } from '#domain/term/state.ts';

/** A term with the number of published entries that have it. */
export interface TermRow extends Term {
  /** Position of the last event that concerned it. */
  readonly touched: number;
  readonly published: number;
}

const columns = 'taxonomy, slug, name, description, parent, touched, published';
const blank = { slug: '', name: '', description: '', parent: 0 };
type Values = [Taxonomy, string, string, string, number, number, number];

/** Categories and tags on one connection. */
export class TermTable {
  readonly #byId: StatementSync;
  readonly #bySlug: StatementSync;
  readonly #all: StatementSync;
  readonly #named: StatementSync;
  readonly #lost: StatementSync;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byId = db.prepare(`SELECT ${columns} FROM terms WHERE id = ?`);
    this.#byId.setReturnArrays(true);
    this.#bySlug = db.prepare('SELECT * FROM terms WHERE taxonomy = ? AND slug = ?');
    this.#all = db.prepare('SELECT * FROM terms WHERE taxonomy = ? ORDER BY id');
    this.#named = db.prepare('SELECT * FROM terms WHERE taxonomy = ? AND lower(name) = lower(?) ORDER BY id');
    this.#lost = db.prepare('SELECT event FROM lost_terms WHERE position <= ? ORDER BY position');
  }

  get(id: number): TermRow | undefined {
    const values = this.#byId.get(id) as unknown as Values | undefined;
    if (values === undefined) return undefined;
    const [taxonomy, slug, name, description, parent, touched, published] = values;
    return { id, taxonomy, slug, name, description, parent, touched, published };
  }

  bySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.#bySlug.get(taxonomy, slug) as TermRow | undefined;
  }

  all(taxonomy: Taxonomy): TermRow[] {
    return this.#all.all(taxonomy) as unknown as TermRow[];
  }

  /** Terms of that name; of the letters, those of ASCII count as the same in both cases. */
  named(taxonomy: Taxonomy, name: string): TermRow[] {
    return this.#named.all(taxonomy, name) as unknown as TermRow[];
  }

  /** Deletions up to a position, with where they stand. */
  lost(position: number): { position: number; event: TermDeletedEvent }[] {
    return this.#lost.all(position).map((row) => JSON.parse(String(row['event'])));
  }

  highestId(): number {
    return Number(this.#db.prepare('SELECT next_term - 1 AS id FROM checkpoint').get()?.['id']);
  }

  apply(event: TermEvent, position: number): void {
    if (event.type === 'TermDeleted') {
      const { id, taxonomy, parent } = event.data;
      this.#db.prepare('DELETE FROM terms WHERE id = ?').run(id);
      this.#db
        .prepare('UPDATE terms SET parent = ?, touched = ? WHERE parent = ? AND taxonomy = ?')
        .run(parent, position, id, taxonomy);
      this.#db
        .prepare('INSERT OR REPLACE INTO lost_terms VALUES (?, ?, ?)')
        .run(position, id, JSON.stringify({ position, event }));
      return;
    }
    const before = event.type === 'TermChanged' ? this.get(event.data.id) : undefined;
    const { id, taxonomy, slug, name, description, parent } = { ...blank, ...before, ...event.data };
    this.#db
      .prepare(
        `INSERT INTO terms (id, taxonomy, slug, name, description, parent, touched) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name,
           description = excluded.description, parent = excluded.parent, touched = excluded.touched`,
      )
      .run(id, taxonomy, slug, name, description, parent, position);
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Taxonomy, TermDeletedEvent, TermEvent } from '#domain/term/events.ts';
import { evolveTerm, type MenuSettings, type Term } from '#domain/term/state.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { Endings } from '../kernel/endings.ts';
import { remember } from '../kernel/remember.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { thisCommit } from '../kernel/versions.ts';

export interface TermRow extends Term {
  readonly touched: number;
  readonly published: number;
}

/** A term without its count, which changes with every published entry. */
export type NamedTerm = Omit<TermRow, 'published'>;

interface DeletedTerm {
  readonly position: number;
  readonly event: TermDeletedEvent;
}

export class TermTable {
  readonly #byId: StatementSync;
  readonly #lastDeleted: StatementSync;
  readonly #deletedTerm: StatementSync;
  #save: StatementSync | undefined;
  readonly #bySlug: StatementSync;
  readonly #endings: StatementSync;
  readonly #all: StatementSync;
  readonly #named: StatementSync;
  /** Where terms left the places that they had. */
  readonly left: Endings;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.left = new Endings(db, 'terms', { by: 'slug', with: ['parent'] });
    this.#byId = db.prepare('SELECT * FROM terms WHERE id = ?');
    this.#lastDeleted = db.prepare('SELECT max(position) AS position FROM lost_terms');
    this.#deletedTerm = db.prepare('SELECT event FROM lost_terms WHERE id = ? ORDER BY position DESC');
    this.#endings = db.prepare(
      `SELECT substr(slug, length(?2) + 1) AS ending FROM terms
       WHERE taxonomy = ?1 AND slug >= ?2 || '0' AND slug < ?2 || ':' AND id <> ?3`,
    );
    this.#bySlug = db.prepare('SELECT * FROM terms WHERE taxonomy = ? AND slug = ?');
    this.#all = db.prepare('SELECT * FROM terms WHERE taxonomy = ? AND id > ? ORDER BY id LIMIT ?');
    this.#named = db.prepare('SELECT * FROM terms WHERE taxonomy = ? AND lower(name) = lower(?) ORDER BY id');
  }

  get(id: number): TermRow | undefined {
    return this.#one(this.#byId.get(id));
  }

  /** The rest of slugs after a stem and a dash, if it begins with a digit, except of the term `except`. */
  slugEndings(taxonomy: Taxonomy, stem: string, except: number): string[] {
    const rows = this.#endings.all(taxonomy, `${stem}-`, except);
    return rows.map(({ ending }) => String(ending));
  }

  bySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.#one(this.#bySlug.get(taxonomy, slug));
  }

  /** All terms of a taxonomy by id, or at most `limit` of those after an id. */
  all(taxonomy: Taxonomy, after = 0, limit = -1): TermRow[] {
    return this.#current(this.#all.all(taxonomy, after, limit).map(toRow));
  }

  /** Terms with that name, ignoring the case of ASCII letters. */
  named(taxonomy: Taxonomy, name: string): TermRow[] {
    return this.#current(this.#named.all(taxonomy, name).map(toRow));
  }

  /** Terms below one, or that were below it when it was deleted. */
  below(parent: number): number[] {
    return this.#db
      .prepare('SELECT id FROM terms WHERE parent = ?')
      .all(parent)
      .map(({ id }) => Number(id));
  }

  highestId(): number {
    return Number(this.#db.prepare('SELECT next_term - 1 AS id FROM checkpoint').get()?.['id']);
  }

  apply(event: TermEvent, position: number): void {
    if (event.type === 'TermDeleted') {
      const { id } = event.data;
      this.#db.prepare('DELETE FROM terms WHERE id = ?').run(id);
      this.#db
        .prepare('INSERT OR REPLACE INTO lost_terms VALUES (?, ?, ?)')
        .run(position, id, JSON.stringify({ position, event }));
      return;
    }
    const before = event.type === 'TermCreated' ? undefined : this.get(event.data.id);
    const after = evolveTerm(before ?? null, event);
    if (after !== null) this.#put({ ...after, touched: position });
  }

  #one(found: unknown): TermRow | undefined {
    return found === undefined ? undefined : this.#current([toRow(found)])[0];
  }

  /** Applies deletions to the parents of rows: a deletion rewrites no rows, however many terms are below the deleted one. */
  #current(rows: TermRow[]): TermRow[] {
    const last = Number(this.#lastDeleted.get()?.['position'] ?? 0);
    if (rows.every(({ parent, touched }) => parent === 0 || touched >= last)) return rows;
    const deletions = new Map<number, DeletedTerm | null>();
    const deletionOf = (id: number) => remember(deletions, id, () => this.#deletionOf(id));
    return rows.map((row) => {
      let now = row;
      for (
        let deletion = deletionOf(now.parent);
        deletion !== null && deletion.position > now.touched;
        deletion = deletionOf(now.parent)
      ) {
        if (deletion.event.data.taxonomy !== now.taxonomy) break;
        now = { ...now, parent: deletion.event.data.parent, touched: deletion.position };
      }
      return now;
    });
  }

  #deletionOf(id: number): DeletedTerm | null {
    const found = id === 0 ? undefined : this.#deletedTerm.get(id);
    return found === undefined ? null : (JSON.parse(String(found['event'])) as DeletedTerm);
  }

  #put({ id, taxonomy, slug, name, description, parent, menu, touched }: Omit<TermRow, 'published'>): void {
    const values = [id, taxonomy, slug, name, description, parent, menu ? JSON.stringify(menu) : null, touched];
    this.#save ??= this.#db.prepare(saveTerm);
    this.#save.run(...values, sumOf(values));
  }
}

const saveTerm = `INSERT INTO terms (id, taxonomy, slug, name, description, parent, menu, touched, sum, since)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${thisCommit})
  ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, description = excluded.description,
    parent = excluded.parent, menu = excluded.menu, touched = excluded.touched, sum = excluded.sum,
    since = excluded.since`;

interface Columns extends Omit<TermRow, 'menu'> {
  readonly menu: string | null;
  readonly unpublished: number;
  readonly sum: number;
}

function toRow(row: unknown): TermRow {
  const { id, taxonomy, slug, name, description, parent, menu, touched, published, unpublished, sum } = row as Columns;
  checkSum(sum, sumOf([id, taxonomy, slug, name, description, parent, menu, touched]), 'terms', id);
  checkSum(published, 0 - unpublished, 'terms', id);
  const term = { id, taxonomy, slug, name, description, parent, touched, published };
  return menu === null ? term : { ...term, menu: JSON.parse(menu) as MenuSettings };
}

export const terms = defineProjection({
  name: 'terms',
  version: 4,
  tables: `
    CREATE TABLE terms (
      id INTEGER PRIMARY KEY, taxonomy TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
      parent INTEGER NOT NULL, menu TEXT, touched INTEGER NOT NULL,
      published INTEGER NOT NULL DEFAULT 0, unpublished INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX terms_by_slug ON terms (taxonomy, slug);
    CREATE INDEX terms_by_name ON terms (taxonomy, lower(name));

    -- Deleted terms, in log order. References to them are dropped when entries and child terms are read.
    CREATE TABLE lost_terms (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
    CREATE INDEX lost_terms_by_id ON lost_terms (id);
  `,
  // No answer about the past says how many entries had a term, except by counting them.
  versioned: {
    terms: { without: { published: '0', unpublished: '0' }, lookedUpBy: ['taxonomy', 'slug'] },
    lost_terms: { appendedAt: 'position' },
  },
  lateIndexes: 'CREATE INDEX IF NOT EXISTS terms_of_taxonomy ON terms (taxonomy);',
  touches: ['terms'],
  open: (db) => new TermTable(db),
  area: 'term',
  apply(table, { event, meta }: RecordedEvent<TermEvent>, { checkpoint, changes }) {
    if (event.type === 'TermChanged') changes.shared = true;
    checkpoint.nextTerm = Math.max(checkpoint.nextTerm, event.data.id + 1);
    table.apply(event, meta.position);
  },
  scan: (table, { db }) => eachId(db, 'terms', (id) => table.get(id)),
});

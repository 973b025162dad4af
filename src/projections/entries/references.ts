import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hierarchicalKinds } from '#domain/entry/kinds.ts';
import { predecessors } from '../users/definition.ts';
import { toIds, toTerms } from './columns.ts';
import { wentWithAuthor } from './deletion-table.ts';
import type { PublishedGroup } from './tally.ts';

const PICTURED = 'CROSS JOIN entries e ON e.featured_media = m.id AND e.featured_media <> 0';

/** SQL: kinds whose entries move to their grandparent when their parent is deleted. */
const passing = [...hierarchicalKinds].map((kind) => `'${kind}'`).join(', ');

/** Finds entries of deleted users by their rows, which may still have terms deleted since. */
export class Authored {
  readonly #published: StatementSync;
  readonly #wentFrom: StatementSync;
  readonly #by: StatementSync;

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#published = prepare(
      `SELECT kind, categories, tags, other_terms, count(*) FROM entries
       WHERE author IN (${predecessors}) AND status = 'publish' GROUP BY author, kind, categories, tags, other_terms`,
    );
    this.#wentFrom = prepare(
      `SELECT categories, count(*) FROM entries
       WHERE author IN (SELECT id FROM lost_users WHERE trashed > 0) AND status = 'publish' AND ${wentWithAuthor}
       GROUP BY categories`,
    );
    this.#by = prepare(`SELECT id FROM entries WHERE author IN (${predecessors})`);
  }

  by(author: number): readonly number[] {
    return (this.#by.all(author) as unknown as [number][]).map(([id]) => id);
  }

  publishedBy(author: number): readonly PublishedGroup[] {
    const groups = this.#published.all(author) as unknown as [string, string, string, string, number][];
    return groups.map(([kind, categories, tags, otherTerms, count]) => {
      return { kind, count, categories: toIds(categories), tags: toIds(tags), otherTerms: toTerms(otherTerms) };
    });
  }

  /** Number of entries, per list of categories, that were trashed with their authors but are published according to their rows. */
  wentFrom(): ReadonlyMap<string, number> {
    return new Map(this.#wentFrom.all() as unknown as [string, number][]);
  }
}

/** SQL: entries whose featured image was attached to a deleted entry `l` and is now attached to its heir `h`. */
const passedOnTo = (condition: string) => `
  SELECT e.id FROM media m ${PICTURED}
   WHERE ${isBelowAny('m', `SELECT l.id FROM lost_parents l LEFT JOIN entries h ON h.id = l.heir WHERE ${condition}`)}`;

export class Featuring {
  readonly #of: StatementSync;
  readonly #attached: StatementSync;
  readonly #attachedBy: StatementSync;
  readonly #touched: StatementSync;

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT id FROM entries WHERE featured_media = ? AND featured_media <> 0 ORDER BY id');
    this.#attached = db.prepare(`
      SELECT e.id FROM media m ${PICTURED}
       WHERE ${isBelowAny('m', 'SELECT value FROM json_each(?1)')} ORDER BY e.id`);
    this.#attachedBy = db.prepare(`
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.author IN (${predecessors})
      UNION ${passedOnTo(`h.author IN (${predecessors})`)}`);
    this.#touched = db.prepare(`
      SELECT e.id FROM media m ${PICTURED} WHERE m.touched > ?1
      UNION
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.touched > ?1
      UNION ${passedOnTo('h.touched > ?1 OR l.position > ?1')}`);
  }

  of(image: number): number[] {
    return ids(this.#of.all(image));
  }

  /** Entries featuring images that are attached to some entries, even if the last events deleted them. */
  attachedTo(hosts: Iterable<number>): number[] {
    return ids(this.#attached.all(JSON.stringify([...hosts])));
  }

  attachedToThoseOf(author: number): number[] {
    return ids(this.#attachedBy.all(author));
  }

  touchedAfter(position: number): number[] {
    return ids(this.#touched.all(position));
  }
}

function ids(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ id }) => id as number);
}

export class Below {
  readonly #any: StatementSync;
  readonly #of: StatementSync;
  readonly #passed: StatementSync;
  readonly #clashing: StatementSync;

  constructor(db: DatabaseSync) {
    const below = (parents: string) =>
      `SELECT id FROM entries WHERE kind IN (${passing}) AND ${isBelowAny('entries', parents)}`;
    const shown = (table: string) => `${table}.status IN ('publish', 'future', 'private')`;
    this.#clashing = db.prepare(
      `SELECT c.id FROM entries c WHERE c.kind IN (${passing}) AND ${isBelowAny('c', 'SELECT ?1')} AND ${shown('c')}
         AND (EXISTS (SELECT 1 FROM entries o WHERE o.slug = c.slug AND o.id NOT IN (c.id, ?1) AND ${shown('o')}
                AND ((o.kind = c.kind AND ${isBelow('o', '?2')}) OR (o.kind = 'post' AND ?2 = 0)))
           OR (?2 = 0 AND c.slug IN (SELECT value FROM json_each(?3)))) ORDER BY c.id`,
    );
    this.#any = db.prepare(`${below('SELECT ?1')} LIMIT 1`);
    this.#of = db.prepare(`SELECT id FROM entries WHERE ${isBelowAny('entries', 'SELECT ?1')}`);
    this.#passed = db.prepare(below('SELECT id FROM lost_parents WHERE position > ?1'));
  }

  /** Entries below one, or that were below it when it was deleted. */
  of(parent: number): number[] {
    return this.#of.all(parent).map(({ id }) => id as number);
  }

  /** Entries below one whose slug is taken where they come once that is deleted: below the heir, 0: at the top. `claimed`: words of the server. */
  clashing(parent: number, heir: number, claimed: readonly string[]): number[] {
    return this.#clashing.all(parent, heir, JSON.stringify(claimed)).map(({ id }) => id as number);
  }

  has(parent: number): boolean {
    return this.#any.get(parent) !== undefined;
  }

  passedAfter(position: number): number[] {
    return this.#passed.all(position).map(({ id }) => id as number);
  }
}

/**
 * SQL: ids stored as `parent` in rows that are now below some entries: these entries, and deleted ones whose children they inherited.
 * `entries` selects their ids.
 */
const parentsIn = (entries: string): string => `
WITH RECURSIVE parents (id) AS (
  ${entries}
  UNION SELECT lost_parents.id FROM lost_parents JOIN parents ON lost_parents.heir = parents.id AND parents.id <> 0
)
SELECT id FROM parents`;

/** SQL: whether the parent that a row of a table names was deleted after the row was written. */
const hasLost = (table: string) => `EXISTS (
  SELECT 1 FROM lost_parents WHERE id = ${table}.parent AND position > ${table}.touched
)`;

/** SQL: whether a row of a table is below one of some entries, which may have been deleted with it below them. `entries` selects their ids. */
export const isBelowAny = (table: string, entries: string): string => `(
  ${table}.parent <> 0 AND ${table}.parent IN (${parentsIn(entries)})
  AND (${table}.parent IN (${entries}) OR ${hasLost(table)})
)`;

/** SQL: whether a row of a table is below the entry given by a parameter; 0: at the top. */
export const isBelow = (table: string, parameter: string): string => `(
  ${table}.parent = ${parameter} OR (
    ${hasLost(table)} AND ${parameter} IN (
      WITH RECURSIVE heirs (id) AS (
        SELECT ${table}.parent UNION SELECT lost_parents.heir FROM lost_parents JOIN heirs ON lost_parents.id = heirs.id
      )
      SELECT id FROM heirs
    )
  )
)`;

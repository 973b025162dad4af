import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import type { EntryFacets } from '../kernel/collection-query.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { standingOf, standsAt } from '../kernel/versions.ts';
import { facetColumns, type SqlValue, toIds, toTerms } from './columns.ts';
import { type DeletionTable, lastLoss } from './deletion-table.ts';
import { toFacets } from './facets.ts';

/** A place among earlier rows. */
export interface EarlierPlace {
  readonly until: number;
  readonly id: number;
}

interface Earlier {
  readonly found: readonly EntryFacets[];
  /** After the last one; null: there are no more. */
  readonly next: EarlierPlace | null;
}

const columns = [...facetColumns, 'facets_sum'].join(', ');

/** The data of entries for collections, from their rows. */
export class FacetRows {
  readonly #losses: DeletionTable;
  readonly #of: StatementSync;
  readonly #after: StatementSync;
  readonly #earlier: StatementSync;

  constructor(db: DatabaseSync, losses: DeletionTable) {
    const prepare = preparing(db);
    this.#losses = losses;
    this.#of = prepare(`SELECT ${columns}, ${lastLoss} FROM entries WHERE id = ?`);
    const isPast = standingOf(db) !== undefined;
    // A view has no index of its own.
    const index = isPast ? '' : 'INDEXED BY entries_facets';
    this.#after = prepare(`SELECT ${columns} FROM entries ${index} WHERE ord > ? ORDER BY ord LIMIT ?`);
    this.#earlier = prepare(
      `SELECT ${columns}, until FROM main.entries_history WHERE (until, id) > (?, ?) AND since <= ${isPast ? standsAt : 0}
       ORDER BY until, id LIMIT ?`,
    );
  }

  of(id: number): EntryFacets | undefined {
    const values = this.#of.get(id) as unknown as SqlValue[] | undefined;
    return values === undefined ? undefined : this.#toFacets(values, values.at(-1) as number);
  }

  /** Up to `limit` entries after one, by ord. */
  after(ord: number, limit: number): EntryFacets[] {
    const last = this.#losses.last();
    const rows = this.#after.all(ord, limit) as unknown as SqlValue[][];
    return rows.map((values) => this.#toFacets(values, last));
  }

  /** Entries that were replaced or deleted after the position that is shown, in that order, with ords of their own. */
  earlierAfter({ until, id }: EarlierPlace, { limit, ord }: { readonly limit: number; readonly ord: number }): Earlier {
    const last = this.#losses.last();
    const rows = this.#earlier.all(until, id, limit) as unknown as SqlValue[][];
    const end = rows.at(-1);
    const next =
      end === undefined || rows.length < limit ? null : { until: end.at(-1) as number, id: end[1] as number };
    return { found: rows.map((values, i) => this.#toFacets(values, last, ord + i)), next };
  }

  /** Throws `DamagedRow` when a row is damaged. */
  #toFacets(v: readonly SqlValue[], last: number, ord = v[0] as number): EntryFacets {
    const size = facetColumns.length;
    checkSum(v[size], sumOf(v.slice(0, size)), 'entries', v[1] as number);
    const stored = {
      id: v[1] as number,
      kind: v[2] as string,
      status: v[3] as EntryStatus,
      slug: v[4] as string,
      author: v[5] as number,
      sticky: v[11] === 1,
      parent: v[12] as number,
      // Not known here, and not needed.
      trashed: null,
      categories: toIds(v[14] as string),
      tags: toIds(v[15] as string),
      featuredMedia: v[17] as number,
      touched: v[18] as number,
      version: v[19] as number,
      otherTerms: toTerms(v[20] as string),
    };
    return toFacets(v, { ord, current: this.#losses.current(stored, last) });
  }
}

/** Prepares statements on a connection that return rows as arrays. */
export function preparing(db: DatabaseSync): (sql: string) => StatementSync {
  return (sql) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
}

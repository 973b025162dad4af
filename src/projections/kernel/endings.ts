import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { historyOf } from './versions.ts';

interface What {
  /** Column by which rows are found. */
  readonly by: string;
  /** Other columns that make a place: a row that is replaced by one with the same place has not left it. */
  readonly with?: readonly string[];
}

/** Finds where rows of a table of a projection left the place that they had. */
export class Endings {
  readonly #db: DatabaseSync;
  readonly #sql: string;
  readonly #by: string;
  #found: StatementSync | undefined;

  constructor(db: DatabaseSync, table: string, { by, with: others = [] }: What) {
    const isSame = [by, ...others].map((name) => `n.${name} = h.${name}`).join(' AND ');
    const next = (from: string) => `SELECT 1 FROM main.${from} n WHERE n.id = h.id AND n.since = h.until AND ${isSame}`;
    const history = historyOf(table);
    this.#db = db;
    this.#by = by;
    this.#sql = `SELECT h.until AS until, h.id AS id FROM main.${history} h WHERE h.until <= ?1
         AND NOT EXISTS (${next(table)}) AND NOT EXISTS (${next(history)} AND n.until > h.until)`;
  }

  /** Positions where the commits begin with which rows with a value left their places, newest first; none after `last`. */
  of(value: string, { last, limit }: { readonly last: number; readonly limit: number }): number[] {
    this.#found ??= this.#db.prepare(`${this.#sql} AND h.${this.#by} = ?2 ORDER BY h.until DESC LIMIT ?3`);
    return this.#found.all(last, value, limit).map(({ until }) => Number(until));
  }

  /** All such rows, by id and position, newest first. Reads all that the table has of the past. */
  all(last: number): { readonly id: number; readonly position: number }[] {
    const rows = this.#db.prepare(`${this.#sql} ORDER BY h.until DESC`).all(last);
    return rows.map(({ id, until }) => ({ id: Number(id), position: Number(until) }));
  }
}

/** Finds where a row of a table of a projection last ended for which a condition held. `condition`: SQL. */
export class LastEnding {
  readonly #db: DatabaseSync;
  readonly #sql: string;
  #found: StatementSync | undefined;

  constructor(db: DatabaseSync, table: string, condition: string) {
    this.#db = db;
    this.#sql = `SELECT until FROM main.${historyOf(table)} WHERE until <= ? AND ${condition} ORDER BY until DESC LIMIT 1`;
  }

  /** The position where that commit begins; none after `last`. Null: there is none. */
  at(last: number): number | null {
    this.#found ??= this.#db.prepare(this.#sql);
    const row = this.#found.get(last);
    return row === undefined ? null : Number(row['until']);
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** How what was written since a moment is taken back: to a savepoint, or to the beginning of the transaction, which had nothing else. */
export type Savepoint = 'savepoint' | 'transaction';

/**
 * The moments of a transaction that it can go back to. While nothing is written, that is its beginning: with a savepoint, a statement takes
 * the longer, the more was written since, as SQLite goes through what it keeps in memory for it.
 */
export class Savepoints {
  readonly #db: DatabaseSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #written: StatementSync;
  /** Number of rows that were ever written, while the transaction has written none; null: it has. */
  #empty: unknown = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#savepoint = db.prepare('SAVEPOINT attempt');
    this.#release = db.prepare('RELEASE attempt');
    this.#written = db.prepare('SELECT total_changes() AS rows');
  }

  /** `isFirst`: whether the transaction has just begun. */
  begin(isFirst: boolean): void {
    this.#empty = isFirst ? this.#rows() : null;
  }

  set(): Savepoint {
    if (this.#empty !== null && this.#rows() === this.#empty) return 'transaction';
    this.#savepoint.run();
    return 'savepoint';
  }

  release(to: Savepoint): void {
    if (to === 'savepoint') this.#release.run();
  }

  goBack(to: Savepoint): void {
    if (to === 'savepoint') {
      this.#db.exec('ROLLBACK TO attempt; RELEASE attempt');
      return;
    }
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    this.#db.exec('BEGIN IMMEDIATE');
    this.begin(true);
  }

  #rows(): unknown {
    return this.#written.get()?.['rows'];
  }
}

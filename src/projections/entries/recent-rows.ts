import type { DatabaseSync } from 'node:sqlite';
import type { SqlValue } from './columns.ts';
import type { Written } from './row.ts';

const most = 64;
/** Rows whose content has at least this many characters are not kept. */
const LONG = 1 << 16;

class Rows {
  readonly rows = new Map<number, readonly SqlValue[]>();
  readonly written = new Map<number, Written>();

  clear(): void {
    this.rows.clear();
    this.written.clear();
  }

  drop(id: number): void {
    this.rows.delete(id);
    this.written.delete(id);
  }
}

/**
 * Rows that need not be read again. On the writing connection: those that the current transaction has read or written, because a save
 * needs the same row to decide, fold and answer. On others: those of the last commits, until idle work has processed them.
 */
export class RecentRows {
  #now = new Rows();
  #committed = new Rows();
  isKept = false;

  row(id: number): readonly SqlValue[] | undefined {
    return this.#now.rows.get(id);
  }

  written(id: number): Written | undefined {
    return this.#now.written.get(id);
  }

  /** `size`: characters of the rendered content. */
  keepRow(id: number, values: readonly SqlValue[], size: number): void {
    if (this.isKept && size < LONG) keep(this.#now.rows, id, values);
    else this.#now.rows.delete(id);
  }

  keepWritten(id: number, written: Written): void {
    if (this.isKept && written.texts.content.length < LONG) keep(this.#now.written, id, written);
    else this.#now.written.delete(id);
  }

  dropRow(id: number): void {
    this.#now.rows.delete(id);
  }

  drop(id: number): void {
    this.#now.drop(id);
  }

  clear(): void {
    this.#now.clear();
  }

  /** The transaction is about to be committed: the next one starts without rows. */
  settle(): void {
    [this.#now, this.#committed] = [this.#committed, this.#now];
    this.#now.clear();
  }

  follow(other: RecentRows, ids: Iterable<number>): void {
    const { rows, written } = other.#committed;
    for (const id of ids) {
      this.drop(id);
      const [row, texts] = [rows.get(id), written.get(id)];
      if (row !== undefined) keep(this.#now.rows, id, row);
      if (texts !== undefined) keep(this.#now.written, id, texts);
    }
  }
}

function keep<T>(kept: Map<number, T>, id: number, value: T): void {
  if (kept.size >= most) kept.clear();
  kept.set(id, value);
}

const byConnection = new WeakMap<DatabaseSync, RecentRows>();

export function recentRowsOf(db: DatabaseSync): RecentRows {
  const known = byConnection.get(db);
  if (known !== undefined) return known;
  const made = new RecentRows();
  byConnection.set(db, made);
  return made;
}

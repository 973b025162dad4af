import type { DatabaseSync } from 'node:sqlite';
import type { SqlValue } from './columns.ts';
import type { WrittenRow } from './row.ts';

/** Maximum size of all kept rows together, and of all kept texts, in characters. */
const max = 1 << 22;
/** Approximate size of a row without its content, in characters. */
const rest = 1000;
/** Rows whose content has at least this many characters are not kept. */
const LONG = 1 << 21;

/** The newest values: at least those of half the maximum size. */
class Recent<T> {
  #new = new Map<number, T>();
  #old = new Map<number, T>();
  #size = 0;

  get(id: number): T | undefined {
    return this.#new.get(id) ?? this.#old.get(id);
  }

  keep(id: number, value: T, size: number): void {
    if (this.#size + size > max / 2) {
      this.#old = this.#new;
      this.#new = new Map();
      this.#size = 0;
    }
    this.#new.set(id, value);
    this.#size += size;
  }

  delete(id: number): void {
    this.#new.delete(id);
    this.#old.delete(id);
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#new = new Map();
    this.#old = new Map();
    this.#size = 0;
  }
}

/**
 * Rows that the current transaction has read or written, because a save needs the same row to decide, fold and answer. Other connections
 * than the writing one keep none.
 */
export class RecentRows {
  readonly #rows = new Recent<readonly SqlValue[]>();
  readonly #written = new Recent<WrittenRow>();
  isKept = false;

  row(id: number): readonly SqlValue[] | undefined {
    return this.#rows.get(id);
  }

  written(id: number): WrittenRow | undefined {
    return this.#written.get(id);
  }

  /** `size`: characters of the rendered content. */
  keepRow(id: number, values: readonly SqlValue[], size: number): void {
    if (this.isKept && size < LONG) this.#rows.keep(id, values, size + rest);
    else this.#rows.delete(id);
  }

  keepWritten(id: number, written: WrittenRow): void {
    const size = written.texts.content.length;
    if (this.isKept && size < LONG) this.#written.keep(id, written, size + rest);
    else this.#written.delete(id);
  }

  dropRow(id: number): void {
    this.#rows.delete(id);
  }

  drop(id: number): void {
    this.#rows.delete(id);
    this.#written.delete(id);
  }

  clear(): void {
    this.#rows.clear();
    this.#written.clear();
  }
}

const byConnection = new WeakMap<DatabaseSync, RecentRows>();

export function recentRowsOf(db: DatabaseSync): RecentRows {
  const known = byConnection.get(db);
  if (known !== undefined) return known;
  const made = new RecentRows();
  byConnection.set(db, made);
  return made;
}

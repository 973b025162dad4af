import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Changes } from '../kernel/changes.ts';
import type { SqlValue } from './columns.ts';
import type { WrittenRow } from './row.ts';
import { touchedPlace } from './values.ts';

/** Maximum size of all kept rows together, and of all kept texts, in characters. */
const max = 1 << 21;
/** Approximate size of a row without its content, in characters. */
const rest = 1000;
/** Rows whose content has at least this many characters are not kept. */
const LONG = 1 << 16;

interface Kept<T> {
  readonly value: T;
  readonly size: number;
}

/** The newest values: at least those of half the maximum size. */
class Recent<T> {
  #new = new Map<number, Kept<T>>();
  #old = new Map<number, Kept<T>>();
  #size = 0;

  get(id: number): Kept<T> | undefined {
    return this.#new.get(id) ?? this.#old.get(id);
  }

  keep(id: number, kept: Kept<T>): void {
    if (this.#size + kept.size > max / 2) {
      this.#old = this.#new;
      this.#new = new Map();
      this.#size = 0;
    }
    this.#new.set(id, kept);
    this.#size += kept.size;
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

class Rows {
  readonly rows = new Recent<readonly SqlValue[]>();
  readonly written = new Recent<WrittenRow>();

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
  #lastLoss: number | undefined;
  isKept = false;
  #others: RecentRows | undefined;
  readonly #touched: StatementSync;

  constructor(db: DatabaseSync) {
    this.#touched = db.prepare('SELECT touched FROM entries WHERE id = ?');
    this.#touched.setReturnArrays(true);
  }

  /** Uses rows kept for another connection if this connection has the same version of them. */
  share(others: RecentRows): void {
    this.#others = others;
  }

  row(id: number): readonly SqlValue[] | undefined {
    return this.#now.rows.get(id)?.value ?? this.#shared(id);
  }

  written(id: number): WrittenRow | undefined {
    return this.#now.written.get(id)?.value;
  }

  /** `size`: characters of the rendered content. */
  keepRow(id: number, values: readonly SqlValue[], size: number): void {
    if (this.isKept && size < LONG) this.#now.rows.keep(id, { value: values, size: size + rest });
    else this.#now.rows.delete(id);
  }

  keepWritten(id: number, written: WrittenRow): void {
    const size = written.texts.content.length;
    if (this.isKept && size < LONG) this.#now.written.keep(id, { value: written, size: size + rest });
    else this.#now.written.delete(id);
  }

  #shared(id: number): readonly SqlValue[] | undefined {
    const others = this.#others;
    const kept = others === undefined ? undefined : others.#now.rows.get(id);
    if (kept === undefined) return undefined;
    const [touched] = (this.#touched.get(id) ?? []) as unknown as readonly SqlValue[];
    if (touched !== kept.value[touchedPlace]) return undefined;
    this.#now.rows.keep(id, kept);
    return kept.value;
  }

  dropRow(id: number): void {
    this.#now.rows.delete(id);
  }

  drop(id: number): void {
    this.#now.drop(id);
  }

  clear(): void {
    this.#now.clear();
    this.forgetLoss();
  }

  /** Position of the last deletion; 0: none. Read from `losses` unless known. */
  lastLoss(losses: { last(): number }): number {
    this.#lastLoss ??= losses.last();
    return this.#lastLoss;
  }

  forgetLoss(): void {
    this.#lastLoss = undefined;
  }

  /** The transaction is about to be committed: the next one starts without rows. */
  settle(): void {
    [this.#now, this.#committed] = [this.#committed, this.#now];
    this.#now.clear();
  }

  /** Takes over rows of entries that a commit on another connection changed. */
  follow(other: RecentRows, { entries, lost }: Pick<Changes, 'entries' | 'lost'>): void {
    const { rows, written } = other.#committed;
    if (lost.length > 0) this.forgetLoss();
    for (const id of entries) {
      this.drop(id);
      const [row, texts] = [rows.get(id), written.get(id)];
      if (row !== undefined) this.#now.rows.keep(id, row);
      if (texts !== undefined) this.#now.written.keep(id, texts);
    }
  }
}

const byConnection = new WeakMap<DatabaseSync, RecentRows>();

export function recentRowsOf(db: DatabaseSync): RecentRows {
  const known = byConnection.get(db);
  if (known !== undefined) return known;
  const made = new RecentRows(db);
  byConnection.set(db, made);
  return made;
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createDisk } from '../disk.ts';
import { asLogFault, messageOf, resultCode } from '../faults.ts';
import { CopyDiffers, type Head, LogUnavailable } from '../port.ts';
import { openLogFile } from './log-file.ts';
import type { PackedRow } from './row.ts';
import { COLUMNS, PAGE_SIZE } from './schema.ts';
import { prepareLog } from './statements.ts';

/** A log file that imports another log in bulk. Nothing else may append to it meanwhile. */
export interface BulkImport {
  head(): Head;
  /** Chain hash of an existing commit, by its last position; null for none. */
  hashAt(position: number): string | null;
  /**
   * Adds a commit that continues the head. The caller guarantees that its rows are whole and match their hashes. Throws `CopyDiffers`
   * when a revision does not follow in its stream, `LogUnavailable` when the medium refuses; what was not flushed is lost then.
   */
  take(commit: readonly PackedRow[]): void;
  /** When it resolves, everything taken is on the disk; before, a power failure may lose commits, but only whole ones. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Events, or bytes of sealed texts, per transaction. Many, because each event changes nearly all pages of the index of streams, which are
 * written once per transaction.
 */
const perTransaction = 20_000;
const bytesPerTransaction = 32 * 1024 * 1024;
/** Page cache in KiB: pages changed by a transaction should not be written before its end. */
const CACHE_KIB = 64 * 1024;

/**
 * Bytes that the write-ahead log may reach before a checkpoint: pages of the index are in it once per transaction, but are copied into
 * the file once.
 */
const WAL_BYTES = 256 * 1024 * 1024;
/** SQLite's code for a violated constraint: here a revision that is NULL or exists already. */
const CONSTRAINT = 19;

/** Opens a log file for importing, and creates a missing one. Only one process at a time may: see `lockDirectory`. */
export function openBulkImport(path: string): BulkImport {
  const db = openLogFile({ path, mapped: false });
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  // The disk is synced only at the end and before checkpoints.
  db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${WAL_BYTES / PAGE_SIZE}`);
  return new Importing(db, path);
}

class Importing implements BulkImport {
  readonly #db: DatabaseSync;
  readonly #disk: ReturnType<typeof createDisk>;
  readonly #log: ReturnType<typeof prepareLog>;
  readonly #begin: StatementSync;
  readonly #insert: StatementSync;
  #head: Head;
  #safe: number;
  #events = 0;
  #bytes = 0;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#disk = createDisk(`${path}-wal`);
    this.#log = prepareLog(db);
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#insert = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (${COLUMNS.map(insertedAs)})`);
    this.#head = this.#log.head();
    this.#safe = this.#head.position;
  }

  head(): Head {
    return this.#head;
  }

  hashAt(position: number): string | null {
    return this.#log.eventAt(position)?.hash ?? null;
  }

  take(rows: readonly PackedRow[]): void {
    this.#attempt(() => {
      if (!this.#db.isTransaction) this.#begin.run();
      for (const row of rows) this.#insertNext(row);
    });
    const last = rows.at(-1);
    if (last !== undefined) this.#head = { position: last[0], hash: last[15] ?? '', at: last[9] };
    if (this.#events >= perTransaction || this.#bytes >= bytesPerTransaction) this.#commit();
  }

  async flush(): Promise<void> {
    const { position } = this.#head;
    if (position === this.#safe) return;
    this.#commit();
    await this.#disk.sync().catch((error: unknown) => {
      throw new LogUnavailable(`The event log: ${messageOf(error)}`, { cause: error });
    });
    this.#safe = position;
  }

  close(): void {
    this.#disk.close();
    this.#db.close();
  }

  #insertNext(row: PackedRow): void {
    if (!this.#isInserted(row)) throw new CopyDiffers(`Revision ${row[2]} of ${row[1]} does not follow`, row[0]);
    this.#events += 1;
    this.#bytes += row[17]?.length ?? 0;
  }

  #isInserted(row: PackedRow): boolean {
    try {
      this.#insert.run(...row);
      return true;
    } catch (error) {
      if (resultCode(error) === CONSTRAINT) return false;
      throw error;
    }
  }

  #commit(): void {
    if (this.#db.isTransaction) this.#attempt(() => this.#db.exec('COMMIT'));
    this.#events = 0;
    this.#bytes = 0;
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw asLogFault(error, 0);
    }
  }
}

/** SQL for the value of a column. A revision becomes NULL if the previous one is missing: a separate query is slower. */
function insertedAs(name: (typeof COLUMNS)[number], i: number): string {
  if (name === 'sealed') return `CAST(?${i + 1} AS TEXT)`;
  if (name !== 'revision') return `?${i + 1}`;
  return 'CASE WHEN ?3 = 1 OR EXISTS (SELECT 1 FROM events WHERE stream = ?2 AND revision = ?3 - 1) THEN ?3 END';
}

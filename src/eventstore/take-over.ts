import { createDisk } from './disk.ts';
import { asLogFault, messageOf, resultCode } from './faults.ts';
import { openLogFile } from './log-file.ts';
import { CopyDiffers, type Head, LogUnavailable } from './port.ts';
import type { PackedRow } from './row.ts';
import { COLUMNS, PAGE_SIZE } from './schema.ts';
import { prepareLog } from './statements.ts';

/** A log in a file that takes another one over, much in one go. Nobody else may append to it meanwhile. */
export interface TakeOver {
  head(): Head;
  /** Chain hash of a commit that is there, by its last position; null for none. */
  hashAt(position: number): string | null;
  /**
   * Takes a commit that goes on from the head. That its rows are whole and fit their hashes is for the caller to know.
   * Throws `CopyDiffers` when a revision does not follow in its stream, `LogUnavailable` when the medium refuses: what
   * was not flushed before is not taken then.
   */
  take(commit: readonly PackedRow[]): void;
  /** What was taken is on the disk when this resolves; before it a power cut may leave less, but whole commits. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * A transaction takes so many events, or bytes of sealed texts. The index of streams is why it takes many: each of them
 * changes nearly all of its pages, and those are written once for each transaction.
 */
const perTransaction = 20_000;
const bytesPerTransaction = 32 * 1024 * 1024;
/** Memory for pages, in KiB: the pages that a transaction changes should not have to be written before its end. */
const CACHE_KIB = 64 * 1024;

/**
 * The write-ahead log may grow to so many bytes before its pages go into the file: those of the index are in it once for each
 * transaction, and go there once.
 */
const WAL_BYTES = 256 * 1024 * 1024;
/** SQLite's code for a row that cannot be: it has no revision, or that of another one. */
const CONSTRAINT = 19;

/** Opens a log file for that, and makes it where there is none. One process at a time may: see `lockDirectory`. */
export function openTakeOver(path: string): TakeOver {
  const db = openLogFile({ path, mapped: false });
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  // The disk is waited for at the end alone, and before pages go into the file.
  db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${WAL_BYTES / PAGE_SIZE}`);
  const disk = createDisk(`${path}-wal`);
  const log = prepareLog(db);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const insert = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (${COLUMNS.map(insertedAs)})`);
  let head = log.head();
  let safe = head.position;
  let events = 0;
  let bytes = 0;

  function insertNext(row: PackedRow): void {
    if (!isInserted(row)) throw new CopyDiffers(`Revision ${row[2]} of ${row[1]} does not follow`, row[0]);
    events += 1;
    bytes += row[17]?.length ?? 0;
  }

  function isInserted(row: PackedRow): boolean {
    try {
      insert.run(...row);
      return true;
    } catch (error) {
      if (resultCode(error) === CONSTRAINT) return false;
      throw error;
    }
  }

  function commit(): void {
    if (db.isTransaction) attempt(() => db.exec('COMMIT'));
    events = 0;
    bytes = 0;
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw asLogFault(error, 0);
    }
  }

  return {
    head: () => head,
    hashAt: (position) => log.eventAt(position)?.hash ?? null,
    take(rows) {
      attempt(() => {
        if (!db.isTransaction) begin.run();
        rows.forEach(insertNext);
      });
      const last = rows.at(-1);
      if (last !== undefined) head = { position: last[0], hash: last[15] ?? '', at: last[9] };
      if (events >= perTransaction || bytes >= bytesPerTransaction) commit();
    },
    async flush() {
      const { position } = head;
      if (position === safe) return;
      commit();
      await disk.sync().catch((error: unknown) => {
        throw new LogUnavailable(`The event log: ${messageOf(error)}`, { cause: error });
      });
      safe = position;
    },
    close() {
      disk.close();
      db.close();
    },
  };
}

/** What is inserted as a column. No revision stands where the one before it is missing: to ask apart takes longer. */
function insertedAs(name: (typeof COLUMNS)[number], i: number): string {
  if (name === 'sealed') return `CAST(?${i + 1} AS TEXT)`;
  if (name !== 'revision') return `?${i + 1}`;
  return 'CASE WHEN ?3 = 1 OR EXISTS (SELECT 1 FROM events WHERE stream = ?2 AND revision = ?3 - 1) THEN ?3 END';
}

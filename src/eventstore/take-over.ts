import { asLogFault } from './faults.ts';
import { openLogFile } from './log-file.ts';
import { CopyDiffers, type Head } from './port.ts';
import type { PackedRow } from './row.ts';
import { COLUMNS } from './schema.ts';
import { prepareLog } from './statements.ts';

/** A log in a file that takes another one over, much in one go. Nobody else may append to it meanwhile. */
export interface TakeOver {
  /** After what was taken. */
  head(): Head;
  /** Chain hash of a commit that is there, by its last position; null for none. */
  hashAt(position: number): string | null;
  /**
   * Takes a commit that goes on from the head. That its rows are whole and fit their hashes is for the caller to know.
   * Throws `CopyDiffers` when a revision does not follow in its stream, `LogUnavailable` when the medium refuses: what
   * was not flushed before is not taken then.
   */
  take(commit: readonly PackedRow[]): void;
  /** What was taken is on the disk then. */
  flush(): void;
  /** What was not flushed is not taken. */
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

/** Opens a log file for that, and makes it where there is none. One process at a time may: see `lockDirectory`. */
export function openTakeOver(path: string): TakeOver {
  const db = openLogFile({ path, mapped: false });
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  const log = prepareLog(db);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const insert = db.prepare(
    `INSERT INTO events (${COLUMNS}) VALUES (${COLUMNS.map((name) => (name === 'sealed' ? 'CAST(? AS TEXT)' : '?'))})`,
  );
  let head = log.head();
  let events = 0;
  let bytes = 0;

  function insertNext(row: PackedRow): void {
    const [position, stream, revision] = row;
    if (revision !== log.streamHead(stream) + 1) {
      throw new CopyDiffers(`Revision ${revision} of ${stream} does not follow`, position);
    }
    insert.run(...row);
    events += 1;
    bytes += row[17]?.length ?? 0;
  }

  function flush(): void {
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
    take(commit) {
      attempt(() => {
        if (!db.isTransaction) begin.run();
        commit.forEach(insertNext);
      });
      const last = commit.at(-1);
      if (last !== undefined) head = { position: last[0], hash: last[15] ?? '', at: last[9] };
      if (events >= perTransaction || bytes >= bytesPerTransaction) flush();
    },
    flush,
    close: () => db.close(),
  };
}

import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { asLogFault } from '../faults.ts';
import { LogUnavailable } from '../port.ts';
import { PAGE_SIZE } from './schema.ts';
import type { LogTable } from './statements.ts';

/** Texts emptied per transaction: a few milliseconds of work. */
const atOnce = 200;
/** How often, and at which interval in milliseconds, truncating the write-ahead log is retried while it is being read. */
const tries = 150;
const pause = 200;

/**
 * Empties sealed texts in a log file, so that none of their bytes remain in free pages or in the write-ahead log. Throws `LogUnavailable`
 * when others keep reading the file for too long, or when it cannot be written.
 */
export async function emptyForGood(
  positions: readonly number[],
  { db, log }: { readonly db: DatabaseSync; readonly log: Pick<LogTable, 'transaction' | 'empty'> },
): Promise<void> {
  for (let i = 0; i < positions.length; i += atOnce) {
    const part = positions.slice(i, i + atOnce);
    log.transaction(() => part.forEach(log.empty));
    await wait(0);
  }
  await truncate(db);
  if (!hasRemains(db)) return;
  try {
    db.exec('VACUUM');
  } catch (error) {
    throw asLogFault(error, 0);
  }
  await truncate(db);
}

async function truncate(db: DatabaseSync): Promise<void> {
  for (let i = 0; i < tries; i++) {
    if (isTruncated(db)) return;
    await wait(pause);
  }
  throw new LogUnavailable('the log is read by another program all the time, so its write-ahead log cannot be emptied');
}

/** Empties the write-ahead log. False: it is being read. */
export function isTruncated(db: DatabaseSync): boolean {
  const timeout = Number(db.prepare('PRAGMA busy_timeout').get()?.['timeout']);
  // The thread would be blocked while SQLite waits.
  db.exec('PRAGMA busy_timeout = 0');
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/**
 * Whether the root page of the table has data between its cell pointers and its cells. In a file written without `secure_delete`, it
 * holds what the page contained when it was the only one; only a rewrite of the whole file removes that. Layout:
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
function hasRemains(db: DatabaseSync): boolean {
  const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get()?.['rootpage']);
  const page = Buffer.alloc(PAGE_SIZE);
  const file = openSync(db.location() ?? '', 'r');
  try {
    readSync(file, page, 0, PAGE_SIZE, (root - 1) * PAGE_SIZE);
  } finally {
    closeSync(file);
  }
  const header = page[0] === interior ? 12 : 8;
  return page.subarray(header + 2 * page.readUInt16BE(3), page.readUInt16BE(5)).some((byte) => byte !== 0);
}

/** Type of an interior page of a table. */
const interior = 5;

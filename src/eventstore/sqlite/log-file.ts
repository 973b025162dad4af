import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ChainFault, EMPTY_HEAD, isChainFault, verifyChain } from '../chain.ts';
import { asLogFault, damagedLog, messageOf } from '../faults.ts';
import { checkNoted, missing, type NotedHead, readHead, syncFolderNow } from '../head-file.ts';
import { type Head, LogDamaged, LogUnavailable } from '../port.ts';
import { rangeOfRead } from '../range.ts';
import { APPLICATION_ID, LAYOUT, PAGE_SIZE, PRAGMAS, SCHEMA } from './schema.ts';
import { type LogTable, prepareLog } from './statements.ts';

export interface FileOptions {
  readonly path: string;
  /** Largest size of the file in bytes; beyond it appends are refused as on a full disk. Default: no limit. */
  readonly maxBytes?: number;
  /** Opens an existing log for reading only, beside a running server, as of now. */
  readonly readOnly?: boolean;
  /** Maps the file into memory (the default): faster, but what has been read counts as memory of this process. */
  readonly mapped?: boolean;
}

const TIMEOUT_MS = 5000;

/** Events at the end that are checked; `verifyChain` checks all. */
const CHECKED_EVENTS = 256;

/** Checks and opens the file of an event log; creates a missing one. */
export function openLogFile({ path, maxBytes, readOnly = false, mapped = true }: FileOptions): DatabaseSync {
  try {
    if (!readOnly && !existsSync(path)) createLogFile(path);
    checkLogFile(path, TIMEOUT_MS, readOnly ? null : readHead(path));
    const db = new DatabaseSync(path, { readOnly, timeout: TIMEOUT_MS });
    db.exec(PRAGMAS);
    if (!mapped) db.exec('PRAGMA mmap_size = 0');
    if (maxBytes !== undefined) db.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / PAGE_SIZE)}`);
    return db;
  } catch (error) {
    throw asLogFault(error, 1);
  }
}

/** Created under another name first: an existing log is always whole, and an empty file is never taken for a new log. */
function createLogFile(path: string): void {
  const noted = readHead(path);
  if (noted !== null && noted.position > 0) throw missing(0, noted.position);
  if (existsSync(`${path}-wal`)) throw damagedLog('The file is missing, its write-ahead log is not', 1);
  const fresh = `${path}.new`;
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(fresh + suffix, { force: true });
  const db = new DatabaseSync(fresh);
  try {
    db.exec(SCHEMA);
  } finally {
    db.close();
  }
  renameSync(fresh, path);
  syncFolderNow(dirname(path));
}

/**
 * Throws `LogDamaged` when a file is not an event log, or its end is invalid: the last commits must be whole and match their hashes, and
 * the recorded head must exist. Opens the file read-only, so that a damaged or foreign one is not changed.
 */
function checkLogFile(path: string, timeout: number, noted: NotedHead | null): void {
  // Even the header is read by SQLite: closing a file descriptor of this process would drop its locks on the file.
  const db = new DatabaseSync(path, { readOnly: true, timeout });
  try {
    checkFormat(db);
    const log = prepareLog(db);
    lastPosition(db, path);
    const head = log.head();
    checkNoted(noted, head, (position) => log.eventAt(position)?.hash ?? null);
    const end = verifyEnd(log, head.position);
    if (isChainFault(end)) throw damagedLog(end.message, end.position);
  } catch (error) {
    const fault = asLogFault(error, 0);
    if (fault instanceof LogUnavailable || (fault instanceof LogDamaged && fault.position > 0)) throw fault;
    throw damagedLog(messageOf(error), firstFault(path), error);
  } finally {
    db.close();
  }
}

/** Throws `LogDamaged` when a file is not an event log of this layout. */
export function checkFormat(db: DatabaseSync): void {
  const read = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (read('application_id') !== APPLICATION_ID) throw damagedLog('The file is not an event log', 1);
  const layout = read('user_version');
  if (layout !== LAYOUT) throw damagedLog(`The file has layout ${layout}, this program knows ${LAYOUT}`, 1);
}

/**
 * Position of the last event; 0 for none. Throws `LogDamaged` when there are only events without a position: SQLite reads such rows from
 * zeros at the end of a truncated file.
 */
export function lastPosition(db: DatabaseSync, path: string): number {
  const row = db.prepare('SELECT max(position) AS top, EXISTS (SELECT 1 FROM events) AS has FROM events').get();
  const top = Number(row?.['top'] ?? 0);
  if (top < 1 && Number(row?.['has']) === 1) {
    throw damagedLog('The end of the file holds zeros in the place of events', firstFault(path));
  }
  return top;
}

function verifyEnd(log: LogTable, top: number): Head | ChainFault {
  if (top === 0) return EMPTY_HEAD;
  if (log.eventAt(1) === undefined) return { position: 1, message: 'The first event is missing' };
  const oldest = Math.max(1, top - CHECKED_EVENTS + 1);
  const start = oldest - (log.eventAt(oldest)?.commit.i ?? 0);
  if (start === 1) return verifyChain(log.chain(rangeOfRead({}, top)));
  const before = log.eventAt(start - 1);
  if (!before?.hash) return { position: start - 1, message: 'The event before is missing or its commit is not whole' };
  return verifyChain(log.chain(rangeOfRead({ from: start }, top)), { ...before, hash: before.hash });
}

/** Returns the position where a file that SQLite rejects becomes unreadable; reads the whole file. */
function firstFault(path: string): number {
  // Otherwise SQLite refuses a file that is shorter than its header says.
  const db = new DatabaseSync(path, { readOnly: true, defensive: false });
  try {
    db.exec('PRAGMA writable_schema = ON');
    const end = verifyChain(prepareLog(db).chain(rangeOfRead({}, Number.MAX_SAFE_INTEGER)));
    return isChainFault(end) ? end.position : end.position + 1;
  } catch (error) {
    return error instanceof LogDamaged ? error.position : 1;
  } finally {
    db.close();
  }
}

import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asLogFault, damagedLog } from './faults.ts';
import { missing, readHead, syncFolderNow } from './head-file.ts';
import { checkLogFile } from './log-check.ts';
import { PAGE_SIZE, PRAGMAS, SCHEMA } from './schema.ts';

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

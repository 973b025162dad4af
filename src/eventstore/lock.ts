import { mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BUSY, isLogDamage, resultCode } from './faults.ts';
import { LogInUse, LogUnavailable } from './port.ts';

/** Keeps connections referenced: garbage collection would close them and release the locks. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data directory for this process until the returned function is called; creates a missing directory. Throws `LogInUse` when it
 * is locked, even by this process, and `LogUnavailable` when it cannot be. The operating system's lock on `lock.db` ends with the process; the file itself remains and means
 * nothing.
 */
export function lockDirectory(directory: string): () => void {
  // Drafts and password digests must not be readable by other users.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'lock.db');
  let db: DatabaseSync;
  try {
    db = take(path);
  } catch (error) {
    if (resultCode(error) === BUSY) throw new LogInUse(`Another process has ${directory} open`, { cause: error });
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new LogUnavailable(`${path} is a folder, where a lock has to be: remove it`, { cause: error });
    if (!isLogDamage(error)) throw error;
    // In place, because another process holds its lock on this very file.
    truncateSync(path);
    return lockDirectory(directory);
  }
  held.add(db);
  return () => {
    if (held.delete(db)) db.close();
  };
}

function take(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // A journal in a file would not fit on a full disk.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

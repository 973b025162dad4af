import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BUSY, isDamage, resultCode } from './faults.ts';
import { LogInUse } from './port.ts';

/** Kept here because a collected connection would be closed, and the lock gone. */
const held = new Set<DatabaseSync>();

/**
 * Takes a data directory for this process until the answered function is called; makes the directory if it is
 * missing. Throws `LogInUse` when it is taken, also by this very process. The lock is the operating system's on
 * `lock.db`, so it goes when the process does, however it ends; the file itself stays and means nothing.
 */
export function lockDirectory(directory: string): () => void {
  // Drafts and digests of passwords are nobody else's business.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'lock.db');
  let db: DatabaseSync;
  try {
    db = take(path);
  } catch (error) {
    if (resultCode(error) === BUSY) throw new LogInUse(`Another process has ${directory} open`, { cause: error });
    if (!isDamage(error)) throw error;
    // In its place: the lock of another process is on this very file.
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
    // Without a journal in a file, for which a full disk has no room.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

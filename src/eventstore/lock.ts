import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BUSY, resultCode } from './faults.ts';
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
  const db = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (resultCode(error) !== BUSY) throw error;
    throw new LogInUse(`Another process has ${directory} open`, { cause: error });
  }
  held.add(db);
  return () => {
    if (held.delete(db)) db.close();
  };
}

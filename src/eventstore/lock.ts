import { existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
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
  makeFolders(resolve(directory));
  const path = join(directory, 'lock.db');
  let db: DatabaseSync;
  try {
    db = take(path);
  } catch (error) {
    if (resultCode(error) === BUSY) {
      const pid = holderOf(path);
      const who = pid === null ? 'Another process' : `Another process, ${pid},`;
      throw new LogInUse(`${who} has ${directory} open`, { cause: error });
    }
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

/** One by one: `mkdir` with `recursive` hides why it fails, and never ends below /proc. */
function makeFolders(directory: string): void {
  if (existsSync(directory)) return;
  makeFolders(dirname(directory));
  try {
    // Drafts and password digests must not be readable by other users.
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The process that holds a lock, as Linux lists it; null: unknown. */
function holderOf(path: string): number | null {
  try {
    const { ino } = statSync(path);
    const lock = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((line) => line.includes(`:${ino} `) && line.includes(' WRITE '));
    const pid = Number(lock?.split(/ +/)[4]);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** How often, 50 ms apart: a process at idle priority may take long to end. */
const maxTries = 1200;

/** The same, and waits for another process, for a minute at most; `isWorthIt` is asked before each wait. */
export async function lockInTurn(directory: string, isWorthIt: () => boolean = () => true): Promise<() => void> {
  for (let tries = 1; ; tries++) {
    try {
      return lockDirectory(directory);
    } catch (error) {
      if (!(error instanceof LogInUse) || tries === maxTries || !isWorthIt()) throw error;
      await sleep(50);
    }
  }
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

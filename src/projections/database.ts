import { existsSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type Checkpoint, emptyCheckpoint } from './checkpoint.ts';
import { isFollowingCurrent, positionsIn, renewFollowing } from './following.ts';
import { createLateIndexes, createTables, projectionsVersion } from './schema.ts';
import { sealSuffix } from './seal.ts';
import { searchSuffix } from './search-store.ts';
import { checkSum, sumOf } from './sums.ts';

/**
 * Opens the projections file for writing. A file that is missing, damaged or of another version is rebuilt:
 * everything in it follows from the log.
 */
export function openProjections(path: string): DatabaseSync {
  const existing = tryOpen(path);
  if (existing !== null) return existing;
  removeProjections(path);
  const db = open(path);
  createTables(db);
  saveCheckpoint(db, emptyCheckpoint, true);
  return db;
}

/** Throws the projections away. */
export function removeProjections(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, removal(suffix));
}

/**
 * Puts other projections in the place of these; neither may be open. The old ones are removed in the background,
 * which takes a while with large files. A crash in between leaves one of the two or none, never a mixture.
 */
export function replaceProjections(path: string, by: string): void {
  const old = `${path}.old`;
  removeProjections(old);
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, old + suffix);
  renameSync(by, path);
  if (existsSync(by + searchSuffix)) renameSync(by + searchSuffix, path + searchSuffix);
  removeProjections(by);
  // What stays behind is removed by the next one.
  for (const suffix of suffixes) rm(old + suffix, removal(suffix)).catch(() => undefined);
}

export async function removeReplaced(path: string): Promise<void> {
  for (const suffix of suffixes) await rm(`${path}.old${suffix}`, removal(suffix));
}

// The file itself first: without it what the others hold means nothing.
const suffixes = ['', '-wal', '-shm', sealSuffix, searchSuffix];
const removal = (suffix: string) => ({ force: true, recursive: suffix === searchSuffix });

/** A second connection, which sees only what has been committed. */
export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  db.exec('PRAGMA cache_size = -4096');
  return db;
}

/** Throws `DamagedRow` where it is not what was written. */
export function loadCheckpoint(db: DatabaseSync): Checkpoint {
  const at = storedCheckpoint(db);
  const sum = db.prepare('SELECT sum FROM checkpoint').get()?.['sum'];
  checkSum(sum, sumOf(Object.values(at)), 'checkpoint', 1);
  return at;
}

export function storedCheckpoint(db: DatabaseSync): Checkpoint {
  const row = db.prepare('SELECT * FROM checkpoint').get() as Record<string, number | string>;
  return {
    position: Number(row['position']),
    hash: String(row['hash']),
    nextId: Number(row['next_id']),
    nextOrd: Number(row['next_ord']),
    nextTerm: Number(row['next_term']),
    nextUser: Number(row['next_user']),
    nextComment: Number(row['next_comment']),
  };
}

export function saveCheckpoint(db: DatabaseSync, at: Checkpoint, first = false): void {
  const values = [at.position, at.hash, at.nextId, at.nextOrd, at.nextTerm, at.nextUser, at.nextComment];
  const sum = sumOf(values);
  if (first) {
    db.prepare('INSERT INTO checkpoint VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(projectionsVersion, ...values, sum);
  } else {
    db.prepare(
      'UPDATE checkpoint SET position = ?, hash = ?, next_id = ?, next_ord = ?, next_term = ?, next_user = ?, next_comment = ?, sum = ?',
    ).run(...values, sum);
  }
}

export function isCurrent(db: DatabaseSync): boolean {
  return isOfVersion(db) && isFollowingCurrent(db);
}

/** The position up to which all of a file is up to date; null where it was not made by this version. */
export function reachedIn(db: DatabaseSync): number | null {
  if (!isOfVersion(db)) return null;
  const behind = isFollowingCurrent(db) ? [...positionsIn(db).values()] : [0];
  return Math.min(storedCheckpoint(db).position, ...behind);
}

function isOfVersion(db: DatabaseSync): boolean {
  const row = db.prepare('SELECT version FROM checkpoint').get();
  return row?.['version'] === projectionsVersion;
}

function tryOpen(path: string): DatabaseSync | null {
  let db: DatabaseSync | undefined;
  try {
    db = open(path);
    if (isOfVersion(db)) {
      renewFollowing(db);
      // A replay that was cut off has not come to them.
      createLateIndexes(db);
      return db;
    }
  } catch {
    // Whatever is wrong with it, the log makes a new one.
  }
  db?.close();
  return null;
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  // NORMAL: after a power cut the file is whole but may be behind; the log has the rest, the checkpoint tells from where.
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
  return db;
}

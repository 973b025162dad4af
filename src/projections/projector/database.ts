import { existsSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { areas } from '#catalogue/areas.ts';
import { isOfPackage } from '#domain/kernel/codec.ts';
import { type Checkpoint, emptyCheckpoint } from '../kernel/checkpoint.ts';
import { listsSuffix, sealSuffix } from '../kernel/seal.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { commitOn, createHistories, historyIndexes, type PastStanding, showPast } from '../kernel/versions.ts';
import { searchSuffix } from '../search/store.ts';
import { all, immediate } from './all.ts';
import { isFollowingCurrent, positionsIn, renewFollowing } from './followers.ts';

/** To be raised for changes that belong to no single projection. */
const format = 2;

/**
 * Identifies the immediate projections and areas of packages, with their versions. Files with another number are rebuilt at the next
 * start. Following projections have versions of their own.
 */
export const projectionsVersion = crc32(
  [
    format,
    ...immediate.map(({ name, version }) => `${name} ${version}`),
    ...areas.flatMap(({ name, version = 1 }) => (isOfPackage(name) ? `${name} ${version}` : [])),
  ].join('\n'),
);

const checkpoint = `
CREATE TABLE checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  next_id INTEGER NOT NULL,
  next_ord INTEGER NOT NULL,
  next_term INTEGER NOT NULL,
  next_user INTEGER NOT NULL,
  next_comment INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
`;
const lateIndexes = all.map((projection) => projection.lateIndexes + historyIndexes(projection)).join('');

/**
 * Opens the projections file for writing. If it is missing, damaged or of another version, it is created empty, to be filled from the
 * log.
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

/** Deletes the projections. */
export function removeProjections(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, removal(suffix));
}

/**
 * Replaces projections by others; neither may be open. The old files are removed in the background, which takes a while if they are
 * large. A crash in between leaves either or neither, never a mixture.
 */
export function replaceProjections(path: string, by: string): void {
  const old = `${path}.old`;
  foldWriteAhead(by);
  removeProjections(old);
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, old + suffix);
  renameSync(by, path);
  for (const suffix of [searchSuffix, listsSuffix]) if (existsSync(by + suffix)) renameSync(by + suffix, path + suffix);
  removeProjections(by);
  // Anything left behind is removed by the next call.
  for (const suffix of suffixes) rm(old + suffix, removal(suffix)).catch(() => undefined);
}

/** A process that was killed leaves commits beside the file. */
function foldWriteAhead(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

export async function removeReplaced(path: string): Promise<void> {
  for (const suffix of suffixes) await rm(`${path}.old${suffix}`, removal(suffix));
}

// The file itself first: the others are meaningless without it.
const suffixes = ['', '-wal', '-shm', sealSuffix, listsSuffix, searchSuffix];
const removal = (suffix: string) => ({ force: true, recursive: suffix === searchSuffix });

/** Opens a second connection, which sees only what has been committed. */
export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  db.exec('PRAGMA cache_size = -4096');
  return db;
}

/** Opens a connection that shows the tables as of a position: see `standAt`. */
export function openPastReader(path: string, log: PastStanding['log']): DatabaseSync {
  const db = openReader(path);
  showPast(db, all, log);
  return db;
}

/** Throws `DamagedRow` when the checkpoint is damaged. */
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

/** Returns the position up to which the whole file is current; null if it is of another version. */
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
      // An interrupted replay has not created them yet.
      createLateIndexes(db);
      return db;
    }
  } catch {
    // Whatever is wrong with the file, it is rebuilt from the log.
  }
  db?.close();
  return null;
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  // NORMAL: after a power failure the file is whole but may be behind; the rest is read from the log after the checkpoint.
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
  // What is deleted leaves no bytes in cells and free pages: see `overwriteRemains`.
  db.exec('PRAGMA secure_delete = ON; PRAGMA recursive_triggers = ON');
  commitOn(db);
  return db;
}

export function createTables(db: DatabaseSync): void {
  db.exec(checkpoint + immediate.map(({ tables }) => tables).join(''));
  for (const projection of immediate) createHistories(db, projection);
  renewFollowing(db);
  db.exec(lateIndexes);
}

export function createLateIndexes(db: DatabaseSync): void {
  db.exec(lateIndexes);
}

/** Drops the indexes that a long replay need not maintain. */
export function dropLateIndexes(db: DatabaseSync): void {
  for (const [, name] of lateIndexes.matchAll(/IF NOT EXISTS (\w+)/g)) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

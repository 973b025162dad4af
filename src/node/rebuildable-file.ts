import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkpointElsewhere } from '#eventstore/checkpoint.ts';
import type { Reporter } from '#process/reporter.ts';
import { breakSeal, sealFile } from '#projections/kernel/seal.ts';

/** A file or directory beside the log that a site can do without. */
export interface RebuildableFile<T> {
  readonly path: string;
  readonly suffixes?: readonly string[];
  readonly open: () => T;
  readonly isForeign?: (error: unknown) => boolean;
  readonly reporter: Reporter;
}

/**
 * Opens an expendable file or directory. One that cannot be opened is moved aside and recreated. If that fails too (disk full or
 * read-only), leaves it in place and returns undefined.
 */
export function openRebuildable<T>({
  path,
  suffixes = [''],
  open,
  reporter,
  isForeign,
}: RebuildableFile<T>): T | undefined {
  try {
    return open();
  } catch (error) {
    if (isForeign?.(error)) throw error;
    const aside = asideOf(path);
    try {
      move(path, aside, suffixes);
      const opened = open();
      reporter.warning(
        `${path} cannot be used and is begun again; what was there is ${aside} now: ${messageOf(error)}`,
      );
      return opened;
    } catch {
      if (existsSync(aside)) move(aside, path, suffixes);
      reporter.warning(`${path} cannot be used, and the site goes on without it: ${messageOf(error)}`);
      return undefined;
    }
  }
}

export interface RebuildableDatabase extends Pick<RebuildableFile<DatabaseSync>, 'path' | 'reporter'> {
  readonly schema: string;
  /** Whether a checksum of the whole file is kept beside it while it is closed; absent: its rows have some. */
  readonly isSealed?: true;
  /** Called with the opened database; throws if it cannot be used. */
  readonly check?: (db: DatabaseSync) => void;
}

/** The endings of the files of a database. */
export const ofDatabase = ['', '-wal', '-shm'];

/** `openRebuildable` for a small database, which is checked completely. */
export function openRebuildableDatabase({
  schema,
  isSealed,
  check,
  ...about
}: RebuildableDatabase): DatabaseSync | undefined {
  const open = () => {
    if (isSealed && !breakSeal(about.path)) throw new Error('it is not what was left');
    const db = new DatabaseSync(about.path, { timeout: 5000 });
    try {
      db.exec(schema);
      const [found] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
      if (found !== 'ok') throw new Error(String(found));
      check?.(db);
      checkpointElsewhere(db, about.path, about.reporter.fault);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  return openRebuildable({ ...about, suffixes: ofDatabase, open });
}

export interface NeededDatabase {
  /** Opens the database on first use. Throws while it cannot be used. */
  readonly get: () => DatabaseSync;
  /** Moves the file aside, since its pages are damaged; the next use begins another. Once: another one would be as damaged. */
  readonly setAside: (why: unknown) => void;
  readonly close: () => void;
}

/** Milliseconds until an unusable database is tried again. */
const pause = 10_000;

export function openWhenNeeded(about: RebuildableDatabase): NeededDatabase {
  let opened: DatabaseSync | undefined;
  let failed = Number.NEGATIVE_INFINITY;
  let isSetAside = false;
  return {
    get() {
      if (opened === undefined && performance.now() - failed >= pause) {
        opened = openRebuildableDatabase(about);
        if (opened === undefined) failed = performance.now();
      }
      if (opened === undefined) throw new Error(`${about.path} cannot be used`);
      return opened;
    },
    setAside(why) {
      if (opened === undefined || isSetAside) return;
      isSetAside = true;
      opened.close();
      opened = undefined;
      setFileAside(about.path, why, about.reporter);
    },
    close() {
      opened?.close();
      if (opened !== undefined && about.isSealed) sealFile(about.path);
    },
  };
}

/** Moves a damaged database aside. */
export function setFileAside(path: string, why: unknown, reporter: Reporter): void {
  const aside = asideOf(path);
  move(path, aside, ofDatabase);
  reporter.warning(`${path} is damaged and is begun again; what was there is ${aside} now: ${messageOf(why)}`);
}

/** Where a file is moved that is not used any more. */
export function asideOf(path: string, why: 'damaged' | 'earlier' = 'damaged'): string {
  return `${path}.${why}-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
}

function move(from: string, to: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

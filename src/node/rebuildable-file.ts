import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkpointElsewhere } from '#eventstore/checkpoint.ts';
import type { Reporter } from '#process/reporter.ts';

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
  /** Called with the opened database; throws if it cannot be used. */
  readonly check?: (db: DatabaseSync) => void;
}

const ofDatabase = ['', '-wal', '-shm'];

/** `openRebuildable` for a small database, which is checked completely. */
export function openRebuildableDatabase({ schema, check, ...about }: RebuildableDatabase): DatabaseSync | undefined {
  const open = () => {
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
  readonly close: () => void;
}

/** Milliseconds until an unusable database is tried again. */
const pause = 10_000;

export function openWhenNeeded(about: RebuildableDatabase): NeededDatabase {
  let opened: DatabaseSync | undefined;
  let failed = Number.NEGATIVE_INFINITY;
  return {
    get() {
      if (opened === undefined && performance.now() - failed >= pause) {
        opened = openRebuildableDatabase(about);
        if (opened === undefined) failed = performance.now();
      }
      if (opened === undefined) throw new Error(`${about.path} cannot be used`);
      return opened;
    },
    close: () => opened?.close(),
  };
}

const folders = ['views', 'past', 'rebuild', 'projections.db-search'];
const files = [
  'origins.db',
  'uses.db',
  'feeds.db',
  'hooks.db',
  'words.db',
  'logins.db',
  'erased.json',
  'verified.json',
  'head',
];

export function moveDamagedAside(dataDir: string, reporter: Reporter): void {
  for (const name of [...folders, ...files]) {
    const path = join(dataDir, name);
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.isDirectory() === folders.includes(name)) continue;
      const aside = asideOf(path);
      renameSync(path, aside);
      reporter.warning(`${path} is not what it should be; it is ${aside} now`);
    } catch (error) {
      reporter.warning(`${path} cannot be used: ${messageOf(error)}`);
    }
  }
}

function asideOf(path: string): string {
  return `${path}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
}

function move(from: string, to: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

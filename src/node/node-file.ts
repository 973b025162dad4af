import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Reporter } from '#process/reporter.ts';
import { breakSeal } from '#projections/kernel/seal.ts';
import { sumOf } from '#projections/kernel/sums.ts';
import { ofDatabase, openWhenNeeded, setFileAside } from './rebuildable-file.ts';

export type NotedTable = 'uses' | 'logins' | 'readings' | 'origins' | 'hooks' | 'feeds';
type Value = string | number | null;
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Each row ends with a checksum of what is before it. Times are in milliseconds since 1970. */
const schema = `
-- Last uses of application passwords.
CREATE TABLE IF NOT EXISTS uses (
  password TEXT PRIMARY KEY, at INTEGER NOT NULL, address TEXT, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Log-ins by day and account; 0: names that no account has.
CREATE TABLE IF NOT EXISTS logins (
  day TEXT, user INTEGER, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (day, user)
) STRICT, WITHOUT ROWID;
-- What auditors read, by day: the last time, and how often.
CREATE TABLE IF NOT EXISTS readings (
  day TEXT, user INTEGER, route TEXT, item TEXT, at INTEGER NOT NULL, times INTEGER NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (day, user, route, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS readings_by_time ON readings (at);
-- Where writes came from. \`via\`: the means of authentication, unless it was a password.
CREATE TABLE IF NOT EXISTS origins (
  position INTEGER, correlation TEXT, address TEXT NOT NULL, at INTEGER NOT NULL, via TEXT, sum INTEGER NOT NULL,
  PRIMARY KEY (position, correlation)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS origins_by_time ON origins (at);
-- How far each webhook is; 0: where these notes begin.
CREATE TABLE IF NOT EXISTS hooks (
  hook INTEGER PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Feeds of other sites. \`items\`: JSON; \`again\`: when it is fetched next, 0 before the first time; \`shown\`: when it was last needed.
CREATE TABLE IF NOT EXISTS feeds (
  address TEXT PRIMARY KEY, items TEXT, again INTEGER NOT NULL, shown INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
/** What was removed is not left in the file: it may be an address. */
const settings = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;';

const pathIn = (dataDir: string) => join(dataDir, 'node.db');

interface Opened {
  readonly path: string;
  /** Throws while the file cannot be used. */
  readonly get: () => DatabaseSync;
  readonly close: () => void;
  readonly onDamage: (message: string) => void;
}

/**
 * What a node notes beside the log, in one file. It survives a kill; after a power failure its last writes may be missing.
 *
 * Rows with checksums instead of a seal over the file: threads and commands can have it open, and damage takes a row, not all of them.
 *
 * Why, and what was rejected: `docs/adr/0080-files-beside-the-log.md`.
 */
export class NodeFile {
  readonly #opened: Opened;
  readonly #statements = new Map<string, StatementSync>();
  readonly #damaged = new Set<NotedTable>();
  #db: DatabaseSync | undefined;

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  get path(): string {
    return this.#opened.path;
  }

  /** The rows of a table that fulfil a condition (`WHERE …`, `ORDER BY …`), without those that are not what was written. */
  rows(table: NotedTable, condition = '', ...values: Value[]): readonly Row[] {
    const found = this.#prepare(`SELECT * FROM ${table} ${condition}`).all(...values);
    const intact = found.filter(isIntact);
    if (intact.length < found.length && !this.#damaged.has(table)) {
      this.#damaged.add(table);
      this.#opened.onDamage(`${this.path} is damaged: a row of ${table} is not what was written, and is left out`);
    }
    return intact;
  }

  /** Writes a row, in the place of one with the same key. */
  put(table: NotedTable, ...values: Value[]): void {
    this.#write('REPLACE', table, values);
  }

  /** Writes a row unless there is one with the same key. */
  add(table: NotedTable, ...values: Value[]): void {
    this.#write('IGNORE', table, values);
  }

  remove(table: NotedTable, condition: string, ...values: Value[]): void {
    this.#prepare(`DELETE FROM ${table} ${condition}`).run(...values);
  }

  /** Does all of the work, or nothing. */
  atOnce(work: () => void): void {
    const db = this.#opened.get();
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Overwrites what was removed in all files of the database. */
  wipe(): void {
    this.#opened.get().exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#opened.close();
  }

  #write(otherwise: 'REPLACE' | 'IGNORE', table: NotedTable, values: readonly Value[]): void {
    const places = [...values, null].map(() => '?').join(', ');
    this.#prepare(`INSERT OR ${otherwise} INTO ${table} VALUES (${places})`).run(...values, sumOf(values));
  }

  #prepare(sql: string): StatementSync {
    const db = this.#opened.get();
    if (db !== this.#db) this.#statements.clear();
    this.#db = db;
    const known = this.#statements.get(sql) ?? db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** Opens the file of a data directory on first use. One that cannot be used is moved aside and begun again. */
export function openNodeFile(dataDir: string, reporter: Reporter): NodeFile {
  const path = pathIn(dataDir);
  const opened = openWhenNeeded({ path, schema: settings + schema, check: checkSchema, reporter });
  return new NodeFile({ ...opened, path, onDamage: reporter.warning });
}

/** Opens the file for reading, with or without a running server; null if there is none that can be used. */
export function readNodeFile(dataDir: string): NodeFile | null {
  const path = pathIn(dataDir);
  if (!existsSync(path)) return null;
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    return new NodeFile({ path, get: () => db, close: () => db.close(), onDamage: () => undefined });
  } catch {
    return null;
  }
}

/** What a data directory notes, with or without a running server; nothing if that cannot be read. */
export function notedIn<T>(dataDir: string, read: (file: NodeFile) => readonly T[]): readonly T[] {
  const file = readNodeFile(dataDir);
  try {
    return file === null ? [] : read(file);
  } catch {
    return [];
  } finally {
    file?.close();
  }
}

function isIntact(row: Row): boolean {
  const { sum, ...values } = row;
  return sum === sumOf(Object.values(values) as Value[]);
}

/** A name that has changed in the file would begin a second table. */
function checkSchema(db: DatabaseSync): void {
  const expected = new DatabaseSync(':memory:');
  expected.exec(schema);
  const [found, needed] = [db, expected].map((one) =>
    one.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all(),
  );
  expected.close();
  if (JSON.stringify(found) !== JSON.stringify(needed)) throw new Error('its tables are not those that were written');
}

interface FormerFile {
  readonly name: string;
  readonly table: string;
  /** Whether a checksum of the whole file was kept beside it while it was closed. */
  readonly isSealed?: true;
  /** Writes a row, unless it is damaged. */
  readonly take: (file: NodeFile, row: Row) => void;
}

/** The files that earlier versions kept, one for each kind of note. Feeds are fetched again. */
const formerFiles: readonly FormerFile[] = [
  {
    name: 'uses.db',
    table: 'uses',
    isSealed: true,
    take: (file, { password, at, address }) => file.add('uses', String(password), Number(at), textOf(address)),
  },
  {
    name: 'logins.db',
    table: 'logins',
    isSealed: true,
    take: (file, { day, user, succeeded, failed }) =>
      file.add('logins', String(day), Number(user), Number(succeeded), Number(failed)),
  },
  {
    name: 'origins.db',
    table: 'origins',
    isSealed: true,
    take: (file, { position, correlation, address, at, via }) =>
      file.add('origins', Number(position), String(correlation), String(address), Number(at), textOf(via)),
  },
  { name: 'hooks.db', table: 'progress', take: takeProgress },
];

/** Moves what earlier versions noted in files of their own into this file, and removes them. */
export function takeFormerFiles(dataDir: string, file: NodeFile, reporter: Reporter): void {
  for (const former of formerFiles) {
    const path = join(dataDir, former.name);
    if (existsSync(path)) takeFormerFile(path, former, { file, reporter });
  }
  removeDatabase(join(dataDir, 'feeds.db'));
}

interface Taking {
  readonly file: NodeFile;
  readonly reporter: Reporter;
}

function takeFormerFile(path: string, { table, isSealed, take }: FormerFile, { file, reporter }: Taking): void {
  let rows: readonly Row[];
  try {
    if (isSealed && !breakSeal(path)) throw new Error('it is not what was left');
    rows = rowsOf(path, table);
  } catch (error) {
    setFileAside(path, error, reporter);
    return;
  }
  try {
    file.atOnce(() => {
      for (const row of rows) take(file, row);
    });
    file.wipe();
    removeDatabase(path);
  } catch (error) {
    reporter.warning(`${path} was not moved into ${file.path}: ${String(error)}. The next start tries again`);
  }
}

function rowsOf(path: string, table: string): readonly Row[] {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    const [found] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (found !== 'ok') throw new Error(String(found));
    return db.prepare(`SELECT * FROM ${table}`).all();
  } finally {
    db.close();
  }
}

function takeProgress(file: NodeFile, { hook, position, state: text }: Row): void {
  try {
    const { sum, ...state } = JSON.parse(String(text)) as { readonly sum?: number };
    const written = JSON.stringify(state);
    // The oldest rows have no checksum.
    if (sum === undefined || sum === sumOf([Number(hook), Number(position), written]))
      file.add('hooks', Number(hook), Number(position), written);
  } catch {
    // A hook whose progress is unknown stops until somebody says where it goes on.
  }
}

function removeDatabase(path: string): void {
  for (const suffix of [...ofDatabase, '-sum']) rmSync(path + suffix, { recursive: true, force: true });
}

const textOf = (value: SQLOutputValue | undefined) => (typeof value === 'string' ? value : null);

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Origin, OriginLookUp } from '#domain/kernel/origin.ts';
import type { Reporter } from '#process/reporter.ts';
import { breakSeal } from '#projections/kernel/seal.ts';
import { closeSealed, openRebuildableDatabase } from './rebuildable-file.ts';

export interface OriginJournal extends OriginLookUp {
  readonly note: (origin: Origin) => void;
  close(): void;
}

export interface JournalOptions {
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Days after which an address is forgotten. */
  readonly days: number;
  readonly reporter: Reporter;
}

/** Milliseconds until an address is written to the file: writes do not wait for it. */
const delay = 250;
/** Milliseconds between two removals of old addresses. */
const tidying = 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS origins (
  position INTEGER NOT NULL, correlation TEXT NOT NULL, address TEXT NOT NULL, at INTEGER NOT NULL, via TEXT,
  PRIMARY KEY (position, correlation)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS origins_by_time ON origins (at);
`;

/** Damaged files that were moved aside. They may contain addresses. */
const setAside = /\.damaged-\d/;

const insertion = 'INSERT OR IGNORE INTO origins (position, correlation, address, at, via) VALUES (?, ?, ?, ?, ?)';

/** Opens the journal of a data directory for writing. One that cannot be used is recreated; if that fails, nothing is recorded. */
export function openJournal(options: JournalOptions): OriginJournal {
  const { dataDir, reporter } = options;
  const db = openRebuildableDatabase({
    path: pathIn(dataDir),
    schema,
    check: prepareFile,
    isSealed: true,
    reporter,
  });
  return db === undefined ? deaf : journalIn(db, options);
}

const unknown: OriginLookUp = { originOf: () => null, from: () => [] };
const deaf: OriginJournal = { ...unknown, note: () => undefined, close: () => undefined };

function prepareFile(db: DatabaseSync): void {
  if (!hasVia(db)) db.exec('ALTER TABLE origins ADD COLUMN via TEXT');
  db.prepare(insertion);
}

function journalIn(db: DatabaseSync, { dataDir, clock, days, reporter }: JournalOptions): OriginJournal {
  const insert = db.prepare(insertion);
  const forget = db.prepare('DELETE FROM origins WHERE at < ?');
  let waiting: Origin[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const noted = waiting;
    waiting = [];
    db.exec('BEGIN');
    for (const { position, correlationId, address, via = null } of noted) {
      insert.run(position, correlationId, address, clock(), via);
    }
    db.exec('COMMIT');
  };
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      reporter.fault(error);
    }
  };
  const tidy = () => attempt(() => forget.run(clock() - days * day));
  tidy();
  const tidier = setInterval(tidy, tidying).unref();
  const lookUp = lookUpIn(db);
  const found = <T>(work: () => T, otherwise: T): T => {
    if (waiting.length > 0) attempt(flush);
    try {
      return work();
    } catch (error) {
      reporter.fault(error);
      return otherwise;
    }
  };
  return {
    note(origin) {
      // A request that outlasts the server cannot be recorded.
      if (!db.isOpen) return;
      waiting.push(origin);
      timer ??= setTimeout(() => attempt(flush), delay).unref();
    },
    originOf: (commit) => found(() => lookUp.originOf(commit), null),
    from: (text) => found(() => lookUp.from(text), []),
    close() {
      clearInterval(tidier);
      attempt(flush);
      closeSealed(db, pathIn(dataDir));
    },
  };
}

/**
 * Erases the origins of writes with these correlation ids, so that no byte of them is left in the file, and removes damaged files that were
 * set aside.
 */
export function forgetOrigins(dataDir: string, correlationIds: readonly string[]): void {
  const path = pathIn(dataDir);
  // Which parts of a damaged file to erase is unknown.
  const aside = readdirSync(dataDir).filter((name) => setAside.test(name));
  for (const name of aside) rmSync(join(dataDir, name), { recursive: true, force: true });
  if (correlationIds.length === 0 || !existsSync(path)) return;
  if (!breakSeal(path)) {
    rmSync(path);
    return;
  }
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec('PRAGMA secure_delete = ON');
    db.prepare('DELETE FROM origins WHERE correlation IN (SELECT value FROM json_each(?))').run(
      JSON.stringify(correlationIds),
    );
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** Opens the journal for reading, with or without a running server; without a journal no origin is known. */
export function readJournal(dataDir: string): OriginLookUp & { close(): void } {
  const path = pathIn(dataDir);
  const nothing = { ...unknown, close: () => undefined };
  if (!existsSync(path)) return nothing;
  let db: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    db = opened;
    return { ...lookUpIn(opened), close: () => opened.close() };
  } catch {
    db?.close();
    return nothing;
  }
}

function lookUpIn(db: DatabaseSync): OriginLookUp {
  const via = hasVia(db) ? 'via' : 'NULL';
  const find: StatementSync = db.prepare(
    `SELECT address, ${via} AS via FROM origins WHERE position = ? AND correlation = ?`,
  );
  const from = db.prepare(
    `SELECT position, correlation FROM origins WHERE address = ?1 OR instr(${via}, ?1) > 0
      OR (substr(?1, -1) IN ('.', ':') AND substr(address, 1, length(?1)) = ?1)`,
  );
  return {
    originOf: ({ position, correlationId }) => {
      const found = find.get(position, correlationId) as { address: string; via: string | null } | undefined;
      if (found === undefined) return null;
      return found.via === null ? found.address : `${found.address}, ${found.via}`;
    },
    from: (text) =>
      from.all(text).map((row) => ({ position: Number(row['position']), correlationId: String(row['correlation']) })),
  };
}

function hasVia(db: DatabaseSync): boolean {
  return db
    .prepare('PRAGMA table_info(origins)')
    .all()
    .some(({ name }) => name === 'via');
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'origins.db');
}

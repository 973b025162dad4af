import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LoginCount, LoginCounts } from '#domain/user/logins.ts';
import type { Reporter } from '#process/reporter.ts';
import { openWhenNeeded } from './rebuildable-file.ts';

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS logins (
  day TEXT NOT NULL, user INTEGER NOT NULL, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL,
  PRIMARY KEY (day, user)
) STRICT, WITHOUT ROWID;
`;

/** Days for which counts are kept. */
const kept = 400;
/** Milliseconds until counts are written: guesses come in numbers. */
const delay = 1000;
const dayLength = 24 * 60 * 60 * 1000;
const columns = 'SELECT day, user, succeeded, failed FROM logins ORDER BY day DESC, user';

export interface LoginCountsOptions {
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Reporter;
}

/** Counts log-ins in a file, which is opened on first use. A crash loses the last second. */
export function openLoginCounts({ dataDir, clock, reporter }: LoginCountsOptions): LoginCounts & { close(): void } {
  const db = openWhenNeeded({ path: pathIn(dataDir), schema, isSealed: true, reporter });
  let waiting = new Map<string, [succeeded: number, failed: number]>();
  let timer: NodeJS.Timeout | undefined;
  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      reporter.fault(error);
      return otherwise;
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const counted = waiting;
    waiting = new Map();
    const add = db.get().prepare(
      `INSERT INTO logins VALUES (?, ?, ?, ?) ON CONFLICT (day, user)
        DO UPDATE SET succeeded = succeeded + excluded.succeeded, failed = failed + excluded.failed`,
    );
    for (const [key, [succeeded, failed]] of counted) {
      const [day = '', user = '0'] = key.split(' ');
      add.run(day, Number(user), succeeded, failed);
    }
    db.get()
      .prepare('DELETE FROM logins WHERE day < ?')
      .run(dayAt(clock() - kept * dayLength));
  };
  return {
    note(user, succeeded) {
      const key = `${dayAt(clock())} ${user}`;
      const [good, bad] = waiting.get(key) ?? [0, 0];
      waiting.set(key, succeeded ? [good + 1, bad] : [good, bad + 1]);
      timer ??= setTimeout(() => attempt(flush, undefined), delay).unref();
    },
    all: () =>
      attempt(() => {
        flush();
        return db.get().prepare(columns).all() as unknown as LoginCount[];
      }, []),
    close() {
      attempt(flush, undefined);
      db.close();
    },
  };
}

/** The counts of a data directory, with or without a running server. */
export function readLoginCounts(dataDir: string): readonly LoginCount[] {
  const path = pathIn(dataDir);
  if (!existsSync(path)) return [];
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return db.prepare(columns).all() as unknown as LoginCount[];
  } catch {
    return [];
  } finally {
    db.close();
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'logins.db');
}

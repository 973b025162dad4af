import { join } from 'node:path';
import type { PasswordUse, PasswordUses } from '#domain/user/state.ts';
import type { Reporter } from '#process/reporter.ts';
import type { ChangeNotifier } from '#projections/kernel/changes.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import { openWhenNeeded } from './rebuildable-file.ts';

export interface UsesOptions {
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Days for which addresses are kept; 0 keeps none. */
  readonly addressDays: number;
  readonly known: () => readonly string[];
  readonly reporter: Reporter;
}

export interface UsesFile extends PasswordUses {
  tidy(): void;
  close(): void;
}

const day = 24 * 60 * 60 * 1000;

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS uses (password TEXT PRIMARY KEY, at INTEGER NOT NULL, address TEXT) STRICT, WITHOUT ROWID;
`;

/** Keeps uses of application passwords in a file, which is opened on first use. */
export function openUses({ dataDir, clock, addressDays, known, reporter }: UsesOptions): UsesFile {
  const db = openWhenNeeded({ path: join(dataDir, 'uses.db'), schema, isSealed: true, reporter });
  const noted = new Map<string, number>();
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      reporter.fault(error);
      return otherwise;
    }
  };
  const lookUp = (password: string): PasswordUse | null => {
    const row = db.get().prepare('SELECT at, address FROM uses WHERE password = ?').get(password);
    return row === undefined ? null : { at: Number(row['at']), address: row['address'] as string | null };
  };
  const write = (password: string, address: string | null) =>
    db.get().prepare('INSERT OR REPLACE INTO uses VALUES (?, ?, ?)').run(password, clock(), address);
  return {
    note: (password, address) => {
      const now = clock();
      const last = noted.get(password) ?? attempt(() => lookUp(password)?.at, undefined) ?? Number.NEGATIVE_INFINITY;
      noted.set(password, last);
      if (now - last < day) return;
      noted.set(password, now);
      const from = addressDays === 0 ? null : address();
      attempt(() => void write(password, from), undefined);
    },
    of: (password) => attempt(() => lookUp(password), null),
    tidy: () =>
      attempt(() => {
        const ids = new Set(known());
        for (const id of noted.keys()) if (!ids.has(id)) noted.delete(id);
        const used = db.get().prepare('SELECT password FROM uses').all();
        const remove = db.get().prepare('DELETE FROM uses WHERE password = ?');
        for (const { password } of used) if (!ids.has(String(password))) remove.run(String(password));
        db.get()
          .prepare('UPDATE uses SET address = NULL WHERE at < ?')
          .run(clock() - addressDays * day);
        // Otherwise addresses stay readable in the file.
        db.get().exec('PRAGMA wal_checkpoint(TRUNCATE)');
      }, undefined),
    close: db.close,
  };
}

export interface Watched {
  readonly uses: Pick<UsesFile, 'tidy'>;
  readonly cacheVersions: CacheVersions;
  readonly notifier: ChangeNotifier;
}

/** Removes uses as soon as their accounts are erased, until the returned function is called. */
export function watchAccounts({ uses, cacheVersions, notifier }: Watched): () => void {
  let accounts = -1;
  const look = () => {
    const now = cacheVersions.of('credentials');
    if (now !== accounts) uses.tidy();
    accounts = now;
  };
  look();
  return notifier.listen(look);
}

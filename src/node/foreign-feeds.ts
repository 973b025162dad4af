import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from '#process/reporter.ts';
import { sumOf } from '#projections/kernel/sums.ts';
import type { ForeignFeeds } from '#projections/reading/model.ts';
import { openWhenNeeded } from './rebuildable-file.ts';

export interface FeedsOptions {
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Reporter;
}

export interface FeedsFile extends ForeignFeeds {
  /** Called when a feed is shown that has not been fetched yet. */
  onWanted: () => void;
  /** Addresses of feeds to be fetched now. */
  due(): readonly string[];
  /** Stores the items of a feed, as JSON; null: it could not be had, and what was had before stays. */
  keep(address: string, items: string | null): void;
  close(): void;
}

const minute = 60_000;
const hour = 60 * minute;
/** Milliseconds after which a feed is fetched again, after which one that could not be had is, and after which one that is not shown goes. */
const fresh = 12 * hour;
const missed = 5 * minute;
const forgotten = 7 * 24 * hour;
/** Maximum number of feeds. */
const most = 200;
/** Maximum length of an address, in characters. */
const longest = 2000;

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
-- \`again\`: when it is fetched next. Times in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS feeds (
  address TEXT PRIMARY KEY, items TEXT, fetched INTEGER NOT NULL, again INTEGER NOT NULL, shown INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Feeds of other sites that texts show, in a file that is opened on first use and that all threads share. They can be fetched again. */
export function openForeignFeeds({ dataDir, clock, reporter }: FeedsOptions): FeedsFile {
  const path = join(dataDir, 'feeds.db');
  const file = openWhenNeeded({ path, schema, reporter });
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      reporter.fault(error);
      return otherwise;
    }
  };
  const run = (sql: string, ...values: (string | number | null)[]) =>
    file
      .get()
      .prepare(sql)
      .run(...values);
  const feeds: FeedsFile = {
    onWanted: () => undefined,
    of: (address) =>
      attempt(() => {
        if (address.length > longest) return null;
        const now = clock();
        const row = file.get().prepare('SELECT items, shown, sum FROM feeds WHERE address = ?').get(address);
        if (row === undefined) {
          run('INSERT OR IGNORE INTO feeds VALUES (?, NULL, 0, 0, ?, 0)', address, now);
          run(
            'DELETE FROM feeds WHERE address IN (SELECT address FROM feeds ORDER BY shown DESC LIMIT -1 OFFSET ?)',
            most,
          );
          feeds.onWanted();
        } else if (Math.abs(now - Number(row['shown'])) > hour) {
          run('UPDATE feeds SET shown = ? WHERE address = ?', now, address);
        }
        // Without a sum it has not been fetched.
        if (row === undefined || row['sum'] === 0) return undefined;
        const items = row['items'] as string | null;
        if (row['sum'] === sumOf([address, items])) return items;
        run('DELETE FROM feeds WHERE address = ?', address);
        return undefined;
      }, null),
    due: () =>
      attempt(() => {
        if (!existsSync(path)) return [];
        run('DELETE FROM feeds WHERE shown < ?', clock() - forgotten);
        const rows = file.get().prepare('SELECT address FROM feeds WHERE again <= ? ORDER BY again').all(clock());
        return rows.map(({ address }) => String(address));
      }, []),
    keep: (address, items) =>
      attempt(() => {
        const now = clock();
        const again = now + (items === null ? missed : fresh);
        const had = file.get().prepare('SELECT items FROM feeds WHERE address = ?').get(address);
        const shown = items ?? (had?.['items'] as string | null | undefined) ?? null;
        run(
          'UPDATE feeds SET items = ?, fetched = ?, again = ?, sum = ? WHERE address = ?',
          ...[shown, now, again, sumOf([address, shown]), address],
        );
      }, undefined),
    close: () => file.close(),
  };
  return feeds;
}

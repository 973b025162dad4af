import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Reporter } from '#process/reporter.ts';
import { sumOf } from '#projections/kernel/sums.ts';
import type { ForeignFeeds } from '#projections/reading/model.ts';
import { type NeededDatabase, openWhenNeeded } from './rebuildable-file.ts';

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
const forgotten = 2 * 24 * hour;
/** Maximum number of feeds; further ones are not shown. */
const most = 200;
/** Maximum length of an address, in characters. */
const longest = 2000;

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
-- \`again\`: when it is fetched next. Times in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS feeds (
  address TEXT PRIMARY KEY, items TEXT, again INTEGER NOT NULL, shown INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export function openForeignFeeds(options: FeedsOptions): FeedsFile {
  return new FeedRows(options);
}

/** Feeds of other sites that texts show, in a file that is opened on first use and that all threads share. They can be fetched again. */
class FeedRows implements FeedsFile {
  readonly #path: string;
  readonly #file: NeededDatabase;
  readonly #clock: () => number;
  readonly #reporter: Reporter;
  #db: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  onWanted: () => void = () => undefined;

  constructor({ dataDir, clock, reporter }: FeedsOptions) {
    this.#path = join(dataDir, 'feeds.db');
    this.#file = openWhenNeeded({ path: this.#path, schema, reporter });
    this.#clock = clock;
    this.#reporter = reporter;
  }

  of(address: string): string | null | undefined {
    return address.length > longest ? null : this.#attempt(() => this.#shown(address), null);
  }

  due(): readonly string[] {
    if (!existsSync(this.#path)) return [];
    return this.#attempt(() => {
      this.#run('DELETE FROM feeds WHERE shown < ?', this.#clock() - forgotten);
      const rows = this.#prepare('SELECT address FROM feeds WHERE again <= ? ORDER BY again').all(this.#clock());
      return rows.map(({ address }) => String(address));
    }, []);
  }

  keep(address: string, items: string | null): void {
    this.#attempt(() => {
      const had = this.#prepare('SELECT items FROM feeds WHERE address = ?').get(address)?.['items'];
      const shown = items ?? (typeof had === 'string' ? had : null);
      const again = this.#clock() + (items === null ? missed : fresh);
      this.#run(
        'UPDATE feeds SET items = ?, again = ?, sum = ? WHERE address = ?',
        ...[shown, again, sumOf([address, shown]), address],
      );
    }, undefined);
  }

  close(): void {
    this.#file.close();
  }

  #shown(address: string): string | null | undefined {
    const now = this.#clock();
    const row = this.#prepare('SELECT items, shown, sum FROM feeds WHERE address = ?').get(address);
    if (row === undefined) {
      // What is there is not displaced: a text with many feeds would take those of all others away.
      if (Number(this.#prepare('SELECT count(*) AS count FROM feeds').get()?.['count']) >= most) return null;
      this.#run('INSERT OR IGNORE INTO feeds VALUES (?, NULL, 0, ?, 0)', address, now);
      this.onWanted();
      return undefined;
    }
    if (Math.abs(now - Number(row['shown'])) > hour)
      this.#run('UPDATE feeds SET shown = ? WHERE address = ?', now, address);
    // Without a sum it has not been fetched.
    if (row['sum'] === 0) return undefined;
    const items = row['items'] as string | null;
    if (row['sum'] === sumOf([address, items])) return items;
    this.#run('DELETE FROM feeds WHERE address = ?', address);
    return undefined;
  }

  #prepare(sql: string): StatementSync {
    const db = this.#file.get();
    if (db !== this.#db) this.#statements.clear();
    this.#db = db;
    const known = this.#statements.get(sql) ?? db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#prepare(sql).run(...values);
  }

  #attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      this.#reporter.fault(error);
      return otherwise;
    }
  }
}

import type { Reporter } from '#process/reporter.ts';
import type { ForeignFeeds } from '#projections/reading/model.ts';
import type { NodeFile } from './node-file.ts';

export interface FeedsOptions {
  readonly file: NodeFile;
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

export function openForeignFeeds(options: FeedsOptions): FeedsFile {
  return new FeedRows(options);
}

/** Feeds of other sites that texts show. They can be fetched again. */
class FeedRows implements FeedsFile {
  readonly #file: NodeFile;
  readonly #clock: () => number;
  readonly #reporter: Reporter;
  onWanted: () => void = () => undefined;

  constructor({ file, clock, reporter }: FeedsOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#reporter = reporter;
  }

  of(address: string): string | null | undefined {
    return address.length > longest ? null : this.#attempt(() => this.#shown(address), null);
  }

  due(): readonly string[] {
    return this.#attempt(() => {
      this.#file.remove('feeds', 'WHERE shown < ?', this.#clock() - forgotten);
      const rows = this.#file.rows('feeds', 'WHERE again <= ? ORDER BY again', this.#clock());
      return rows.map(({ address }) => String(address));
    }, []);
  }

  keep(address: string, items: string | null): void {
    this.#attempt(() => {
      const had = this.#feed(address);
      if (had === undefined) return;
      const again = this.#clock() + (items === null ? missed : fresh);
      this.#file.put('feeds', address, items ?? had.items, again, had.shown);
    }, undefined);
  }

  #shown(address: string): string | null | undefined {
    const now = this.#clock();
    const feed = this.#feed(address);
    if (feed === undefined) {
      // What is there is not displaced: a text with many feeds would take those of all others away.
      if (this.#file.rows('feeds').length >= most) return null;
      this.#file.put('feeds', address, null, 0, now);
      this.onWanted();
      return undefined;
    }
    if (Math.abs(now - feed.shown) > hour) this.#file.put('feeds', address, feed.items, feed.again, now);
    return feed.again === 0 ? undefined : feed.items;
  }

  #feed(
    address: string,
  ): { readonly items: string | null; readonly again: number; readonly shown: number } | undefined {
    const [row] = this.#file.rows('feeds', 'WHERE address = ?', address);
    if (row === undefined) return undefined;
    return { items: row['items'] as string | null, again: Number(row['again']), shown: Number(row['shown']) };
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

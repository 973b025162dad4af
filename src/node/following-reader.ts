import type { DatabaseSync } from 'node:sqlite';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import type { Published } from '#projections/kernel/changes.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { Past } from '#projections/past/past.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { loadCheckpoint, openReader } from '#projections/projector/database.ts';
import { Live } from '#projections/reading/live.ts';
import type { ForeignFeeds } from '#projections/reading/model.ts';
import { Reader } from '#projections/reading/reader.ts';

export interface FollowingReaderOptions {
  readonly logPath: string;
  /** Path of the projections. */
  readonly path: string;
  readonly names: InterfaceNames;
  readonly network: string | null;
  readonly feeds?: ForeignFeeds | undefined;
}

/**
 * A reader with connections and indexes of its own, in another thread than the writer. It follows what the writer publishes, and reads
 * from one snapshot at a time: rows and indexes always belong to the same position.
 */
export class FollowingReader {
  readonly reader: Reader;
  readonly log: EventStore;
  readonly past: Past;
  readonly cacheVersions = new CacheVersions();
  readonly #db: DatabaseSync;
  readonly #live: Live;
  readonly #published: Published[] = [];

  /** Opens the files of a node that is open in this process. */
  constructor({ logPath, path, names, network, feeds }: FollowingReaderOptions) {
    this.#db = openReader(path);
    this.#db.exec('BEGIN');
    const { position } = loadCheckpoint(this.#db);
    this.#live = new Live(this.#db, { follows: true });
    this.log = openSqliteStore({ path: logPath, readOnly: true, follows: true, mapped: false });
    const find = (query: CollectionQuery) => this.#live.find(query);
    this.reader = new Reader({ db: this.#db, log: this.log, find, names, network, feeds });
    this.reader.position = position;
    this.past = new Past({ log: this.log, path, now: this.reader, live: this.#live });
    this.#db.exec('COMMIT');
  }

  publish(published: Published): void {
    this.#published.push(published);
  }

  /**
   * Begins to read from a snapshot. False if what has changed up to it has not been published yet, or if the file lacks what has been:
   * the writer shows commits that it cannot write to the projections.
   */
  begin(): boolean {
    this.#db.exec('BEGIN');
    const { position } = loadCheckpoint(this.#db);
    while ((this.#published[0]?.position ?? Number.POSITIVE_INFINITY) <= position) this.#apply(this.#published.shift());
    if (this.reader.position === position && this.#published.length === 0) return true;
    this.end();
    return false;
  }

  /** Ends reading from the snapshot: held longer, it would keep the write-ahead log from being emptied. */
  end(): void {
    this.#db.exec('COMMIT');
  }

  /** Indexes changed texts for a few milliseconds, unless the writer has saved an index of them. Returns false when there is nothing to do. */
  work(): boolean {
    // An answer that waits holds the snapshot.
    if (this.#db.isTransaction) return true;
    if (!this.begin()) return false;
    try {
      this.#live.adoptSaved();
      return this.#live.work();
    } finally {
      this.end();
    }
  }

  #apply(published: Published | undefined): void {
    // Loaded with the indexes.
    if (published === undefined || published.position <= this.reader.position) return;
    const { changes, position } = published;
    const losing = this.#live.affectedByDeletion(changes);
    this.#live.apply(changes);
    this.cacheVersions.note(changes, position, losing);
    this.reader.forget(changes);
    this.reader.position = position;
  }
}

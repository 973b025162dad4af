import type { ChainedStore } from './chain.ts';
import { createFeed } from './feed.ts';
import { newSalt } from './hash.ts';
import { type FileOptions, openLogFile } from './log-file.ts';
import type { Head, ReadQuery, StoredEvent } from './port.ts';
import { lastPositionAt } from './position-at.ts';
import { rangeOf } from './range.ts';
import { stage } from './stage.ts';
import { prepareLog } from './statements.ts';

export interface SqliteOptions extends FileOptions {
  /** Where salts for sealed texts come from, 32 hex digits each. Default: random. */
  readonly salt?: () => string;
}

/**
 * Opens the event log in a SQLite file, which is made when it is missing. One process at a time may append: see
 * `lockDirectory`. Throws `LogDamaged` when the file is no event log or its end does not hold; it is not touched then.
 */
export function openSqliteStore(options: SqliteOptions): ChainedStore {
  const { salt = newSalt } = options;
  const db = openLogFile(options);
  const log = prepareLog(db);
  const feed = createFeed(read);
  let head: Head = log.head();

  function read(query: ReadQuery = {}): Iterable<StoredEvent> {
    const top = query.stream === undefined ? head.position : log.streamHead(query.stream);
    const range = rangeOf(query, top);
    return { [Symbol.iterator]: () => log.events(range) };
  }

  return {
    read,
    streamHead: log.streamHead,
    head: () => head,
    async append(commits, expectedPosition) {
      // Staged within the transaction, because lookups there cost a third of what they cost outside.
      const staged = log.transaction(() => {
        const outcome = stage(commits, expectedPosition, { ...log, head, salt });
        if (!('conflict' in outcome)) outcome.events.forEach(log.insert);
        return outcome;
      });
      if ('conflict' in staged) return staged;
      if (staged.events.length === 0) return staged.head;
      head = staged.head;
      feed.wake();
      return head;
    },
    positionAt: (at) => lastPositionAt(at, head.position, log.timeAt),
    subscribe: feed.subscribe,
    chain: (from = 1) => log.chain(rangeOf({ from }, head.position)),
    close() {
      feed.close();
      if (db.isOpen) db.close();
    },
  };
}

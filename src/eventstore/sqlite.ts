import type { ChainedStore } from './chain.ts';
import { createDisk } from './disk.ts';
import { emptyForGood } from './emptying.ts';
import { createFeed } from './feed.ts';
import { newSalt } from './hash.ts';
import { inTurn } from './in-turn.ts';
import { type FileOptions, openLogFile } from './log-file.ts';
import { type Commit, type Conflict, type Head, OutcomeUnknown, type ReadQuery, type StoredEvent } from './port.ts';
import { lastPositionAt } from './position-at.ts';
import { rangeOf } from './range.ts';
import { type Staged, stage } from './stage.ts';
import { prepareLog } from './statements.ts';

export interface SqliteOptions extends FileOptions {
  /** Where salts for sealed texts come from, 32 hex digits each. Default: random. */
  readonly salt?: () => string;
}

/** A log in a file that takes over what was committed elsewhere. */
export interface LogCopy extends Omit<ChainedStore, 'append'> {
  /** What an append would write on top of the copy as it is. Nothing is written. */
  stage(commits: readonly Commit[], expectedPosition: number): Staged | Conflict;
  /** Takes over events as they are: whole commits, the first right behind the head. They are on the disk then. */
  take(staged: Staged): void;
}

/**
 * Opens the event log in a SQLite file, which is made when it is missing. One process at a time may append: see
 * `lockDirectory`. Throws `LogDamaged` when the file is no event log or its end does not hold; it is not touched then.
 */
export function openSqliteStore(options: SqliteOptions): ChainedStore {
  const { keep, copy } = open(options);
  return {
    ...copy,
    async append(commits, expectedPosition) {
      // Staged within the transaction, because lookups there cost a third of what they cost outside.
      const staged = keep(() => copy.stage(commits, expectedPosition));
      return 'conflict' in staged ? staged : staged.head;
    },
  };
}

/**
 * The same for a server, which has other things to do while the disk is busy: SQLite leaves the write-ahead log to the
 * system, and an append is answered when all of that is on the disk. Events are read before that only by their stream.
 * Throws `OutcomeUnknown` when the disk does not say so.
 */
export function openServingStore(options: SqliteOptions, disk = createDisk(`${options.path}-wal`)): ChainedStore {
  const { copy, write, show, db } = open(options);
  db.exec('PRAGMA synchronous = NORMAL');
  return {
    ...copy,
    append: inTurn(async (commits, expectedPosition) => {
      const staged = write(() => copy.stage(commits, expectedPosition));
      if ('conflict' in staged) return staged;
      try {
        if (staged.events.length > 0) await disk.sync();
      } catch (error) {
        throw new OutcomeUnknown('The event log: the disk does not say that it has the append', { cause: error });
      } finally {
        show(staged);
      }
      return staged.head;
    }),
    close() {
      disk.close();
      copy.close();
    },
  };
}

/** Opens the same file as the copy of a log that others write to as well. */
export function openLogCopy(options: SqliteOptions): LogCopy {
  return open(options).copy;
}

function open(options: SqliteOptions) {
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

  function write(make: () => Staged | Conflict): Staged | Conflict {
    return log.transaction(() => {
      const outcome = make();
      if (!('conflict' in outcome)) outcome.events.forEach(log.insert);
      return outcome;
    });
  }

  function keep(make: () => Staged | Conflict): Staged | Conflict {
    const staged = write(make);
    if (!('conflict' in staged)) show(staged);
    return staged;
  }

  function show(staged: Staged): void {
    if (staged.events.length === 0) return;
    head = staged.head;
    feed.wake();
  }

  const copy: LogCopy = {
    read,
    streamHead: log.streamHead,
    head: () => head,
    stage: (commits, expectedPosition) => stage(commits, expectedPosition, { ...log, head, salt }),
    take: (staged) => {
      keep(() => staged);
    },
    positionAt: (at) => lastPositionAt(at, head.position, log.timeAt),
    subscribe: feed.subscribe,
    erase: (positions) => emptyForGood(positions, { db, log }),
    chain: (from = 1) => log.chain(rangeOf({ from }, head.position)),
    close() {
      feed.close();
      if (db.isOpen) db.close();
    },
  };
  return { keep, copy, write, show, db };
}

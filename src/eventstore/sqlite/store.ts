import { rmSync } from 'node:fs';
import { type ChainedStore, newSalt } from '../chain.ts';
import { watchFile } from '../disk.ts';
import { asLogFault } from '../faults.ts';
import { createFeed } from '../feed.ts';
import { headPathOf, openHeadFile } from '../head-file.ts';
import { createTurns } from '../in-turn.ts';
import {
  type Commit,
  type Conflict,
  type Head,
  LogUnavailable,
  OutcomeUnknown,
  type ReadQuery,
  type StoredEvent,
} from '../port.ts';
import { lastPositionAt } from '../position-at.ts';
import { rangeOfRead } from '../range.ts';
import { type Staged, sealLong, stage } from '../stage.ts';
import { disksOf, WriteAhead } from '../write-ahead.ts';
import { emptyForGood } from './emptying.ts';
import { type FileOptions, openLogFile } from './log-file.ts';
import { LAYOUT } from './schema.ts';
import { prepareLog } from './statements.ts';

export interface SqliteOptions extends FileOptions {
  /** Source of salts for sealed texts, 32 hex digits each. Default: random. */
  readonly salt?: () => string;
  /** With `readOnly`: reads on to wherever another connection of this process has written. Default: to the end at the time of opening. */
  readonly follows?: boolean;
  /** Called when the file that records the head cannot be written; nothing else is affected. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface ServingOptions extends SqliteOptions {
  /** Bytes of write-ahead log before a checkpoint copies it into the file. Default: 8 MiB. */
  readonly walBytes?: number | undefined;
  /** Default: those of the file and of its write-ahead log. */
  readonly disks?: ReturnType<typeof disksOf>;
}

/** Milliseconds without a commit after which a checkpoint is made. */
const idleTime = 1000;

export interface LogCopy extends Omit<ChainedStore, 'append'> {
  /** Returns what an append would write on top of the copy as it is. Nothing is written. */
  stage(commits: readonly Commit[], expectedPosition: number): Staged | Conflict;
  /**
   * Adds events unchanged: whole commits that follow the head without a gap; existing ones are skipped. `make` is called with the head
   * in the transaction that adds them, where lookups cost a third of what they cost outside. They are synced by the next checkpoint, a
   * second after the last of them at the latest or within 8 MiB: a power cut may take the newest ones back.
   */
  take(make: (head: Head) => Staged): Promise<void>;
}

/**
 * Opens the event log in a SQLite file, which is created if missing. Only one process at a time may append: see `lockDirectory`. Throws
 * `LogDamaged` when the file is not an event log or its end is invalid; it is not changed then.
 *
 * The SQLite of Node needs nothing to install, and was the fastest of those measured that survive a power cut: what a commit costs is its
 * sync, which the appends that wait share. A server commits without a sync and lets the thread pool of the system sync the write-ahead log
 * before it answers, which is what `synchronous=FULL` does, only beside the requests.
 *
 * Why, and what was rejected: `docs/adr/0002-node-sqlite-with-group-commit.md`, `docs/adr/0017-disk-off-the-main-thread.md`.
 */
export function openSqliteStore(options: SqliteOptions): ChainedStore {
  const { log, write, show, headFile } = open(options);
  return {
    ...log,
    async append(commits, expectedPosition) {
      // Staged within the transaction, where lookups cost a third of what they cost outside.
      const staged = write(() => log.stage(commits, expectedPosition));
      if ('conflict' in staged) return staged;
      headFile?.note(staged.head);
      show(staged);
      return staged.head;
    },
  };
}

/**
 * `openSqliteStore` for a server, whose thread must not wait for the disk: SQLite leaves syncing the write-ahead log to this program, and
 * an append resolves when the sync is done. Before that, events can be read only by their stream. Throws `OutcomeUnknown` when the sync
 * fails.
 */
export function openServingStore(options: ServingOptions): ChainedStore {
  const { log, keep } = openServing(options);
  return {
    ...log,
    async append(commits, expectedPosition) {
      await sealLong(commits, options.salt ?? newSalt);
      const staged = await keep(() => log.stage(commits, expectedPosition));
      return 'conflict' in staged ? staged : staged.head;
    },
  };
}

/**
 * Opens the file as a copy of a log that others write to as well. Events lost from the file can be fetched again: a recorded head is
 * ignored.
 */
export function openLogCopy(options: ServingOptions): LogCopy {
  rmSync(headPathOf(options.path), { force: true });
  const { log, put, inSnapshot } = openServing(options);
  return {
    ...log,
    stage: (commits, expectedPosition) => inSnapshot(() => log.stage(commits, expectedPosition)),
    async take(make) {
      await put(() => {
        const before = log.head();
        const { events, head } = make(before);
        return { events: events.filter(({ position }) => position > before.position), head };
      });
    },
  };
}

function openServing(options: ServingOptions) {
  const opened = open(options);
  const file = new ServingFile(options, opened);
  const { log, inSnapshot } = opened;
  return {
    keep: (make: () => Staged | Conflict) => file.keep(make),
    put: (make: () => Staged) => file.put(make),
    inSnapshot,
    log: {
      ...log,
      checkPlace: () => file.checkPlace(),
      probe: () => file.probe(),
      erase: (positions: readonly number[]) => file.erase(positions),
      close: () => file.close(),
    },
  };
}

/** The file of a log, synced without making the thread wait. */
class ServingFile {
  readonly #opened: ReturnType<typeof open>;
  readonly #check: () => void;
  readonly #disks: ReturnType<typeof disksOf>;
  readonly #writeAhead: WriteAhead;
  readonly #inTurn = createTurns();
  readonly #erasures = createTurns();
  readonly #idle: NodeJS.Timeout;
  #closed = false;

  constructor({ path, walBytes, disks = disksOf(path) }: ServingOptions, opened: ReturnType<typeof open>) {
    this.#opened = opened;
    this.#disks = disks;
    this.#check = watchFile(path);
    const { db } = opened;
    db.exec('PRAGMA synchronous = NORMAL');
    this.#writeAhead = new WriteAhead({ db, path, disks, enough: walBytes, isSynced: true });
    const settled = () => this.#inTurn(() => this.#settle()).catch(() => undefined);
    this.#idle = setTimeout(settled, idleTime).unref();
  }

  keep(make: () => Staged | Conflict): Promise<Staged | Conflict> {
    const { write, show, headFile } = this.#opened;
    return this.#inTurn(async () => {
      await this.#makeRoom();
      const staged = write(make);
      if ('conflict' in staged || staged.events.length === 0) return staged;
      await this.#sync()
        .then(() => headFile?.note(staged.head))
        .finally(() => show(staged));
      this.#idle.refresh();
      return staged;
    });
  }

  put(make: () => Staged): Promise<void> {
    const { write, show } = this.#opened;
    return this.#inTurn(async () => {
      await this.#makeRoom();
      show(write(make));
      this.#idle.refresh();
    });
  }

  checkPlace(): void {
    try {
      this.#check();
      this.#disks.wal.check();
    } catch (error) {
      throw new LogUnavailable('The event log: its file is not where it was', { cause: error });
    }
  }

  probe(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#makeRoom();
      try {
        // Rewriting the same value commits a page like any other commit.
        this.#opened.db.exec(`PRAGMA user_version = ${LAYOUT}`);
      } catch (error) {
        throw asLogFault(error, 0);
      }
      await this.#sync();
    });
  }

  erase(positions: readonly number[]): Promise<void> {
    return this.#erasures(async () => {
      // Erasing checkpoints the write-ahead log itself.
      await this.#inTurn(async () => {
        await this.#makeRoom();
        this.#writeAhead.stop();
      });
      await this.#opened.log.erase(positions).finally(() => this.#writeAhead.start());
    });
  }

  close(): void {
    const { db, log } = this.#opened;
    this.#closed = true;
    clearTimeout(this.#idle);
    if (db.isOpen) this.#writeAhead.stop();
    log.close();
    this.#disks.close();
  }

  /** Empties the write-ahead log soon after the last commit; a failure is retried by the next commit. */
  async #settle(): Promise<void> {
    if (this.#closed) return;
    await this.#writeAhead.settle();
    this.#opened.headFile?.settle();
  }

  async #sync(): Promise<void> {
    try {
      await this.#disks.wal.sync();
      this.#check();
    } catch (error) {
      // The system may report a failed write only once: nothing is acknowledged before a checkpoint has copied it.
      this.#writeAhead.distrust();
      throw new OutcomeUnknown('The event log: the disk does not say that it has the append', { cause: error });
    }
  }

  async #makeRoom(): Promise<void> {
    this.checkPlace();
    try {
      await this.#writeAhead.makeRoom();
    } catch (error) {
      throw new LogUnavailable('The event log: the disk does not take it', { cause: error });
    }
  }
}

function open(options: SqliteOptions) {
  const { salt = newSalt } = options;
  const db = openLogFile(options);
  const table = prepareLog(db);
  const feed = createFeed(read);
  let head: Head = table.head();
  const { path, readOnly = false, follows = false, onFault = () => undefined } = options;
  const headFile = readOnly ? null : openHeadFile(path, head, onFault);

  function headNow(): Head {
    if (follows) head = table.head();
    return head;
  }

  function read(query: ReadQuery = {}): Iterable<StoredEvent> {
    const top = query.stream === undefined ? headNow().position : table.streamHead(query.stream);
    const range = rangeOfRead(query, top);
    return { [Symbol.iterator]: () => table.events(range) };
  }

  function write<T extends Staged | Conflict>(make: () => T): T {
    return table.transaction(() => {
      const outcome = make();
      if (!('conflict' in outcome)) outcome.events.forEach(table.insert);
      return outcome;
    });
  }

  function show(staged: Staged): void {
    if (staged.events.length === 0) return;
    head = staged.head;
    feed.wake();
  }

  const log: Omit<LogCopy, 'take'> = {
    read,
    streamHead: table.streamHead,
    head: headNow,
    stage: (commits, expectedPosition) => stage(commits, expectedPosition, { ...table, head, salt }),
    positionAt: (at) => lastPositionAt(at, headNow().position, table.timeAt),
    subscribe: feed.subscribe,
    erase: (positions) => emptyForGood(positions, { db, log: table }),
    chain: (from = 1) => table.chain(rangeOfRead({ from }, head.position)),
    close() {
      feed.close();
      if (!db.isOpen) return;
      db.close();
      headFile?.settle();
      headFile?.close();
    },
  };
  return { log, write, show, headFile, db, inSnapshot: table.inSnapshot };
}

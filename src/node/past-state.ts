import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { type EventStore, LogInUse, LogUnavailable } from '#eventstore/port.ts';
import { logUntil } from '#eventstore/until.ts';
import { OrdSet } from '#projections/collection/ord-set.ts';
import { Tables } from '#projections/kernel/projection.ts';
import { standAt } from '#projections/kernel/versions.ts';
import { Past } from '#projections/past/past.ts';
import { PastReader } from '#projections/past/reader.ts';
import { openPastReader, openReader } from '#projections/projector/database.ts';
import { Live } from '#projections/reading/live.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { logPathOf } from './parts/log.ts';
import { projectionsPathOf } from './projections.ts';
import { catchUpNow, reachedByTables } from './rebuild/child-process.ts';

/** The whole site as of a position, without what is later. */
export interface PastState {
  readonly reader: Reader;
  readonly log: EventStore;
  readonly past: Past;
  /** Does a few milliseconds of work that later searches would need. Returns false when none is left. */
  work(): boolean;
  close(): void;
}

export interface PastStateOptions {
  readonly config: Config;
  readonly log: EventStore;
  readonly position: number;
  /** Script of a child process that calls `runAsChild`. */
  readonly script: URL;
  readonly signal: AbortSignal;
  readonly onProgress: (position: number) => void;
}

/** Entries that are loaded at once: a view has no order, so that each step sorts all of them. */
const step = 100_000;
/** Milliseconds between two looks at projections that a server is writing, and how many. */
const pause = 50;
const looks = 100;

/** Opens the site as of a position. Where no server keeps the projections up to it, they are brought there first, in a child process. */
export async function openPastState(options: PastStateOptions): Promise<PastState> {
  const path = projectionsPathOf(options.config);
  await reach(path, options);
  const { position } = options;
  const log = logUntil(options.log, position);
  using scope = new DisposableStack();
  const open = <T extends { close(): void }>(opened: T): T => scope.adopt(opened, (one) => one.close());
  const db = open(openPastReader(path, log));
  standAt(db, position);
  const later = open(openReader(path));
  const live = open(new Live(db, { later: true, borrowed: { db: later, position }, step }));
  const none = new OrdSet();
  const finder: ConstructorParameters<typeof PastReader>[0]['finder'] = {
    find: (query) => live.find(query),
    published: (term) => live.published(term, none),
  };
  const reader = new PastReader({ position, db, tables: new Tables(db), log, now: null, finder });
  const past = open(new Past({ log, path, now: reader, live }));
  const opened = scope.move();
  return { reader, log, past, work: () => live.work(), close: () => opened.dispose() };
}

async function reach(path: string, { config, position, script, signal, onProgress }: PastStateOptions): Promise<void> {
  for (let left = looks; (reachedByTables(path) ?? -1) < position; left -= 1) {
    try {
      const unlock = lockDirectory(config.dataDir);
      try {
        return await catchUpNow({ logPath: logPathOf(config), path, script, signal, onProgress });
      } finally {
        unlock();
      }
    } catch (error) {
      if (!(error instanceof LogInUse)) throw error;
    }
    if (left === 0) throw new LogUnavailable(`the projections of the running server do not reach position ${position}`);
    await sleep(pause, undefined, { signal });
  }
}

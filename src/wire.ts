import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { prepareSite } from '#commands/first-start.ts';
import { startScheduler } from '#commands/scheduler.ts';
import { Session, type WriteContext } from '#commands/session.ts';
import { Writer, type Written } from '#commands/writer.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Site } from '#domain/site/state.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { type AsOf, positionOf } from '#projections/as-of.ts';
import { checkBelonging } from '#projections/belonging.ts';
import { catchUp } from '#projections/catchup.ts';
import { openProjections, openReader } from '#projections/database.ts';
import { Live } from '#projections/live.ts';
import type { Model } from '#projections/model.ts';
import { PastModel } from '#projections/past.ts';
import { Projector } from '#projections/projector.ts';
import { Reader } from '#projections/reader.ts';
import { Stamps } from '#projections/stamps.ts';
import type { Config } from './config.ts';

/** Everything behind the HTTP layer and the verbs: log, projections, writer. This file alone knows all parts. */
export interface Node {
  readonly log: EventStore;
  readonly store: Store;
  /** Starts what runs by itself: scheduled entries, idle work. */
  start(onError: (error: unknown) => void): void;
  /** Finishes what was submitted and lets everything go. */
  close(): Promise<void>;
}

export interface Store {
  readonly reader: Reader;
  readonly stamps: Stamps;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** The site as it stood at a position or time. */
  at(asOf: string): Model | Refusal;
}

export interface OpenOptions {
  readonly clock?: () => number;
  /** Called while the projections catch up with a log that is far ahead of them. */
  readonly onProgress?: (position: number, head: number) => void;
}

/**
 * Opens a data directory and brings its projections up to date. Throws `LogInUse` when another process holds it,
 * `LogDamaged` when the log is not what was written.
 */
export async function openNode(config: Config, { clock = Date.now, onProgress }: OpenOptions = {}): Promise<Node> {
  const unlock = lockDirectory(config.dataDir);
  try {
    return await open(config, { clock, unlock, ...(onProgress ? { onProgress } : {}) });
  } catch (error) {
    unlock();
    throw error;
  }
}

type Opening = Required<Pick<OpenOptions, 'clock'>> & Pick<OpenOptions, 'onProgress'> & { readonly unlock: () => void };

async function open(config: Config, { clock, unlock, onProgress }: Opening): Promise<Node> {
  const log = openSqliteStore({ path: join(config.dataDir, 'log.db') });
  const path = join(config.dataDir, 'projections.db');
  const db = openProjections(path);
  const projector = new Projector(db);
  checkBelonging(log, projector.checkpoint);
  catchUp({ log, db, projector, ...(onProgress ? { onProgress } : {}) });

  const readerDb = openReader(path);
  const live = new Live(readerDb);
  if (live.unindexed > indexAtOnce) {
    live.indexAll();
    live.save(db, projector.checkpoint.position);
  }
  const stamps = new Stamps();
  const reader = new Reader(readerDb, (query) => live.find(query));
  reader.position = projector.checkpoint.position;
  const session = new Session(db, projector, (query) => live.find(query));
  const writer = new Writer({
    log,
    db,
    projector,
    session,
    clock,
    newId: randomUUID,
    onCommitted(changes, position) {
      live.apply(changes);
      stamps.note(changes, position);
      reader.forget(changes);
      reader.position = position;
    },
  });
  await writer.submit({ viewer: null, correlationId: 'start' }, (session) => prepareSite(session, siteOf(config)));

  const stops: (() => void)[] = [];
  return {
    log,
    store: {
      reader,
      stamps,
      submit: (context, work) => writer.submit(context, work),
      at(asOf) {
        const found: AsOf | Refusal = positionOf(asOf, { log, zone: reader.site().timezone });
        return isRefusal(found) ? found : new PastModel(found.position, log, reader);
      },
    },
    start(onError) {
      stops.push(startScheduler({ entries: reader.entries, writer, clock, onError }), startIdleWork(live, onError));
    },
    async close() {
      for (const stop of stops) stop();
      await writer.idle();
      live.save(db, projector.checkpoint.position);
      readerDb.close();
      db.close();
      log.close();
      unlock();
    },
  };
}

/** From this many entries on the search index is made before the first request, not between requests. */
const indexAtOnce = 20_000;

/** Does small pieces of work between requests, and looks now and then for new ones. */
function startIdleWork(live: Live, onError: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout;
  const step = (): void => {
    let more = false;
    try {
      more = live.work();
    } catch (error) {
      onError(error);
    }
    timer = setTimeout(step, more ? 5 : 250).unref();
  };
  timer = setTimeout(step, 50).unref();
  return () => clearTimeout(timer);
}

function siteOf(config: Config): Site {
  return {
    url: config.siteUrl,
    name: config.siteName,
    description: config.siteDescription,
    timezone: config.siteTimezone,
    defaultCategory: 1,
    templates: [...config.pageTemplates],
  };
}

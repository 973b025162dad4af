import { randomUUID } from 'node:crypto';
import { AnswerAges } from '#commands/answer-ages.ts';
import { reactions } from '#commands/reactions/all.ts';
import { Session } from '#commands/session.ts';
import { type WriteMeter, Writer } from '#commands/writer.ts';
import type { Tracing } from '#domain/kernel/tracing.ts';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import type { EventStore } from '#eventstore/port.ts';
import { disksOf, WriteAhead } from '#eventstore/write-ahead.ts';
import { type TrailTable, trail } from '#projections/audit/trail.ts';
import { recentRowsOf } from '#projections/entries/recent-rows.ts';
import type { ChangeNotifier } from '#projections/kernel/change-notifier.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { isDamage, ProjectionsDamaged } from '#projections/kernel/damage.ts';
import { Tables } from '#projections/kernel/projection.ts';
import { type FarPast, Past } from '#projections/past/past.ts';
import { checkBelonging } from '#projections/projector/belonging.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { checkCounters } from '#projections/projector/counters.ts';
import { openProjections, openReader, removeProjections } from '#projections/projector/database.ts';
import { healthOf, type ProjectionsHealth } from '#projections/projector/health.ts';
import { Projector } from '#projections/projector/projector.ts';
import { scanRows } from '#projections/projector/scan.ts';
import { projectionsVersion } from '#projections/projector/schema.ts';
import { Live } from '#projections/reading/live.ts';
import type { Model } from '#projections/reading/model.ts';
import { Reader } from '#projections/reading/reader.ts';
import { site } from '#projections/site/definition.ts';
import { type MakeView, Views } from '#projections/views/views.ts';
import { openExpendable } from './expendable.ts';
import { createIdleRendering } from './idle-rendering.ts';
import { indexTexts, lacksIndex } from './index-texts.ts';
import type { Integrity } from './integrity.ts';

/** Everything that depends on one projections file, which can be deleted and rebuilt from the log. */
export interface Core {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly past: Past;
  /** The actor of each event. It may lack the newest events until `followed` resolves. */
  readonly trail: TrailTable;
  /** Waits until following projections contain what the reader shows; returns undefined when they do. */
  followed(): Promise<void> | undefined;
  health(): ProjectionsHealth;
  /** Whether `work` had better wait: writes arrive, and nobody reads. */
  readonly canWait: boolean;
  /** Does a few milliseconds of deferrable work. Returns false when none is left. */
  work(): boolean;
  /** Checkpoints the write-ahead log, so that closing the file is quick. Nothing may be written meanwhile. */
  settle(): Promise<void>;
  /** Closes the file; `save`: saves what the next start would otherwise recompute. */
  close(how: { save: boolean }): void;
}

/** Makes the ready answers for the states of a model. */
export type ViewMaker = (model: Model) => MakeView;

export interface CoreOptions {
  readonly log: EventStore;
  readonly path: string;
  /** Directory of the ready answers, and what makes them; absent: there are none. */
  readonly views?: { readonly path: string; readonly viewMaker: ViewMaker } | undefined;
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames | undefined;
  /** Address of a network that delivers media while the cache cloud is on. Default: none. */
  readonly network?: string | null;
  readonly cacheVersions: CacheVersions;
  readonly notifier: ChangeNotifier;
  readonly clock: () => number;
  /** The same, for commits; see `WriterParts`. */
  readonly time?: () => number;
  readonly clockTolerance?: number;
  /** Default: empty. */
  readonly answerAges?: AnswerAges;
  readonly onProgress: (position: number, head: number) => void;
  readonly far: FarPast | null;
  /** Entries that may differ before a position counts as far back; see `Past`. */
  readonly near?: number | undefined;
  /** Milliseconds between saves of a long replay; see `catchUp`. */
  readonly keepEvery?: number | undefined;
  /** Maximum size of one commit, in bytes. */
  readonly commitBytes: number;
  /** Called with failures that no request waits for. */
  readonly onFault?: (error: unknown) => void;
  readonly onWarning?: (message: string) => void;
  /** Called when a write was refused because the projections it was decided on contradict the log. */
  readonly onDamage?: (error: Error) => void;
  readonly integrity?: Integrity;
  /** As `WriterParts.isWatched`. */
  readonly isWatched?: () => boolean;
  readonly meter?: WriteMeter | undefined;
  readonly tracing?: Tracing | undefined;
  /** Reader and indexes to keep when switching to another file that contains at least as much: references to the reader stay valid. */
  readonly kept?: { readonly reader?: Reader; readonly live: Live } | undefined;
}

/** Opens the projections and catches them up; damaged ones are rebuilt. */
export function openCore(options: CoreOptions): Core {
  try {
    return open(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    options.onWarning?.(`the projections are damaged and are made again from the log: ${(error as Error).message}`);
    removeProjections(options.path);
    return open({ ...options, kept: undefined });
  }
}

/** Changes after which the search index is saved, which bounds the work of a start after a crash. */
const saveAfter = 5000;

/** One piece of deferrable work: milliseconds for the search index, number of ready answers. Beside writes, the next write may wait for it. */
const betweenWrites = { budget: 8, views: 32 };
const besideWrites = { budget: 2, views: 4 };

/** Texts that the search index may lack while writes arrive and nobody reads. A search examines them one by one. */
const unindexedAtMost = 1000;

/** Bytes of write-ahead log before a checkpoint. A single client's create adds some 90 kB; less than one in a hundred should wait for one. */
const walBytes = 16 * 1024 * 1024;

/** Milliseconds from the end of one scan of all rows to the beginning of the next. */
const scanPause = 24 * 60 * 60 * 1000;

function repeatedly(begin: () => Iterator<void>, clock: () => number): () => void {
  let steps: Iterator<void> | null = null;
  let next = 0;
  return () => {
    if (steps === null && clock() < next) return;
    const going = steps ?? begin();
    // After a fault, the scan starts over.
    steps = null;
    next = clock() + scanPause;
    if (!going.next().done) steps = going;
  };
}

function open(options: CoreOptions): Core {
  const { integrity } = options;
  const {
    log,
    path,
    views: answers,
    cacheVersions,
    notifier,
    clock,
    onProgress,
    far,
    near,
    commitBytes,
    isWatched,
    meter,
    tracing,
    kept,
    names = defaultNames,
    network = null,
  } = options;
  const { time = clock, clockTolerance = 60_000, answerAges = new AnswerAges(clock) } = options;
  const { onFault = () => undefined, onDamage = () => undefined, onWarning = () => undefined } = options;
  const opened: { close(): void }[] = [];
  const keep = <T extends { close(): void }>(connection: T): T => {
    opened.push(connection);
    return connection;
  };
  const closeAll = () => {
    for (const connection of opened.reverse()) connection.close();
  };
  try {
    const disks = keep(disksOf(path));
    const db = keep(openProjections(path));
    const projector = new Projector(db);
    checkBelonging(log, projector.checkpoint);
    if (projector.checkpoint.position > 0) checkCounters(log, db, projector.checkpoint);
    const missed = catchUp({ log, db, projector, keepEvery: options.keepEvery, onProgress });

    const readerDb = keep(openReader(path));
    const live = kept?.live ?? new Live(readerDb);
    if (live.nextOrd > projector.checkpoint.nextOrd) throw new ProjectionsDamaged('two items would share their place');
    if (kept !== undefined) {
      live.moveTo(readerDb);
      live.apply(missed);
    }
    const saveSearch = () => {
      try {
        live.save(db, projector.checkpoint.position);
      } catch (error) {
        onWarning(`the search index cannot be written down: ${(error as Error).message}`);
      }
    };
    if (lacksIndex(live)) {
      for (const _ of indexTexts({ live, db, position: projector.checkpoint.position, onWarning }));
    }
    let shownDb = readerDb;
    let tables = new Tables(readerDb);
    const find = (query: CollectionQuery) => live.find(query);
    const parts = { db: readerDb, log, find, names, network };
    const reader = kept?.reader ?? new Reader(parts);
    if (kept?.reader !== undefined) reader.moveTo(parts);
    // Every start needs these: damage in one of them leads to a rebuild before anything is served.
    reader.of(site).get();
    reader.users();
    reader.position = projector.checkpoint.position;
    let answersDamaged = false;
    const openViews = ({ path: directory, viewMaker }: NonNullable<CoreOptions['views']>) =>
      new Views({
        directory,
        reader: readerDb,
        make: viewMaker(reader),
        version: JSON.stringify([projectionsVersion, names]),
        at: projector.checkpoint,
        onDamage: (message) => {
          answersDamaged = true;
          integrity?.noteAnswer(message);
        },
        hashAt: (position) => [...log.read({ from: position, to: position })][0]?.hash ?? null,
      });
    const views =
      answers === undefined
        ? undefined
        : openExpendable({ path: answers.path, open: () => openViews(answers), isForeign: isDamage, onWarning });
    if (views !== undefined) keep({ close: () => views.close({ save: false }) });
    const closeViews = (save: boolean) => {
      try {
        views?.close({ save });
      } catch (error) {
        onWarning(`the ready answers cannot be written down: ${(error as Error).message}`);
        views?.close({ save: false });
      }
    };
    reader.ready = views;
    live.ready = views;
    const rendering = createIdleRendering(db, onFault);
    const renderInIdleTime = () => !db.isTransaction && !writeAhead.busy && rendering.work();
    const scan = repeatedly(() => scanRows(readerDb, (id) => views?.check(id)), clock);
    const writeAhead = new WriteAhead({ db, path, disks, enough: walBytes });
    const fresh = recentRowsOf(readerDb);
    recentRowsOf(db).share(fresh);
    // Otherwise the rollback data of attempts would go to a file for any save of more than a few pages.
    db.exec('PRAGMA temp_store = MEMORY');
    const session = new Session({ db, log, find, names, network, projector, reactions, answerAges });
    const writer = new Writer({
      log,
      db,
      projector,
      session,
      writeAhead,
      clock,
      time,
      clockTolerance,
      newId: randomUUID,
      commitBytes,
      onFault,
      onDamage,
      ...(isWatched === undefined ? {} : { isWatched }),
      meter,
      tracing,
      onHeld(held) {
        shownDb = held ? db : readerDb;
        fresh.clear();
        reader.moveTo({ db: shownDb, log, find, names, network });
        live.moveTo(shownDb);
        tables = new Tables(shownDb);
      },
      onCommitted(changes, position) {
        fresh.follow(recentRowsOf(db), changes);
        fresh.isKept = true;
        const losing = live.affectedByDeletion(changes);
        views?.note(changes, projector.checkpoint, losing);
        live.apply(changes);
        cacheVersions.note(changes, position, losing);
        reader.forget(changes);
        reader.position = position;
        notifier.notify();
      },
    });
    reader.followed = () => writer.followUp.wait();
    return {
      reader,
      writer,
      past: new Past({ log, now: reader, live, far, near }),
      get trail() {
        return tables.of(trail);
      },
      followed: () => writer.followUp.wait(),
      health: () => healthOf(shownDb, live),
      get canWait() {
        return writer.isActive && isWatched?.() === false && live.unindexed < unindexedAtMost;
      },
      work() {
        try {
          // Ready answers are made from the committed rows.
          writer.followUp.catchUp();
          const { budget, views: max } = writer.isActive ? besideWrites : betweenWrites;
          if (live.work(budget) || (!writer.held && (renderInIdleTime() || (!rendering.isWaiting && views?.work(max)))))
            return true;
          fresh.clear();
          fresh.isKept = false;
          if (answersDamaged && !writer.held) {
            integrity?.mended();
            answersDamaged = false;
          }
          if (db.isTransaction || writeAhead.busy) return false;
          if (live.saveSome(db, { after: saveAfter, position: () => projector.checkpoint.position })) return true;
          // Scans a small piece per call, only when there is no other work.
          scan();
        } catch (error) {
          if (!(error instanceof ProjectionsDamaged)) throw error;
          onDamage(error);
        }
        return false;
      },
      async settle() {
        writer.followUp.catchUp();
        await writeAhead.checkpoint();
      },
      close({ save }) {
        if (!db.isOpen) return;
        try {
          writer.close();
          live.stopSaving();
          if (save) writer.followUp.catchUp();
          if (db.isTransaction) db.exec('ROLLBACK');
          else if (save) saveSearch();
          closeViews(save);
          writeAhead.stop();
        } finally {
          closeAll();
        }
      },
    };
  } catch (error) {
    closeAll();
    throw error;
  }
}

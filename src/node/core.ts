import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { AnswerAges } from '#commands/answer-ages.ts';
import { reactions } from '#commands/reactions/all.ts';
import { Session } from '#commands/session.ts';
import { Writer } from '#commands/writer.ts';
import { overwriteRemains, type RemainsOptions } from '#eventstore/sqlite/remains.ts';
import { WriteAhead } from '#eventstore/write-ahead.ts';
import { type SetterTable, setters } from '#projections/audit/setters.ts';
import { type TrailTable, trail } from '#projections/audit/trail.ts';
import type { Changes } from '#projections/kernel/changes.ts';
import { type Erased, Tables } from '#projections/kernel/projection.ts';
import { isDamage, ProjectionsDamaged } from '#projections/kernel/sums.ts';
import { Past } from '#projections/past/past.ts';
import { loadCheckpoint, removeProjections } from '#projections/projector/database.ts';
import { forgetTexts } from '#projections/projector/forgetting.ts';
import { type ProjectionsHealth, projectionsHealth, scanRows } from '#projections/projector/health.ts';
import type { Live } from '#projections/reading/live.ts';
import { Reader } from '#projections/reading/reader.ts';
import { site } from '#projections/site/definition.ts';
import type { CoreOptions } from './core-options.ts';
import { openProjectionFiles, type ProjectionFiles } from './projection-files.ts';
import { createIdleRendering, ReadyAnswers } from './ready-answers.ts';

interface Repetition {
  /** Milliseconds. */
  readonly clock: () => number;
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly pause: number;
}

/** Opens the projections and catches them up; damaged ones are rebuilt. */
export function openCore(options: CoreOptions): Core {
  try {
    return Core.open(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    options.reporter.warning(
      `the projections are damaged and are made again from the log: ${(error as Error).message}`,
    );
    removeProjections(options.path);
    return Core.open({ ...options, kept: undefined });
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

/** Everything that depends on one projections file, which can be deleted and rebuilt from the log. */
export class Core {
  readonly reader: Reader;
  readonly writer: Writer;
  past: Past;
  readonly #options: CoreOptions;
  readonly #files: ProjectionFiles;
  readonly #live: Live;
  readonly #session: Session;
  readonly #answers: ReadyAnswers | undefined;
  readonly #writeAhead: WriteAhead;
  readonly #renderSome: () => boolean;
  readonly #scan: () => void;
  #scope = new DisposableStack();
  /** What readers see: the committed rows, or, while a commit of the projections is put off, those of the writer. */
  #shown: DatabaseSync;
  #tables: Tables;

  static open(options: CoreOptions): Core {
    using scope = new DisposableStack();
    const core = new Core(options, scope);
    core.#scope = scope.move();
    return core;
  }

  private constructor(options: CoreOptions, scope: DisposableStack) {
    this.#options = options;
    const { path, clock, kept } = options;
    this.#files = openProjectionFiles(options, scope);
    const { db, shown, live, projector, disks } = this.#files;
    this.#live = live;
    this.#shown = shown;
    this.#tables = new Tables(shown);
    this.reader = kept?.reader ?? new Reader(this.#readerParts());
    if (kept?.reader !== undefined) this.reader.moveTo(this.#readerParts());
    // Every start needs these: damage in one of them leads to a rebuild before anything is served.
    this.reader.of(site).get();
    this.reader.users();
    this.reader.position = projector.checkpoint.position;
    this.#answers = ReadyAnswers.open(this.#files, { ...options, reader: this.reader }, scope);
    this.reader.ready = this.#answers?.views;
    live.ready = this.#answers?.views;
    this.#renderSome = createIdleRendering(db);
    this.#scan = repeatedly(() => scanRows(shown, (id) => this.#answers?.views.check(id)), { clock, pause: scanPause });
    this.#writeAhead = new WriteAhead({ db, path, disks, enough: walBytes });
    // Otherwise the rollback data of attempts would go to a file for any save of more than a few pages.
    db.exec('PRAGMA temp_store = MEMORY');
    this.#session = this.#createSession();
    this.#session.earlier = (position) => this.past.at(position);
    this.#session.finder = () => this.past.ahead(this.#session);
    this.writer = this.#createWriter();
    this.reader.followed = () => this.followed();
    this.past = this.#createPast();
  }

  /** The actor of each event. It may lack the newest events until `followed` resolves. */
  get trail(): TrailTable {
    return this.#tables.of(trail);
  }

  /** Where the fields of items were set. The same holds for it. */
  get setters(): SetterTable {
    return this.#tables.of(setters);
  }

  /** Waits until following projections contain what the reader shows; returns undefined when they do. */
  followed(): Promise<void> | undefined {
    return this.writer.followUp.wait();
  }

  health(): ProjectionsHealth {
    return projectionsHealth(this.#shown, this.#live);
  }

  /** Whether `work` had better wait: writes arrive, and nobody reads. */
  get canWait(): boolean {
    return this.writer.isActive && this.#options.isWatched?.() === false && this.#live.unindexed < unindexedAtMost;
  }

  /** Loads the indexes for lists and searches, a few milliseconds at a time. What needs them meanwhile loads what is left. */
  async load(): Promise<void> {
    const { db } = this.#files;
    try {
      while (db.isOpen && this.#live.loadSome()) await turn();
    } catch (error) {
      if (!(error instanceof ProjectionsDamaged)) throw error;
      this.#options.onDamage?.(error);
    }
  }

  /** Does a few milliseconds of deferrable work. Returns false when none is left. */
  work(): boolean {
    try {
      return this.#workOnce();
    } catch (error) {
      if (!(error instanceof ProjectionsDamaged)) throw error;
      this.#options.onDamage?.(error);
      return false;
    }
  }

  /** Checkpoints the write-ahead log, so that closing the file is quick. Nothing may be written meanwhile. */
  async settle(): Promise<void> {
    this.#live.loadAll();
    this.writer.followUp.catchUp();
    await this.#writeAhead.checkpoint();
  }

  /**
   * Gives everything in the projections that was made from erased texts the values of a replay. Returns false, with nothing changed, if
   * only a rebuild can. No write may be under way.
   */
  async forgetRows(erased: Erased): Promise<boolean> {
    const { db, projector } = this.#files;
    this.#live.loadAll();
    this.writer.followUp.catchUp();
    if (this.writer.held || this.writer.followUp.isBehind || this.#writeAhead.busy) return false;
    db.exec('BEGIN IMMEDIATE');
    try {
      const forgetting = forgetTexts(db, erased);
      let done = forgetting.next();
      // Commits of other nodes do not wait, and would end the transaction.
      for (; !done.done; done = forgetting.next()) if (this.#options.log.isShared !== true) await turn();
      db.exec(done.value ? 'COMMIT' : 'ROLLBACK');
      if (!done.value) return false;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    if (erased.events.some(({ meta }) => meta.stream.startsWith('entry-'))) this.#live.forgetDead(db);
    projector.rewind(loadCheckpoint(db));
    this.#session.forgetAll();
    this.#show(this.#files.shown);
    this.past.close();
    this.past = this.#createPast();
    return true;
  }

  /** Leaves no bytes of what was deleted or replaced in the files. See `overwriteRemains`. */
  async overwriteRemains(how: Pick<RemainsOptions, 'gone' | 'alone' | 'onProgress'>): Promise<boolean> {
    const { db, disks } = this.#files;
    await this.#answers?.views.forgetDead();
    return overwriteRemains({
      ...how,
      db,
      path: this.#options.path,
      disk: disks.file,
      writeAhead: this.#writeAhead,
    });
  }

  /** Closes the file; `save`: saves what the next start would otherwise recompute. */
  close({ save }: { readonly save: boolean }): void {
    const { db } = this.#files;
    if (!db.isOpen) return;
    using _ = this.#scope;
    this.writer.close();
    this.past.close();
    this.#live.stopSaving();
    if (save) this.writer.followUp.catchUp();
    if (db.isTransaction) db.exec('ROLLBACK');
    else if (save) this.#saveIndexes();
    this.#answers?.close(save);
    this.#writeAhead.stop();
  }

  #createPast(): Past {
    const { log, path } = this.#options;
    return new Past({ log, path, now: this.reader, live: this.#live });
  }

  #createSession(): Session {
    const { clock, answerAges = new AnswerAges(clock) } = this.#options;
    const { db, projector } = this.#files;
    return new Session({ ...this.#readerParts(), db, projector, reactions, answerAges });
  }

  #createWriter(): Writer {
    const { log, clock, time = clock, meter, tracing, clockTolerance = 60_000, commitBytes, reporter } = this.#options;
    const { onDamage = () => undefined, isWatched } = this.#options;
    const { db, projector } = this.#files;
    return new Writer({
      log,
      db,
      projector,
      session: this.#session,
      writeAhead: this.#writeAhead,
      clock,
      time,
      clockTolerance,
      newId: randomUUID,
      commitBytes,
      onFault: reporter.fault,
      onDamage,
      ...(isWatched === undefined ? {} : { isWatched }),
      meter,
      tracing,
      onHeld: (held) => {
        this.#show(held ? db : this.#files.shown);
        // A reader thread that started meanwhile has not seen what was held.
        if (!held) this.#options.notifier.notify();
      },
      onCommitted: (changes, position) => this.#publish(changes, position),
    });
  }

  /**
   * Lets readers see a commit: ready answers, indexes, cached answers, rows in memory. The reader's position moves last, so that nobody
   * takes an answer for newer than what it was made from; then those who wait are told.
   */
  #publish(changes: Changes, position: number): void {
    const losing = this.#live.affectedByDeletion(changes);
    this.#answers?.views.note(changes, this.#files.projector.checkpoint, losing);
    this.#live.apply(changes);
    this.#options.cacheVersions.note(changes, position, losing);
    this.reader.forget(changes);
    this.reader.position = position;
    this.#options.notifier.notify({ changes, position });
  }

  #show(db: DatabaseSync): void {
    this.#shown = db;
    this.reader.moveTo(this.#readerParts());
    this.#live.moveTo(db);
    this.#tables = new Tables(db);
  }

  #readerParts(): ConstructorParameters<typeof Reader>[0] {
    const { log, names, network, feeds } = this.#options;
    return { db: this.#shown, log, find: (query) => this.#live.find(query), names, network, feeds };
  }

  /** Whether idle work may change the file. */
  get #canWrite(): boolean {
    return !this.#files.db.isTransaction && !this.#writeAhead.busy;
  }

  #workOnce(): boolean {
    const { db, projector } = this.#files;
    // Ready answers are made from the committed rows.
    this.writer.followUp.catchUp();
    // First, because the rest does not end while many write, and what is not saved is in memory.
    if (this.#canWrite && this.#live.saveSome(db, { after: saveAfter, position: () => projector.checkpoint.position }))
      return true;
    const { budget, views } = this.writer.isActive ? besideWrites : betweenWrites;
    if (this.#live.work(budget) || (!this.writer.held && this.#renderOrMakeAnswers(views))) return true;
    if (!this.writer.held) this.#answers?.noteMended();
    if (!this.#canWrite) return false;
    // Scans a small piece per call, only when there is no other work.
    this.#scan();
    return false;
  }

  #renderOrMakeAnswers(max: number): boolean {
    if (this.#canWrite && this.#renderSome()) return true;
    return this.#answers?.views.work(max) === true;
  }

  #saveIndexes(): void {
    const { db, projector } = this.#files;
    try {
      this.#live.save(db, projector.checkpoint.position);
      if (this.reader.position === projector.checkpoint.position) this.#live.saveLists(db);
    } catch (error) {
      this.#options.reporter.warning(`the indexes cannot be saved: ${(error as Error).message}`);
    }
  }
}

/** Returns a function that does one step of a long task, which starts over after a pause. After a fault it starts over as well. */
function repeatedly(begin: () => Iterator<void>, { clock, pause }: Repetition): () => void {
  let steps: Iterator<void> | null = null;
  let next = 0;
  return () => {
    if (steps === null && clock() < next) return;
    const going = steps ?? begin();
    steps = null;
    next = clock() + pause;
    if (!going.next().done) steps = going;
  };
}

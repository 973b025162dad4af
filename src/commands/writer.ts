import type { DatabaseSync } from 'node:sqlite';
import { type Commit, type EventStore, isConflict, LogUnavailable, type NewEvent } from '#eventstore/port.ts';
import { catchUp } from '#projections/catchup.ts';
import { type Changes, noChanges, type Projector } from '#projections/projector.ts';
import type { Session, WriteContext } from './session.ts';

export interface WriterParts {
  readonly log: EventStore;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly session: Session;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Bytes that one commit may take. */
  readonly commitBytes: number;
  /** Called when commits are in the log and the read model shows them. */
  readonly onCommitted: (changes: Changes, position: number) => void;
  readonly meter?: WriteMeter | undefined;
}

/** What the writer tells of its work, for those who measure it. */
export interface WriteMeter {
  /** A group was committed: pieces of work, and their events. */
  group(works: number, events: number): void;
  /** A group has to be decided again because another node was faster. */
  conflict(): void;
}

/** What a piece of work answered, and the position at which it is in the log. */
export interface Written<T> {
  readonly value: T;
  readonly position: number;
}

interface Job {
  readonly context: WriteContext;
  readonly work: (session: Session) => unknown;
  readonly resolve: (written: Written<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface Done {
  /** Answers the job, when the position is known up to which the log has it. */
  readonly settle: (position: number) => void;
  readonly commit: Commit | null;
  readonly changes: Changes;
}

/** Most work that shares one append; bounds how long the first of a group waits for the last. */
const groupSize = 64;
/** After so many milliseconds of deciding a group is closed: nothing is read meanwhile. */
const groupTime = 5;
/** How often a group is decided again because another node was faster. */
const retries = 20;

/**
 * The one writer of a process. Work that arrives while an append is under way waits and shares the next one
 * (group commit): all of it is decided one after the other and made durable by a single append.
 */
export class Writer {
  readonly #parts: WriterParts;
  #queue: Job[] = [];
  #running: Promise<void> | null = null;
  #behind = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /**
   * Runs work in a session and commits what it staged. A fault it throws rejects, as does `CommitTooLarge`; nothing is
   * staged then.
   */
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>> {
    return new Promise<Written<T>>((resolve, reject) => {
      this.#queue.push({ context, work, resolve: resolve as (written: Written<unknown>) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Something that was submitted has not been answered. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Resolves when everything that was submitted has been answered. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #drain(): Promise<void> {
    // Let the requests that arrived together be read first, so that they share a group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, groupSize);
      try {
        const left = group.slice(await this.#commit(group));
        this.#queue.unshift(...left);
      } catch (error) {
        for (const job of group) job.reject(error);
      }
      // Reads have their turn between two groups.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#running = null;
  }

  /** Answers how many of the group were decided; the rest is left for the next. */
  async #commit(group: readonly Job[]): Promise<number> {
    for (let attempt = 0; attempt < retries; attempt++) {
      if (this.#behind) this.#catchUp();
      const decided = await this.#try(group);
      if (decided > 0) return decided;
      this.#catchUp();
    }
    throw new LogUnavailable('other nodes were faster too often');
  }

  /** 0: somebody else was faster, nothing has happened. */
  async #try(group: readonly Job[]): Promise<number> {
    const { log, db, projector, meter } = this.#parts;
    const before = { ...projector.checkpoint };
    const head = log.head();
    if (head.position !== before.position) return 0;
    db.exec('BEGIN IMMEDIATE');
    let appended: Awaited<ReturnType<EventStore['append']>>;
    let done: Done[];
    try {
      const now = new Date(this.#parts.clock()).toISOString();
      done = this.#decide(group, head.at !== null && head.at > now ? head.at : now);
      const commits = done.flatMap(({ commit }) => commit ?? []);
      appended = commits.length === 0 ? head : await log.append(commits, before.position);
    } catch (error) {
      this.#rollback(before);
      throw error;
    }
    if (isConflict(appended)) {
      this.#rollback(before);
      meter?.conflict();
      return 0;
    }
    this.#publish(appended.hash);
    meter?.group(done.length, appended.position - before.position);
    this.#answer(done, before.position);
    return done.length;
  }

  // The log has it: from here on the commit stands, whatever becomes of the projections.
  #publish(hash: string): void {
    const { db, projector } = this.#parts;
    try {
      projector.checkpoint.hash = hash;
      projector.saveCheckpoint();
      db.exec('COMMIT');
    } catch (error) {
      this.#behind = true;
      if (db.isTransaction) db.exec('ROLLBACK');
      throw new LogUnavailable('the read model cannot be written', { cause: error });
    }
  }

  #decide(group: readonly Job[], at: string): Done[] {
    const { clock } = this.#parts;
    const until = clock() + groupTime;
    const done: Done[] = [];
    for (const job of group) {
      done.push(this.#decideOne(job, at));
      if (clock() >= until) break;
    }
    return done;
  }

  // A fault is kept until the group is through: if it must be decided again, this work must be, too.
  #decideOne(job: Job, at: string): Done {
    const { session, commitBytes } = this.#parts;
    session.begin(job.context, { at, room: commitBytes });
    try {
      const done = session.attempt(() => ({ result: job.work(session) }));
      const value = 'result' in done ? done.result : done;
      const { events, changes } = session.end();
      return {
        settle: (position) => job.resolve({ value, position }),
        commit: this.#commitOf(job, events, at),
        changes,
      };
    } catch (error) {
      return { settle: () => job.reject(error), commit: null, changes: noChanges() };
    }
  }

  #commitOf({ context: { viewer, correlationId } }: Job, events: readonly NewEvent[], at: string): Commit | null {
    if (events.length === 0) return null;
    const actor = viewer === null ? null : viewer.id;
    return { id: this.#parts.newId(), at, actor, correlationId, causationId: null, events };
  }

  #answer(done: readonly Done[], from: number): void {
    let position = from;
    for (const { settle, commit, changes } of done) {
      position += commit?.events.length ?? 0;
      if (commit !== null) this.#parts.onCommitted(changes, position);
      settle(position);
    }
  }

  #rollback(checkpoint: Projector['checkpoint']): void {
    const { db, projector, session } = this.#parts;
    if (db.isTransaction) db.exec('ROLLBACK');
    projector.rewind(checkpoint);
    session.forget({ ...session.end().changes, site: true });
  }

  #catchUp(): void {
    const { log, db, projector, session, onCommitted } = this.#parts;
    projector.rewind(projector.checkpoint);
    const changes = catchUp({ log, db, projector });
    session.forget({ ...changes, site: true });
    this.#behind = false;
    onCommitted(changes, projector.checkpoint.position);
  }
}

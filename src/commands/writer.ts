import type { DatabaseSync } from 'node:sqlite';
import { type Commit, type EventStore, isConflict, LogUnavailable } from '#eventstore/port.ts';
import { catchUp } from '#projections/catchup.ts';
import type { Changes, Projector } from '#projections/projector.ts';
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
  readonly job: Job;
  readonly value: unknown;
  readonly commit: Commit | null;
  readonly changes: Changes;
}

/** Most work that shares one append; bounds how long the first of a group waits for the last. */
const groupSize = 64;
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
        await this.#commit(group);
      } catch (error) {
        for (const job of group) job.reject(error);
      }
    }
    this.#running = null;
    if (this.#queue.length > 0) this.#running = this.#drain();
  }

  async #commit(group: readonly Job[]): Promise<void> {
    for (let attempt = 0; attempt < retries; attempt++) {
      if (this.#behind) this.#catchUp();
      if (await this.#try(group)) return;
      this.#catchUp();
    }
    throw new LogUnavailable('other nodes were faster too often');
  }

  async #try(group: readonly Job[]): Promise<boolean> {
    const { log, db, projector } = this.#parts;
    const before = { ...projector.checkpoint };
    const head = log.head();
    if (head.position !== before.position) return false;
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
      return false;
    }
    this.#publish(appended.hash);
    this.#answer(done, before.position);
    return true;
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
    const done: Done[] = [];
    for (const job of group) {
      try {
        done.push(this.#decideOne(job, at));
      } catch (error) {
        job.reject(error);
      }
    }
    return done;
  }

  #decideOne(job: Job, at: string): Done {
    const { session, newId, commitBytes } = this.#parts;
    session.begin(job.context, { at, room: commitBytes });
    const value = session.attempt(() => ({ result: job.work(session) }));
    const { events, changes } = session.end();
    const result = 'result' in value ? value.result : value;
    if (events.length === 0) return { job, value: result, commit: null, changes };
    const { viewer, correlationId } = job.context;
    const actor = viewer === null ? null : viewer.id;
    return {
      job,
      value: result,
      commit: { id: newId(), at, actor, correlationId, causationId: null, events },
      changes,
    };
  }

  #answer(done: readonly Done[], from: number): void {
    let position = from;
    for (const { job, value, commit, changes } of done) {
      position += commit?.events.length ?? 0;
      if (commit !== null) this.#parts.onCommitted(changes, position);
      job.resolve({ value, position });
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

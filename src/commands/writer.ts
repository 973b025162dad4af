import { setImmediate as turn } from 'node:timers/promises';
import { UnknownEvent } from '#domain/kernel/codec.ts';
import {
  AppendTooLarge,
  type Commit,
  type Conflict,
  type Head,
  isConflict,
  LogUnavailable,
  OutOfSequence,
} from '#eventstore/port.ts';
import { finishedInTurns, pauseForReads } from '#process/pauses.ts';
import type { Changes } from '#projections/kernel/changes.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import type { Projector } from '#projections/projector/projector.ts';
import { Coalescer } from './coalescer.ts';
import { plainSize } from './commit-size.ts';
import { FollowUp } from './follow-up.ts';
import { type Done, decideOne, type Job, timesOf } from './jobs.ts';
import type { Session, Times, WriteContext } from './session.ts';
import { UncommittedProjections } from './uncommitted-projections.ts';
import type { WriterParts, Written } from './writer-types.ts';

export type { WriteMeter, WriterParts, Written } from './writer-types.ts';

/** Maximum number of jobs that share one append; bounds how long the first of a group waits for the last. */
const groupSize = 64;
/** The least that a group is kept open, in milliseconds. */
const groupTime = 5;
/** A group is closed after this multiple of the duration of the last append, so that an append's share in each write is small. */
const groupShare = 4;
/** The longest that a group is kept open, in milliseconds. */
const longestGroup = 100;
/** How often a group may be decided again because another node appended first. */
const retries = 200;
/** Milliseconds without a commit of any node after which no further one is expected soon. */
const lull = 100;
/** Events of other nodes that are applied before reads get a turn. */
const step = 500;

/**
 * The single writer of a process. Jobs that arrive during an append wait and share the next one (group commit): decided one after the other,
 * made durable by one append, shown to nobody before. Then the projections are committed; what fails in between is repaired by catching up.
 * When another node was faster, the group is rolled back, catches up and is decided again. Why: `docs/adr/0002-node-sqlite-with-group-commit.md`,
 * `docs/adr/0042-nodes-append-in-turn.md`.
 */
export class Writer {
  readonly #parts: WriterParts;
  readonly #unsaved: UncommittedProjections;
  readonly followUp: FollowUp;
  #queue: Job[] = [];
  #running: Promise<void> | null = null;
  #behind = false;
  #others = false;
  readonly #gathering = new Coalescer(() => this.followNow());
  #lost = 0;
  #appendTime = 0;
  #owed = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#unsaved = new UncommittedProjections({ ...parts, onChange: parts.onHeld });
    const hold = () => {
      this.#behind = !this.#unsaved.hold();
      return this.held;
    };
    this.followUp = new FollowUp({ ...parts, hold, isIdle: () => !this.busy });
  }

  /** Position of the last commit that is acknowledged, or about to be. Reads may be behind it when projections cannot be written. */
  get owed(): number {
    return this.#owed;
  }

  get held(): boolean {
    return this.#unsaved.held;
  }

  /**
   * Runs work in a session and commits what it stages. Rejects with a fault that the work throws, and with `CommitTooLarge`; nothing is
   * staged then.
   */
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>> {
    return new Promise<Written<T>>((resolve, reject) => {
      this.#queue.push({ context, work, resolve: resolve as (written: Written<unknown>) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Called when the log has commits of other nodes. Applying several together is cheaper. */
  follow(): void {
    if (this.#parts.isWatched?.() === false) this.#gathering.begin();
    else this.followNow();
  }

  followNow(): void {
    this.#gathering.end();
    this.#others = true;
    this.#running ??= this.#drain();
  }

  /** Applies collected commits at once, because a reader needs them. */
  hurry(): void {
    this.#gathering.hurry();
  }

  close(): void {
    this.#gathering.end();
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  get isActive(): boolean {
    return this.busy || this.#gathering.isActive || performance.now() - this.#endedAt < lull;
  }

  /** Resolves when all submitted work has been answered. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #drain(): Promise<void> {
    // Let requests that arrived together be read first, so that they share a group.
    await turn();
    while (this.#queue.length > 0 || this.#others) {
      const wait = this.#others ? undefined : this.#parts.log.turn?.();
      // Done now, it does not delay the turn.
      if (wait !== undefined) this.followUp.catchUp();
      if (this.#others) await this.#carryOver();
      else await (wait === undefined ? this.#next() : this.#gathering.during(wait));
      // Reads get a turn between two groups.
      await turn();
      this.followUp.afterGroup();
    }
    this.#parts.session.rest();
    this.#running = null;
    this.#endedAt = performance.now();
    this.followUp.end();
  }

  async #next(): Promise<void> {
    const max = Math.min(this.#queue.length, groupSize);
    const group = this.#queue.splice(0, Math.max(1, max >> Math.min(this.#lost, 6)));
    try {
      const decided = await this.#commit(group);
      this.#lost = decided === 0 ? this.#lost + 1 : 0;
      this.#queue.unshift(...group.slice(decided));
    } catch (error) {
      this.#lost = 0;
      for (const job of group) job.reject(error);
      // The outcome of the append is unknown. If the log has the commits after all, they are applied.
      this.#others ||= this.#parts.log.head().position > this.#parts.projector.checkpoint.position;
    }
  }

  async #carryOver(): Promise<void> {
    this.#others = false;
    try {
      await this.#catchUp();
    } catch (error) {
      this.#behind = true;
      this.#parts.onFault(error);
    }
  }

  /** Returns how many jobs of the group, from the first, were decided; 0 when another node appended first. */
  async #commit(group: readonly Job[]): Promise<number> {
    const { log, projector } = this.#parts;
    const isBehind = () => this.#behind || log.head().position !== projector.checkpoint.position;
    if (isBehind() || this.held) await this.#catchUp();
    const decided = await this.#try(group).catch((error: unknown) => {
      // Each of them may still fit alone.
      if (error instanceof AppendTooLarge && group.length > 1) return 0;
      throw error;
    });
    if (decided > 0) return decided;
    if (this.#lost >= retries) throw new LogUnavailable('other nodes were faster too often');
    await this.#catchUp();
    return 0;
  }

  /** Returns 0 when another node appended first; nothing has changed then. */
  async #try(group: readonly Job[]): Promise<number> {
    const { log, db, projector, meter } = this.#parts;
    await this.#makeRoom();
    const [before, head] = [{ ...projector.checkpoint }, log.head()];
    if (head.position !== before.position) return 0;
    // Readers should not wait for the network.
    if (log.isShared === true) this.followUp.catchUp();
    db.exec('BEGIN IMMEDIATE');
    let appended: Head | Conflict;
    let done: Done[];
    try {
      done = await this.#decide(group, timesOf(head, this.#parts));
      // Reads get a turn between deciding, appending and publishing, each of which takes a while.
      await turn();
      const began = performance.now();
      appended = await this.#append(
        done.flatMap(({ commit }) => commit ?? []),
        head,
      );
      this.#trace('append', group.slice(0, done.length), began);
    } catch (error) {
      this.#rollback(before);
      if (!(error instanceof OutOfSequence)) throw error;
      this.#parts.onDamage(error);
      throw new LogUnavailable('the read model is damaged', { cause: error });
    }
    if (isConflict(appended)) {
      this.#rollback(before);
      meter?.conflict();
      return 0;
    }
    await turn();
    const began = performance.now();
    const answers = this.#publish(appended.hash, done, before.position);
    this.#trace('project', group.slice(0, done.length), began);
    meter?.group(done.length, appended.position - before.position);
    for (const answer of answers) await pauseForReads().then(answer);
    return done.length;
  }

  async #append(commits: readonly Commit[], head: Head): Promise<Head | Conflict> {
    const { log, clock } = this.#parts;
    // Decisions must be based on the whole log, even when there is nothing to append.
    if (commits.length === 0 && log.isShared !== true) return head;
    const began = clock();
    const appended = await log.append(commits, head.position);
    this.#appendTime = clock() - began;
    return appended;
  }

  async #makeRoom(): Promise<void> {
    await this.#parts.writeAhead.makeRoom().catch((error: unknown) => {
      throw new LogUnavailable('the read model cannot be written', { cause: error });
    });
  }

  /** Shows readers all commits of the group at once, and returns the answers to its jobs. */
  #publish(hash: string, done: readonly Done[], from: number): readonly (() => void)[] {
    const isShown = this.#commitRows(hash, done);
    this.#owed = from;
    return done.map(({ settle, commit, changes }) => {
      const position = this.#owed + (commit?.events.length ?? 0);
      if (commit !== null && isShown) this.#show(changes, position);
      this.#owed = position;
      return () => settle(position);
    });
  }

  #commitRows(hash: string, done: readonly Done[]): boolean {
    const { db, projector, session, onFault } = this.#parts;
    try {
      projector.checkpoint.hash = hash;
      projector.saveCheckpoint();
      db.exec('COMMIT');
      this.followUp.note(done);
      this.followUp.show(projector.checkpoint.position);
      return true;
    } catch (error) {
      onFault(new LogUnavailable('the read model cannot be written', { cause: error }));
      this.#behind = !this.#unsaved.hold();
      session.forgetAll();
      if (this.held) this.followUp.show(projector.checkpoint.position);
      return this.held;
    }
  }

  async #decide(group: readonly Job[], times: Times): Promise<Done[]> {
    const { clock, log, commitBytes } = this.#parts;
    const { bytes = Number.POSITIVE_INFINITY, sizeOf = plainSize } = log.budget ?? {};
    const until = clock() + Math.min(longestGroup, Math.max(groupTime, groupShare * this.#appendTime));
    const done: Done[] = [];
    let left = bytes;
    for (const job of group) {
      // Commits of other nodes during a pause make this group a conflict, whatever it reads of them.
      await pauseForReads();
      const began = performance.now();
      const bounds = { ...times, room: Math.min(commitBytes, left), sizeOf, isFirst: done.length === 0 };
      const one = await finishedInTurns(decideOne(job, bounds, this.#parts));
      this.#trace('decide', [job], began);
      // It becomes the first of the next group, which may have room for it.
      if (one.tooLarge && left < bytes) break;
      done.push(one);
      left -= one.bytes;
      if (clock() >= until) break;
    }
    return done;
  }

  #trace(part: string, jobs: readonly Job[], began: number): void {
    const about = { 'palimpsest.writes': jobs.length };
    for (const { context } of jobs) this.#parts.tracing?.note(part, context.correlationId, began, about);
  }

  #show(changes: Changes, position: number): void {
    try {
      this.#parts.onCommitted(changes, position);
    } catch (error) {
      this.#parts.onFault(error);
      this.#parts.onDamage(error as Error);
    }
  }

  #rollback(checkpoint: Projector['checkpoint']): void {
    const { db, projector, session } = this.#parts;
    if (db.isTransaction) db.exec('ROLLBACK');
    projector.rewind(checkpoint);
    session.forgetAll();
  }

  async #catchUp(): Promise<void> {
    const { log, db, projector, session, onCommitted } = this.#parts;
    this.#gathering.end();
    // Held commits were applied without recording what changed.
    if (this.held) session.forgetAll();
    this.#unsaved.save();
    for (let more = true; more; ) {
      await this.#makeRoom();
      projector.rewind(projector.checkpoint);
      // A node that follows would render texts that its clients may never request.
      const render = log.isShared !== true;
      const changes = this.#readOn(() => catchUp({ log, db, projector, max: step, render }));
      session.forget(changes);
      this.#behind = false;
      this.followUp.show(projector.checkpoint.position);
      onCommitted(changes, projector.checkpoint.position);
      more = projector.checkpoint.position < log.head().position;
      if (more) await turn();
    }
  }

  #readOn<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#parts.session.forgetAll();
      if (!(error instanceof UnknownEvent)) throw error;
      this.#parts.onFault(error);
      throw new LogUnavailable(error.message, { cause: error });
    }
  }
}

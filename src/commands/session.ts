import { beginsStream, codec } from '#catalogue/events.ts';
import type { EntryMoment } from '#domain/entry/commands.ts';
import { newIdOf } from '#domain/identities.ts';
import type { DomainEvent, EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { addSeconds, gmtNow, toLocal } from '#domain/time/local.ts';
import { refusalToWrite, type Viewer } from '#domain/user/roles.ts';
import { newSalt } from '#eventstore/chain.ts';
import type { NewEvent, ReadQuery, StoredEvent } from '#eventstore/port.ts';
import { type Changes, noChanges } from '#projections/kernel/changes.ts';
import type { Checkpoint } from '#projections/kernel/checkpoint.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Finder } from '#projections/past/reader.ts';
import type { Projector } from '#projections/projector/projector.ts';
import { Reader, type ReaderParts } from '#projections/reading/reader.ts';
import { type RequestTable, requests } from '#projections/site/requests.ts';
import { finished } from '#text/finished.ts';
import type { AnswerAges } from './answer-ages.ts';
import { CommitTooLarge, plainSize } from './commit-size.ts';
import type { Reaction } from './reaction.ts';
import { Refused } from './refused.ts';
import { Savepoints } from './savepoints.ts';
import type { AttemptStart, Bounds, SessionMode, StagedCommit, StagedPart, WriteContext } from './session-types.ts';

export type { Bounds, Times, WriteContext } from './session-types.ts';
export { bySystem } from './session-types.ts';

export interface SessionParts extends ReaderParts {
  readonly projector: Projector;
  readonly reactions: readonly Reaction<Session>[];
  readonly answerAges: AnswerAges;
}

/**
 * One attempt to build a commit. A session is a read model that sees what it has staged itself; no other reader sees that before it is in
 * the log.
 *
 * It runs within a transaction of the projections. Each request of a batch has a savepoint, or the whole transaction while that has nothing
 * else, so that one that is refused leaves no trace, not even used ids, and all that succeed are one commit.
 *
 * Why, and what was rejected: `docs/adr/0008-batches-and-retries.md`.
 */
export class Session extends Reader {
  readonly #log: ReaderParts['log'];
  readonly #projector: Projector;
  readonly #reactions: readonly Reaction<Session>[];
  readonly #savepoints: Savepoints;
  readonly #ahead = new Map<number, DomainEvent>();
  readonly requests: RequestTable;
  readonly answerAges: AnswerAges;
  #staged: NewEvent[] = [];
  #sizes: number[] = [];
  #recorded: RecordedEvent[] = [];
  #changes: Changes = noChanges();
  #since = 0;
  #at = '';
  #now = '';
  #room = Number.POSITIVE_INFINITY;
  #unfinished: Generator<void>[] = [];
  #isUndivided = false;
  #mode: SessionMode = {};
  /** Set by what opens the past: finds collections with what is staged. */
  finder: () => Finder = () => {
    throw new Error('nothing can be found here');
  };
  #sizeOf = plainSize;
  #context: WriteContext = { viewer: null, correlationId: '' };

  constructor(parts: SessionParts) {
    const { projector, reactions, answerAges } = parts;
    super(parts);
    this.#reactions = reactions;
    this.#log = parts.log;
    this.#projector = projector;
    this.#savepoints = new Savepoints(parts.db);
    this.requests = this.of(requests);
    this.answerAges = answerAges;
  }

  get viewer(): Viewer | null {
    return this.#mode.viewer ?? this.#context.viewer;
  }

  get next(): Pick<Checkpoint, 'nextId' | 'nextTerm' | 'nextUser' | 'nextComment'> {
    const { checkpoint } = this.#projector;
    const { ids: kept } = this.#mode;
    return kept !== undefined && kept.from < kept.to ? { ...checkpoint, nextId: kept.from } : checkpoint;
  }

  /** The time of this commit, ISO 8601 UTC. */
  get at(): string {
    return this.#at;
  }

  /** What the clock says, ISO 8601 UTC: earlier than `at` if the log is far ahead of the clock. */
  get clock(): string {
    return this.#now;
  }

  /** What the clock says, in the site's zone and in UTC, to the second. */
  get now(): EntryMoment {
    const gmt = gmtNow(Date.parse(this.#now));
    return { gmt, local: toLocal(gmt, this.site().timezone) };
  }

  /** UTC, a minute after `now`. */
  get soon(): string {
    return addSeconds(this.now.gmt, 60);
  }

  get reached(): number {
    return this.#projector.checkpoint.position;
  }

  /** Whether all that is shown is in the log: other writes that are decided in the same group are not yet. */
  get isSettled(): boolean {
    return this.reached === this.#log.head().position;
  }

  /** Returns the type of the last event of a stream in the log, or null. */
  lastOf(stream: string): string | null {
    const [last] = this.historyOf(stream, { limit: 1 });
    return last?.type ?? null;
  }

  /** Events of a stream in the log, the newest first unless the other direction is named. */
  historyOf(stream: string, which: Pick<ReadQuery, 'limit' | 'direction'> = {}): Iterable<StoredEvent> {
    return this.#log.read({ stream, direction: 'backwards', ...which });
  }

  /** Whether an event of this type, the only one in its stream, is already recorded at the time of this commit. */
  hasNow(stream: string, type: string): boolean {
    const isStaged = [...this.#ahead].some(([position, event]) => position <= this.reached && event.type === type);
    if (isStaged) return true;
    const [last] = this.historyOf(stream, { limit: 1 });
    return last?.at === this.#at;
  }

  begin(context: WriteContext, { at, now, room, sizeOf = plainSize, isFirst = false }: Bounds): void {
    this.#context = context;
    this.#savepoints.begin(isFirst);
    this.#at = at;
    this.#now = now;
    this.#room = room;
    this.#sizeOf = sizeOf;
    this.#since = this.#projector.checkpoint.position + 1;
    this.#letGo();
  }

  /** Lets go of the last commit and its rows, whose texts may be long, until the next one. */
  rest(): void {
    this.#letGo();
    this.forget(noChanges());
  }

  end(): StagedCommit {
    return { events: this.#staged, recorded: this.#recorded, changes: this.#changes, bytes: sumOf(this.#sizes) };
  }

  /**
   * Adds events and the reactions to them to the commit, and applies them to the read model. Throws `CommitTooLarge`, and `Refused` for an
   * event that does not fit its definition, and for all that an auditor would change; the attempt that stages it is refused.
   */
  stage(stream: string, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    const readsOnly = this.viewer && refusalToWrite(this.viewer);
    if (readsOnly !== null) throw new Refused(readsOnly);
    for (const event of events) {
      const refusal = codec.misfit(event);
      if (refusal !== null) throw new Refused(refusal);
    }
    const after = this.#reactions.flatMap((reaction) => reaction(this, { stream, events }) ?? []);
    const first = this.#projector.checkpoint.position + 1;
    const recorded: RecordedEvent[] = events.map((event, i) => ({ event, meta: this.#meta(stream, first + i) }));
    const encoded = events.map((event) => ({
      stream,
      ...codec.encode(event, newSalt),
      begins: beginsStream(stream, event),
    }));
    // Counting the bytes of a long text takes milliseconds.
    const sizes = encoded.map(this.#sizeOf);
    this.#useKeptIds(events);
    this.#add({ encoded, sizes, recorded });
    for (const reaction of after) {
      if (typeof reaction === 'function') reaction();
      else this.#unfinished.push(reaction);
    }
    if (this.#isUndivided) finished(this.#finish());
  }

  #add({ encoded, sizes, recorded }: StagedPart): void {
    const room = this.#room - sumOf(sizes);
    if (room < 0) throw new CommitTooLarge('the request stages more than fits into one commit');
    this.#room = room;
    this.#staged.push(...encoded);
    this.#sizes.push(...sizes);
    this.#recorded.push(...recorded);
    for (const { event, meta } of recorded) this.#ahead.set(meta.position, event);
    this.#projector.apply(recorded, this.#changes);
    this.#projector.flush();
    this.forget(this.#changes);
  }

  /** What is staged from an event on. */
  stagedFrom(from: number): StagedPart {
    return { encoded: this.#staged.slice(from), sizes: this.#sizes.slice(from), recorded: this.#recorded.slice(from) };
  }

  /** Stages again what was decided before on the state that is reached. */
  restage({ recorded, ...part }: StagedPart): void {
    const first = this.reached + 1;
    const moved = recorded.map(({ event, meta }, i) => {
      return { event, meta: { ...meta, at: this.#at, since: this.#since, position: first + i } };
    });
    if (moved.length > 0) this.#add({ ...part, recorded: moved });
  }

  #useKeptIds(events: readonly DomainEvent[]): void {
    const { ids: kept } = this.#mode;
    if (kept === undefined) return;
    for (const event of events) {
      const given = newIdOf(event);
      if (given?.of === 'item' && given.id === kept.from) kept.from += 1;
    }
  }

  attempt<T>(work: () => T | Refusal): T | Refusal {
    return finished(this.#try(work, () => []));
  }

  /** `attempt`, and then the reactions that may take long; pauses during these. */
  attemptInTurns<T>(work: () => T | Refusal): Generator<void, T | Refusal> {
    return this.#try(work, () => this.#finish());
  }

  /** Runs work whose reactions are done when it returns. */
  withImmediateReactions<T>(work: () => T): T {
    const before = this.#isUndivided;
    this.#isUndivided = true;
    try {
      return work();
    } finally {
      this.#isUndivided = before;
    }
  }

  override find(query: CollectionQuery): Found {
    return this.#mode.finder?.find(query) ?? super.find(query);
  }

  /** Whether what is staged gives back an earlier state, which has all that once followed from it. */
  get isRestoring(): boolean {
    return this.#mode.isRestoring === true;
  }

  /** Does work in another mode. */
  during<T>(mode: SessionMode, work: () => T): T {
    const before = this.#mode;
    this.#mode = { ...before, ...mode };
    try {
      return work();
    } finally {
      this.#mode = before;
    }
  }

  /** Number of events staged so far. */
  get stagedCount(): number {
    return this.#staged.length;
  }

  /** Does work at the end of the request, in turns with others. Throws `Refused` there for what refuses the request after all. */
  later(work: Generator<void>): void {
    this.#unfinished.push(work);
  }

  *#try<T>(work: () => T | Refusal, rest: () => Iterable<void>): Generator<void, T | Refusal> {
    const start = {
      checkpoint: { ...this.#projector.checkpoint },
      staged: this.#staged.length,
      unfinished: this.#unfinished.length,
      savepoint: this.#savepoints.set(),
    };
    try {
      const value = work();
      if (isRefusal(value)) {
        this.#undo(start);
        return value;
      }
      yield* rest();
      this.#savepoints.release(start.savepoint);
      return value;
    } catch (error) {
      if (error instanceof Refused) {
        this.#undo(start);
        return error.refusal;
      }
      this.#undo(start);
      throw error;
    }
  }

  *#finish(): Generator<void> {
    for (let next = this.#unfinished.shift(); next !== undefined; next = this.#unfinished.shift()) yield* next;
  }

  /** Decisions cannot wait for following projections. */
  override following(_: unknown): never {
    throw new TypeError('No decision may depend on a projection that follows');
  }

  /** Includes staged events. Positions in the log are always read from the log. */
  override eventAt(position: number): DomainEvent {
    const ahead = position > this.#log.head().position ? this.#ahead.get(position) : undefined;
    return ahead ?? super.eventAt(position);
  }

  #letGo(): void {
    this.#staged = [];
    this.#unfinished = [];
    this.#sizes = [];
    this.#recorded = [];
    this.#changes = noChanges();
    const written = this.#log.head().position;
    for (const position of this.#ahead.keys()) if (position <= written) this.#ahead.delete(position);
  }

  // Changes are not undone: reporting an unchanged item as changed is harmless.
  #undo({ checkpoint, staged, unfinished, savepoint }: AttemptStart): void {
    this.#savepoints.goBack(savepoint);
    this.#projector.rewind(checkpoint);
    this.#staged.length = staged;
    this.#unfinished.length = unfinished;
    this.#room += sumOf(this.#sizes.splice(staged));
    this.#recorded.length = staged;
    this.forgetAll();
  }

  #meta(stream: string, position: number): EventMeta {
    const { viewer, correlationId } = this.#context;
    const { at, actor } = { at: this.#at, actor: viewer?.id ?? null };
    return { position, since: this.#since, stream, revision: 0, at, actor, correlationId };
  }
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

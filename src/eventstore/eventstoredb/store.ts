import { setTimeout as wait } from 'node:timers/promises';
import type { ChainedStore } from '../chain.ts';
import { messageOf } from '../faults.ts';
import { createTurns } from '../in-turn.ts';
import {
  AppendTooLarge,
  type Commit,
  type Conflict,
  type Head,
  isAnnounced,
  LogDamaged,
  LogUnavailable,
  OutcomeUnknown,
} from '../port.ts';
import { type LogCopy, openLogCopy, type SqliteOptions } from '../sqlite/store.ts';
import type { Staged } from '../stage.ts';
import { type AppendLimit, createAppendLimit } from './append-limit.ts';
import { createStreamClient, type StreamClient } from './client.ts';
import { type Completed, compareHeads, completeLedger, destroyKeys } from './completing.ts';
import { type Connection, createConnection } from './connection.ts';
import { sizeInLedger, toPhysical } from './event.ts';
import { reasonOf, verdictOn } from './faults.ts';
import { createLedgerIntake } from './intake.ts';
import { createKeys, type Keys } from './keys.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type AppendOrder, createAppendOrder } from './order.ts';
import { addressWarning, refusalIn } from './refusal.ts';
import { createReplica, type Replica, type ReplicaState } from './replica.ts';
import { newId } from './seal.ts';
import { compareWithServer } from './server-clock.ts';
import { type Timings, usualTimings } from './timings.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface EventStoreDbOptions extends Pick<SqliteOptions, 'path' | 'salt'> {
  /** Address of the server or cluster, accepted by `addressFault`. */
  readonly url: string;
  /** Name of the site's stream, and prefix of the streams of its keys. */
  readonly stream: string;
  /** Maximum size of an append in bytes; must not exceed the server's limit. */
  readonly appendBytes: number;
  readonly timings?: Partial<Timings>;
  /** Position that other files of this node contain. A copy that lost it in a power cut is completed before it is used. */
  readonly seen?: () => number;
  /** Returns a random number from 0 to 1. */
  readonly chance: () => number;
  readonly onProgress?: (position: number, head: number) => void;
  readonly onError?: (error: unknown) => void;
  /** Called with events worth a log line that need no action. */
  readonly onInfo?: (message: string) => void;
  /** Called with what an operator should know: outages, and settings that do not match the server. */
  readonly onWarning?: (message: string) => void;
}

/** An event log in EventStoreDB with a copy on this node, which all reads use. Why: `docs/adr/0012-shared-log.md`. */
export interface EventStoreDb extends ChainedStore {
  readonly replica: ReplicaState;
  onOthers(listener: () => void): void;
  noteRefused(): void;
  /** Compares a clock with the server's: see `compareWithServer`. */
  compareClock(clock: () => number): Promise<number | null>;
  /**
   * Destroys the keys of sealed texts, so that they can never be read in the ledger again, and empties the texts in this node's copy.
   * Other nodes have to empty their own copies.
   */
  erase(positions: readonly number[]): Promise<void>;
  /** See `completeLedger`. */
  complete(): Promise<Completed>;
}

/** A node's copy and the event store, which may have different logs. Neither follows the other. */
export interface LogBesideCopy {
  /** Position at which this node's copy ends. */
  readonly position: number;
  /** Throws `LedgerEndsEarly` or `LogDamaged` if the event store does not have the log of the copy, `LogUnavailable`. */
  compare(): Promise<void>;
  /** See `completeLedger`. */
  complete(): Promise<Completed>;
  close(): void;
}

/** Opens a node's copy to compare it with the event store, and to complete that. */
export function openBesideCopy(options: EventStoreDbOptions): LogBesideCopy {
  const parts = createParts(options);
  const { copy, ledger, limit, close } = parts;
  return {
    position: copy.head().position,
    compare: async () => {
      const head = await ledger.head().catch(asUnavailable);
      if (head.position <= copy.head().position) compareHeads(head, copy, copy.head().position);
    },
    complete: () => completed({ ...parts, limit }),
    close,
  };
}

/**
 * Opens the log of a site. A node without a copy reads the whole log first; a node with one that has all it has seen also starts when
 * the server is unreachable. Throws `LogUnavailable`, at once if the server and this node do not accept each other, and `LogDamaged`.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  const parts = createParts(options);
  const { replica } = parts;
  try {
    await firstCatchUp({ ...parts, seen: options.seen ?? (() => 0) });
  } catch (error) {
    parts.close();
    throw error;
  }
  replica.start();
  return logOf(parts, options);
}

interface Parts {
  readonly client: StreamClient;
  readonly copy: LogCopy;
  readonly keys: Keys;
  readonly ledger: Ledger;
  readonly order: AppendOrder;
  readonly replica: Replica;
  readonly connection: Connection;
  readonly timings: Timings;
  readonly limit: AppendLimit;
  readonly own: OwnAppend;
  /** Called when the copy has grown by events of the ledger. */
  readonly listeners: Set<() => void>;
  close(): void;
}

function createParts(options: EventStoreDbOptions): Parts {
  const { url, stream, chance, onProgress = nothing, onError = nothing } = options;
  const { onInfo = nothing, onWarning = nothing } = options;
  const timings = { ...usualTimings, ...options.timings };
  const client = openClient(url, timings);
  const advice = addressWarning(url);
  if (advice !== null) onWarning(advice);
  const copy = openLogCopy({ ...options, onFault: onError });
  const keys = createKeys(client, stream);
  const connection = createConnection({
    position: () => copy.head().position,
    timings,
    onInfo,
    onWarning,
    // It may come back without the newest of them.
    onLost: () => keys.forget(),
    onBack: () => keys.renew(),
  });
  const limit = createAppendLimit(options.appendBytes, onWarning);
  const ledger = createLedger({ client, stream, timings, chance });
  const listeners = new Set<() => void>();
  const order = createAppendOrder(newId());
  const onTaken = () => {
    order.wake();
    for (const listener of listeners) listener();
  };
  const intake = createLedgerIntake({ copy, keys, order, onTaken });
  const own = new OwnAppend();
  const replica = createReplica({
    ledger,
    copy,
    intake,
    connection,
    timings,
    chance,
    onProgress,
    onInfo,
    onError,
    own: () => own.ended,
    refusalIn: (error) => refusalIn(error, url, connection.state),
  });
  const close = () => {
    listeners.clear();
    replica.close();
    connection.close();
    copy.close();
    void client.close();
  };
  return { client, copy, keys, ledger, order, replica, connection, timings, limit, own, listeners, close };
}

function logOf(parts: Parts, { stream }: EventStoreDbOptions): EventStoreDb {
  const { client, copy, keys, ledger, order, replica, connection, limit, own, listeners, close } = parts;
  const inTurn = createTurns();
  const appending = new Appending(parts);
  return {
    ...copy,
    isShared: true,
    turn: () => order.wait(),
    budget: {
      get bytes() {
        return limit.bytes;
      },
      sizeOf: sizeInLedger,
    },
    append: (commits, expectedPosition) => own.note(inTurn(() => appending.append(commits, expectedPosition))),
    async erase(positions) {
      // The copy comes last: as long as a text is in it, the order of erasure is visibly unfinished.
      await destroyKeys(positions, { keys, ledger }).catch(asUnavailable);
      await copy.erase(positions);
    },
    replica: replica.state,
    onOthers: (listener) => void listeners.add(listener),
    noteRefused: () => connection.refused(),
    async compareClock(clock) {
      // A start does not wait for an unreachable server.
      if (!replica.state.connected)
        throw new LogUnavailable('The event store cannot be reached', { isAnnounced: true });
      return compareWithServer(client, stream, clock);
    },
    complete: () => inTurn(() => completed(parts)),
    close,
  };
}

/** The append of this node that is under way. */
class OwnAppend {
  /** Resolves when it ends, whatever its outcome; null: there is none. */
  ended: Promise<unknown> | null = null;

  note<T>(outcome: Promise<T>): Promise<T> {
    const ended = outcome.then(nothing, nothing);
    this.ended = ended;
    void ended.then(() => {
      if (this.ended === ended) this.ended = null;
    });
    return outcome;
  }
}

type AppendParts = Pick<Parts, 'copy' | 'keys' | 'ledger' | 'order' | 'replica' | 'connection' | 'timings' | 'limit'>;

class Appending {
  readonly #parts: AppendParts;

  constructor(parts: AppendParts) {
    this.#parts = parts;
  }

  /** Appends, and tries again while the event store may come back. */
  async append(commits: readonly Commit[], expectedPosition: number): Promise<Head | Conflict> {
    const { connection, timings } = this.#parts;
    for (let began: number | null = null; ; ) {
      await connection.available().catch(asUnavailable);
      const { lost } = connection;
      began ??= performance.now();
      try {
        return await this.#once(commits, expectedPosition);
      } catch (error) {
        if (!isAnnounced(error)) throw error;
        const { cause } = error as Error;
        connection.lose(cause);
        const isOver = lost.aborted || performance.now() - began >= timings.grace;
        // Nothing was stored, as in an election: the next leader may take it.
        if (isOver || error instanceof OutcomeUnknown || verdictOn(cause) === 'refused') throw error;
      }
    }
  }

  async #once(commits: readonly Commit[], expectedPosition: number): Promise<Head | Conflict> {
    const { copy, ledger, order } = this.#parts;
    const staged = copy.stage(commits, expectedPosition);
    if ('conflict' in staged) return staged;
    if (staged.events.length > 0) return this.#send(staged, expectedPosition);
    // Nothing to append, or a repeated append: but it must have been decided on the whole log.
    if (staged.head.position !== expectedPosition) return staged.head;
    const head = await this.#answer(ledger.head());
    order.done();
    return head.position === expectedPosition ? staged.head : this.#conflict(expectedPosition);
  }

  async #send({ events, head }: Staged, expectedPosition: number): Promise<Head | Conflict> {
    const { copy, keys, ledger, order, connection, limit } = this.#parts;
    const needed = events.filter(({ sealed }) => sealed !== null).length;
    const fresh = (await this.#answer(keys.take(needed)))[Symbol.iterator]();
    const by = order.next();
    const key = () => fresh.next().value as never;
    const physical = events.map((event, i) => toPhysical(event, key, i === events.length - 1 ? by : undefined));
    const appended = await limit.within(physical, () => ledger.append(physical, expectedPosition, connection.lost));
    if (appended === 'conflict') return this.#conflict(expectedPosition);
    order.seen(by, head.position);
    order.done();
    try {
      await copy.take(() => ({ events, head }));
    } catch (error) {
      throw new OutcomeUnknown('The event store has the append, but this node cannot keep it', { cause: error });
    }
    connection.note(head.position);
    return head;
  }

  /** Reads the commit that came first, so that the caller can decide again on top of it. */
  async #conflict(expectedPosition: number): Promise<Conflict> {
    const { copy, replica } = this.#parts;
    if (copy.head().position <= expectedPosition) await this.#answer(replica.catchUp());
    return { conflict: true, position: copy.head().position, stream: null };
  }

  #answer<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(this.#parts.connection.lost, work).catch(asUnavailable);
  }
}

type Start = Pick<Parts, 'copy' | 'replica' | 'timings'> & Required<Pick<EventStoreDbOptions, 'seen'>>;

async function firstCatchUp({ replica, copy, timings, seen }: Start): Promise<void> {
  const until = performance.now() + timings.start;
  for (;;) {
    try {
      return await replica.catchUp();
    } catch (error) {
      if (error instanceof LogDamaged) throw error;
      const { refusal } = replica.state;
      if (refusal !== null) throw new LogUnavailable(refusal, { cause: error });
      if (copy.head().position >= Math.max(1, seen())) return;
      if (performance.now() > until)
        throw new LogUnavailable(`The event store cannot be reached: ${reasonOf(error)}`, { cause: error });
      await wait(timings.probe);
    }
  }
}

/** Not ended by an outage: the event store that lacks something counts as lost. */
function completed(parts: Parts): Promise<Completed> {
  return completeLedger(parts, new AbortController().signal).catch((error: unknown) => {
    throw isOwn(error) ? error : asUnavailable(error);
  });
}

function isOwn(error: unknown): boolean {
  return [LogDamaged, LogUnavailable, OutcomeUnknown, AppendTooLarge].some((kind) => error instanceof kind);
}

function asUnavailable(error: unknown): never {
  throw new LogUnavailable(`The event store: ${reasonOf(error)}`, { cause: error, isAnnounced: true });
}

/** Throws `LogUnavailable` when a file named in the address cannot be read. */
function openClient(url: string, { deadline }: Timings): StreamClient {
  try {
    return createStreamClient({ url, deadline });
  } catch (error) {
    throw new LogUnavailable(`The file that tlsCAFile in EVENTSTORE_URL names cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const nothing = () => undefined;

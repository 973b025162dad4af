import { setTimeout as wait } from 'node:timers/promises';
import type { ChainedStore } from '../chain.ts';
import { messageOf } from '../faults.ts';
import { createTurns } from '../in-turn.ts';
import { AppendTooLarge, type Conflict, type Head, LogDamaged, LogUnavailable, OutcomeUnknown } from '../port.ts';
import { type LogCopy, openLogCopy, type SqliteOptions } from '../sqlite.ts';
import type { Staged } from '../stage.ts';
import { createStreamClient } from './client.ts';
import { keyOf, sizeInLedger, sizeOf, toPhysical } from './event.ts';
import { createIntake } from './intake.ts';
import { createKeys, type Keys } from './keys.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createReplica, type Replica, type ReplicaState } from './replica.ts';
import { type Timings, usualTimings } from './timings.ts';

export interface EventStoreDbOptions extends Pick<SqliteOptions, 'path' | 'salt'> {
  /** Address of the server or cluster, one that `addressFault` finds nothing wrong with. */
  readonly url: string;
  /** Name of the site's stream; those of its keys begin with it. */
  readonly stream: string;
  /** Bytes that one append may take; no more than the server takes. */
  readonly appendBytes: number;
  readonly timings?: Partial<Timings>;
  /** A number from 0 to 1, by chance. */
  readonly chance: () => number;
  readonly onProgress?: (position: number, head: number) => void;
  readonly onError?: (error: unknown) => void;
}

/** An event log in EventStoreDB that this node has a copy of. Whatever is read is read from the copy. */
export interface EventStoreDb extends ChainedStore {
  readonly replica: ReplicaState;
  /** Calls back when the copy has grown by what other nodes appended. */
  onOthers(listener: () => void): void;
  /**
   * Destroys the keys of sealed texts, so that nobody can read them in the ledger again, and empties them in the copy of
   * this node. Other nodes have copies of their own, which they have to empty themselves.
   */
  erase(positions: readonly number[]): Promise<void>;
}

/**
 * Opens the log of a site. A node that has nothing yet reads all of it first; one that has something starts with that
 * when the server is not there. Throws `LogUnavailable` and `LogDamaged`.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  const { url, stream, chance, onProgress = nothing, onError = nothing } = options;
  const timings = { ...usualTimings, ...options.timings };
  const copy = openLogCopy({ ...options, onFault: onError });
  const client = createStreamClient({ url, deadline: timings.deadline });
  const keys = createKeys(client, stream);
  const ledger = createLedger({ client, stream, timings, chance });
  const listeners = new Set<() => void>();
  const onTaken = () => {
    for (const listener of listeners) listener();
  };
  const intake = createIntake({ copy, keys, onTaken });
  let own: Promise<unknown> | null = null;
  const replica = createReplica({ ledger, copy, intake, own: () => own, timings, chance, onProgress, onError });
  const close = () => {
    listeners.clear();
    replica.close();
    copy.close();
    void client.close();
  };
  try {
    await firstCatchUp({ replica, copy, timings, onError });
  } catch (error) {
    close();
    throw error;
  }
  replica.start();
  const inTurn = createTurns();
  const append = createAppend({ copy, keys, ledger, replica, appendBytes: options.appendBytes });
  return {
    ...copy,
    isShared: true,
    append(commits, expectedPosition) {
      const outcome = inTurn(() => append(commits, expectedPosition));
      const ended = outcome.then(nothing, nothing);
      own = ended;
      void ended.then(() => {
        if (own === ended) own = null;
      });
      return outcome;
    },
    budget: { bytes: options.appendBytes, sizeOf: sizeInLedger },
    replica: replica.state,
    onOthers: (listener) => void listeners.add(listener),
    async erase(positions) {
      // The copy comes last: as long as it has a text, whoever looks there knows that there is something to be done.
      await destroyKeys(positions, { keys, ledger }).catch(asUnavailable);
      await copy.erase(positions);
    },
    close,
  };
}

interface AppendParts {
  readonly copy: LogCopy;
  readonly keys: Keys;
  readonly ledger: Ledger;
  readonly replica: Replica;
  readonly appendBytes: number;
}

function createAppend({ copy, keys, ledger, replica, appendBytes }: AppendParts): ChainedStore['append'] {
  /** Whoever was faster is read first, so that the caller can decide again upon it. */
  async function conflict(expectedPosition: number): Promise<Conflict> {
    if (copy.head().position <= expectedPosition) await replica.catchUp().catch(asUnavailable);
    return { conflict: true, position: copy.head().position, stream: null };
  }

  async function send({ events, head }: Staged, expectedPosition: number): Promise<Head | Conflict> {
    const needed = events.filter(({ sealed }) => sealed !== null).length;
    const fresh = (await keys.take(needed).catch(asUnavailable))[Symbol.iterator]();
    const physical = events.map((event) => toPhysical(event, () => fresh.next().value as never));
    const size = sizeOf(physical);
    if (size > appendBytes) throw new AppendTooLarge(`An append of ${size} bytes; ${appendBytes} are allowed`);
    if ((await ledger.append(physical, expectedPosition)) === 'conflict') return conflict(expectedPosition);
    try {
      await copy.take({ events, head });
    } catch (error) {
      throw new OutcomeUnknown('The event store has the append, but this node cannot keep it', { cause: error });
    }
    replica.note(head.position);
    return head;
  }

  return async (commits, expectedPosition) => {
    if (!replica.state.connected) throw new LogUnavailable('The event store cannot be reached');
    const staged = copy.stage(commits, expectedPosition);
    if ('conflict' in staged) return staged;
    if (staged.events.length > 0) {
      return send(staged, expectedPosition).catch((error: unknown) => {
        if (error instanceof LogUnavailable || error instanceof OutcomeUnknown) replica.lost();
        throw error;
      });
    }
    // Nothing to append, or again: but what it was decided upon has to be all that there is.
    if (staged.head.position !== expectedPosition) return staged.head;
    const head = await ledger.head().catch(asUnavailable);
    return head.position === expectedPosition ? staged.head : conflict(expectedPosition);
  };
}

interface Start extends Pick<AppendParts, 'copy' | 'replica'> {
  readonly timings: Timings;
  readonly onError: (error: unknown) => void;
}

async function firstCatchUp({ replica, copy, timings, onError }: Start): Promise<void> {
  const until = performance.now() + timings.start;
  for (let tries = 0; ; tries++) {
    try {
      return await replica.catchUp();
    } catch (error) {
      if (error instanceof LogDamaged) throw error;
      if (copy.head().position > 0) return;
      const away = (what: string) =>
        new LogUnavailable(`The event store ${what}: ${messageOf(error)}`, { cause: error });
      if (performance.now() > until) throw away('cannot be reached');
      if (tries === 0) onError(away(`is waited for, ${Math.round(timings.start / 1000)} s at most`));
      await wait(timings.probe);
    }
  }
}

async function destroyKeys(positions: readonly number[], { keys, ledger }: Pick<AppendParts, 'keys' | 'ledger'>) {
  const ids: string[] = [];
  for (const position of positions) {
    const event = await ledger.at(position);
    const id = event === undefined ? null : keyOf(event);
    if (id !== null) ids.push(id);
  }
  await keys.destroy(ids);
}

function asUnavailable(error: unknown): never {
  throw new LogUnavailable(`The event store: ${messageOf(error)}`, { cause: error });
}

const nothing = () => undefined;

import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../faults.ts';
import { LogDamaged, LogUnavailable, OutcomeUnknown } from '../port.ts';
import type { LogCopy } from '../sqlite.ts';
import type { PlacedEvent } from './client.ts';
import { type Intake, otherLog } from './intake.ts';
import type { Ledger, LedgerHead } from './ledger.ts';
import { backOff, type Timings } from './timings.ts';

/** How the copy that a node has of the ledger stands, at any time. */
export interface ReplicaState {
  /** Whether the server was there when it was last looked for. */
  readonly connected: boolean;
  /** It is there, but its log is not the one that the copy was made of. */
  readonly differs: boolean;
  /** Position of the copy. */
  readonly position: number;
  /** Position of the ledger, as far as it is known here. */
  readonly ledgerHead: number;
  /** Milliseconds since the copy was last known to have all that the ledger has; 0 while it has. */
  readonly ageMs: number;
}

/** Keeps the copy up with the ledger. */
export interface Replica {
  readonly state: ReplicaState;
  /** Reads what the ledger has beyond the copy. */
  catchUp(): Promise<void>;
  /** Follows the ledger until `close`; what goes wrong is tried again. */
  start(): void;
  /** Takes note that the ledger has grown to a position by this node's own append. */
  note(position: number): void;
  /** Takes note that the server could not be reached. */
  lost(): void;
  close(): void;
}

export interface ReplicaOptions {
  readonly ledger: Ledger;
  readonly copy: LogCopy;
  readonly intake: Intake;
  /** The append of this node that is under way; resolves when it has come to an end, however that is. */
  readonly own: () => Promise<unknown> | null;
  readonly timings: Timings;
  readonly chance: () => number;
  /** Called while much is read, with the position reached and the one to reach. */
  readonly onProgress: (position: number, head: number) => void;
  /** Told why there is no connection, once for each reason, and of whatever else ends a subscription. */
  readonly onError: (error: unknown) => void;
}

/** Events that are read at once while catching up. */
const PAGE = 2000;
/** After so many milliseconds a subscription that ends was a good one. */
const LASTING = 10_000;
/** Milliseconds in which an append is usually answered. */
const ANSWER = 200;
const nothingMore: Promise<readonly PlacedEvent[]> = Promise.resolve([]);

export function createReplica(options: ReplicaOptions): Replica {
  const { ledger, copy, intake, own, timings, chance, onProgress, onError } = options;
  const ending = new AbortController();
  let connected = false;
  let known = 0;
  let differs = false;
  let inStepAt = performance.now();
  /** What was told last of a connection that is not there. */
  let told = '';

  function note(position: number): void {
    known = Math.max(known, position);
    if (copy.head().position >= known) inStepAt = performance.now();
  }

  /** Where the ledger ends. Throws `LogDamaged` when it is not the one that the copy was made of. */
  async function look(): Promise<number> {
    const seen = copy.head().position;
    try {
      const head = await ledger.head();
      check(head, seen);
      connected = true;
      note(head.position);
      return head.position;
    } catch (error) {
      lose(error);
      throw error;
    }
  }

  /** A ledger that goes on from the copy shows that by its chain as it is read; one of the same length would not. */
  function check({ position, hash }: LedgerHead, seen: number): void {
    if (position < seen) throw lacking(position, seen);
    const [own] = position === 0 ? [] : copy.read({ from: position, limit: 1 });
    if (own !== undefined && own.hash !== hash) throw other(position);
  }

  function lose(error: unknown): void {
    connected = false;
    differs ||= error instanceof LogDamaged;
  }

  async function readOn(): Promise<void> {
    const head = await look();
    const pageAfter = (position: number) => (position < head ? ledger.after(position, PAGE) : nothingMore);
    let rest: readonly PlacedEvent[] = [];
    for (let coming = pageAfter(copy.head().position); copy.head().position < head; ) {
      const page = await coming;
      const last = page.at(-1);
      if (last === undefined) return;
      // Comes while this one is taken over; whether it does is asked when it is its turn.
      coming = pageAfter(last.revision + 1);
      coming.catch(() => undefined);
      rest = await intake.take([...rest, ...page]);
      onProgress(copy.head().position, head);
    }
    differs = false;
    note(head);
  }

  /** Ends when the subscription does, by itself or because it brings nothing although there is something. */
  function follow(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    let rest: readonly PlacedEvent[] = [];
    const stop = ledger.follow(copy.head().position, {
      onEnd: reject,
      async onEvents(events) {
        // What this node appends often comes here before the answer does; then there is no need to decode it.
        const answer = own();
        if (answer !== null) await Promise.race([answer, wait(ANSWER, undefined, { ref: false })]);
        rest = await intake.take([...rest, ...events]);
        note((events.at(-1)?.revision ?? -1) + 1 - rest.length);
      },
    });
    const watching = new AbortController();
    const signal = AbortSignal.any([ending.signal, watching.signal]);
    const watch = async () => {
      for (let before = -1; ; ) {
        await wait(timings.probe, undefined, { signal });
        const { position } = copy.head();
        if ((await look()) > copy.head().position && position === before) throw new Error('The subscription is silent');
        before = position;
      }
    };
    watch().catch(reject);
    return promise.finally(() => {
      stop();
      watching.abort();
    });
  }

  function tell(error: unknown): void {
    const message = messageOf(error);
    // Tries are many while a server is away.
    if (message !== told)
      onError(ownFault(error) ?? new LogUnavailable(`The event store: ${message}`, { cause: error }));
    told = message;
  }

  async function run(): Promise<void> {
    for (let tries = 0; !ending.signal.aborted; tries++) {
      const begin = performance.now();
      try {
        await readOn();
        told = '';
        await follow();
      } catch (error) {
        if (ending.signal.aborted) return;
        tell(error);
        // A subscription that ended says nothing about the server: that is looked for next.
        if (error instanceof LogDamaged) lose(error);
      }
      if (performance.now() - begin > LASTING) tries = 0;
      await backOff(tries, timings, chance, ending.signal);
    }
  }

  const state: ReplicaState = {
    get connected() {
      return connected;
    },
    get differs() {
      return differs;
    },
    get position() {
      return copy.head().position;
    },
    get ledgerHead() {
      return Math.max(known, copy.head().position);
    },
    get ageMs() {
      return connected && copy.head().position >= known ? 0 : Math.round(performance.now() - inStepAt);
    },
  };
  return {
    state,
    catchUp: readOn,
    start: () => void run(),
    note,
    lost() {
      connected = false;
    },
    close: () => ending.abort(),
  };
}

function ownFault(error: unknown): Error | null {
  const isOwn = error instanceof LogDamaged || error instanceof LogUnavailable || error instanceof OutcomeUnknown;
  return isOwn ? error : null;
}

function other(position: number): LogDamaged {
  return otherLog('its last commit is another one', position);
}

function lacking(head: number, seen: number): LogDamaged {
  return otherLog(`it ends at position ${head}, this node has seen position ${seen}`, head + 1);
}

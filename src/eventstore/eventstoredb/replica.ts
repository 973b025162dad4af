import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../faults.ts';
import { LogDamaged, LogUnavailable, OutcomeUnknown } from '../port.ts';
import type { LogCopy } from '../sqlite.ts';
import type { PlacedEvent } from './client.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { appenderOf } from './event.ts';
import { isReaderTooSlow, reasonOf } from './faults.ts';
import { type Intake, otherLog } from './intake.ts';
import type { Ledger, LedgerHead } from './ledger.ts';
import { backOff, type Timings } from './timings.ts';

export interface ReplicaState extends ConnectionState {
  readonly position: number;
  readonly resubscriptions: number;
}

export interface Replica {
  readonly state: ReplicaState;
  catchUp(): Promise<void>;
  /** Follows the ledger until `close`, retrying after failures. */
  start(): void;
  close(): void;
}

export interface ReplicaOptions {
  readonly ledger: Ledger;
  readonly copy: LogCopy;
  readonly intake: Intake;
  readonly connection: Connection;
  /** Returns why the server and this node do not accept each other; null for other errors. */
  readonly refusalIn: (error: unknown) => Promise<string | null>;
  /** The pending append of this node; resolves when it ends, whatever its outcome. */
  readonly own: () => Promise<unknown> | null;
  readonly timings: Timings;
  readonly chance: () => number;
  /** Called during long reads, with the position reached and the one to reach. */
  readonly onProgress: (position: number, head: number) => void;
  readonly onInfo: (message: string) => void;
  /** Called with each fault that is not one of the connection, once per reason. */
  readonly onError: (error: unknown) => void;
}

/** Events read at once while catching up. */
const PAGE = 2000;
/** A subscription that lasts this many milliseconds counts as successful. */
const LASTING = 10_000;
/** Milliseconds in which an append is usually answered. */
const ANSWER = 200;
/** Minimum wait for a lost server, in milliseconds. */
const SOON = 1000;
/** Consecutive checks at which a subscription has delivered nothing although the ledger has grown, before it is given up. */
const SILENT = 2;
const nothingMore: Promise<readonly PlacedEvent[]> = Promise.resolve([]);

export function createReplica(options: ReplicaOptions): Replica {
  const { ledger, copy, intake, connection, refusalIn, own, timings, chance, onProgress, onInfo, onError } = options;
  const ending = new AbortController();
  let told = '';
  let resubscriptions = 0;
  let looks = 0;

  /** Returns the head position of the ledger. Throws `LogDamaged` if the ledger is not the one that was copied. */
  async function look(): Promise<number> {
    const seen = copy.head().position;
    const asked = performance.now();
    try {
      const head = await ledger.head(deadline());
      check(head, seen);
      looks = 0;
      connection.answered(head.position, asked);
      return head.position;
    } catch (error) {
      connection.lose(error, await refusalIn(error));
      throw error;
    }
  }

  function deadline(): number {
    looks += 1;
    return connection.state.connected ? timings.deadline : Math.min(timings.deadline, SOON * (1 + (looks % 3)));
  }

  /** A longer ledger is checked by its chain while it is read; one of the same length is checked here. */
  function check({ position, hash }: LedgerHead, seen: number): void {
    if (position < seen) throw lacking(position, seen);
    const [own] = position === 0 ? [] : copy.read({ from: position, limit: 1 });
    if (own !== undefined && own.hash !== hash) throw other(position);
  }

  async function readOn(): Promise<void> {
    const head = await look();
    const pageAfter = (position: number) => (position < head ? ledger.after(position, PAGE) : nothingMore);
    let rest: readonly PlacedEvent[] = [];
    for (let coming = pageAfter(copy.head().position); copy.head().position < head; ) {
      const page = await coming;
      const last = page.at(-1);
      if (last === undefined) return;
      // Fetched while this page is processed; a failure is reported when the page is needed.
      coming = pageAfter(last.revision + 1);
      coming.catch(() => undefined);
      rest = await intake.take([...rest, ...page]);
      onProgress(copy.head().position, head);
    }
    connection.agrees();
    connection.note(head);
  }

  /** Rejects when the subscription ends, or when it delivers nothing although the ledger has grown. */
  function follow(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    let rest: readonly PlacedEvent[] = [];
    const stop = ledger.follow(copy.head().position, {
      onEnd: reject,
      isLast: (event) => appenderOf(event) !== null,
      async onEvents(events) {
        // Events of this node's own append often arrive before its response; then they need not be decoded.
        const answer = own();
        if (answer !== null) await Promise.race([answer, wait(ANSWER, undefined, { ref: false })]);
        rest = await intake.take([...rest, ...events]);
        connection.note((events.at(-1)?.revision ?? -1) + 1 - rest.length);
      },
    });
    const watching = new AbortController();
    const signal = AbortSignal.any([ending.signal, watching.signal]);
    const watch = async () => {
      for (let [before, silent] = [-1, 0]; ; ) {
        await wait(timings.probe, undefined, { signal });
        const { position } = copy.head();
        const isSilent = (await look()) > copy.head().position && position === before;
        silent = isSilent ? silent + 1 : 0;
        if (silent >= SILENT) throw new Error('The subscription is silent');
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
    if (message !== told)
      onError(ownFault(error) ?? new LogUnavailable(`The event store: ${message}`, { cause: error }));
    told = message;
  }

  /** Follows until the subscription ends. Returns the reason. Throws when what it delivered is invalid. */
  async function followOnce(): Promise<unknown> {
    try {
      return await follow();
    } catch (error) {
      if (ownFault(error) === null) return error;
      throw error;
    }
  }

  function resubscribe(reason: unknown): void {
    resubscriptions += 1;
    const { position } = copy.head();
    onInfo(
      `A subscription to the event store ended (${reasonOf(reason)}); the next one begins behind position ${position}. ` +
        `Ended so far: ${resubscriptions}`,
    );
  }

  async function run(): Promise<void> {
    let ended: unknown = null;
    for (let tries = 0; !ending.signal.aborted; tries++) {
      const begin = performance.now();
      try {
        await readOn();
        told = '';
        // Reported only once the server answers: otherwise an outage is reported instead.
        if (ended !== null) resubscribe(ended);
        ended = await followOnce();
      } catch (error) {
        if (ending.signal.aborted) return;
        if (error instanceof LogDamaged) connection.lose(error);
        if (error instanceof LogDamaged || connection.state.connected) tell(error);
        ended = null;
      }
      if (performance.now() - begin > LASTING) tries = 0;
      if (!isReaderTooSlow(ended)) await backOff(tries, timings, chance, ending.signal);
    }
  }

  const state: ReplicaState = {
    get connected() {
      return connection.state.connected;
    },
    get lost() {
      return connection.state.lost;
    },
    get met() {
      return connection.state.met;
    },
    get differs() {
      return connection.state.differs;
    },
    get refusal() {
      return connection.state.refusal;
    },
    get ledgerHead() {
      return connection.state.ledgerHead;
    },
    get ageMs() {
      return connection.state.ageMs;
    },
    get position() {
      return copy.head().position;
    },
    get resubscriptions() {
      return resubscriptions;
    },
  };
  return {
    state,
    catchUp: readOn,
    start: () => void run(),
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

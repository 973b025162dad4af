import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../faults.ts';
import { LogDamaged, LogUnavailable, OutcomeUnknown } from '../port.ts';
import type { LogCopy } from '../sqlite/store.ts';
import type { PlacedEvent } from './client.ts';
import { compareHeads } from './completing.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { appenderOf } from './event.ts';
import { isReaderTooSlow, reasonOf } from './faults.ts';
import type { LedgerIntake } from './intake.ts';
import type { Ledger } from './ledger.ts';
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
  readonly intake: LedgerIntake;
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
  return new Following(options, new CatchingUp(options));
}

/** Follows the ledger with a subscription, and begins another one when it ends. */
class Following implements Replica {
  readonly state: State;
  readonly #options: ReplicaOptions;
  readonly #catchingUp: CatchingUp;
  readonly #ending = new AbortController();
  #told = '';

  constructor(options: ReplicaOptions, catchingUp: CatchingUp) {
    this.#options = options;
    this.#catchingUp = catchingUp;
    this.state = new State(options);
  }

  catchUp(): Promise<void> {
    return this.#catchingUp.readOn();
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { connection, timings, chance } = this.#options;
    const { signal } = this.#ending;
    let ended: unknown = null;
    for (let tries = 0; !signal.aborted; tries++) {
      const begin = performance.now();
      try {
        await this.#catchingUp.readOn();
        this.#told = '';
        // Reported only once the server answers: otherwise an outage is reported instead.
        if (ended !== null) this.#resubscribe(ended);
        ended = await this.#followOnce();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof LogDamaged) connection.lose(error);
        if (error instanceof LogDamaged || connection.state.connected) this.#tell(error);
        ended = null;
      }
      if (performance.now() - begin > LASTING) tries = 0;
      if (!isReaderTooSlow(ended)) await backOff(tries, timings, chance, signal);
    }
  }

  /** Follows until the subscription ends. Returns the reason. Throws when what it delivered is invalid. */
  async #followOnce(): Promise<unknown> {
    try {
      return await this.#follow();
    } catch (error) {
      if (ownFault(error) === null) return error;
      throw error;
    }
  }

  /** Rejects when the subscription ends, or when it delivers nothing although the ledger has grown. */
  #follow(): Promise<never> {
    const { ledger, copy, intake, connection, own } = this.#options;
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
    this.#watch(AbortSignal.any([this.#ending.signal, watching.signal])).catch(reject);
    return promise.finally(() => {
      stop();
      watching.abort();
    });
  }

  /** Rejects when nothing arrives although the ledger has grown. */
  async #watch(signal: AbortSignal): Promise<never> {
    const { copy, timings } = this.#options;
    for (let [before, silent] = [-1, 0]; ; ) {
      await wait(timings.probe, undefined, { signal });
      const { position } = copy.head();
      const isSilent = (await this.#catchingUp.look()) > copy.head().position && position === before;
      silent = isSilent ? silent + 1 : 0;
      if (silent >= SILENT) throw new Error('The subscription is silent');
      before = position;
    }
  }

  #resubscribe(reason: unknown): void {
    const { copy, onInfo } = this.#options;
    this.state.resubscriptions += 1;
    const { position } = copy.head();
    onInfo(
      `A subscription to the event store ended (${reasonOf(reason)}); the next one begins behind position ${position}. ` +
        `Ended so far: ${this.state.resubscriptions}`,
    );
  }

  #tell(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.#told) {
      const fault = ownFault(error) ?? new LogUnavailable(`The event store: ${message}`, { cause: error });
      this.#options.onError(fault);
    }
    this.#told = message;
  }
}

/** Reads what the copy lacks of the ledger. */
class CatchingUp {
  readonly #options: ReplicaOptions;
  #looks = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  async readOn(): Promise<void> {
    const { ledger, copy, intake, connection, onProgress } = this.#options;
    const head = await this.look();
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

  /** Returns the head position of the ledger. Throws `LogDamaged` if the ledger is not the one that was copied. */
  async look(): Promise<number> {
    const { ledger, copy, connection, refusalIn } = this.#options;
    const seen = copy.head().position;
    const asked = performance.now();
    try {
      const head = await ledger.head(this.#deadline());
      // A longer ledger is checked by its chain while it is read.
      compareHeads(head, copy, seen);
      this.#looks = 0;
      connection.answered(head.position, asked);
      return head.position;
    } catch (error) {
      connection.lose(error, await refusalIn(error));
      throw error;
    }
  }

  #deadline(): number {
    const { connection, timings } = this.#options;
    this.#looks += 1;
    const { deadline } = timings;
    return connection.state.connected ? deadline : Math.min(deadline, SOON * (1 + (this.#looks % 3)));
  }
}

class State implements ReplicaState {
  resubscriptions = 0;
  readonly #connection: Connection;
  readonly #copy: LogCopy;

  constructor({ connection, copy }: Pick<ReplicaOptions, 'connection' | 'copy'>) {
    this.#connection = connection;
    this.#copy = copy;
  }

  get connected(): boolean {
    return this.#connection.state.connected;
  }

  get lost(): boolean {
    return this.#connection.state.lost;
  }

  get met(): boolean {
    return this.#connection.state.met;
  }

  get differs(): boolean {
    return this.#connection.state.differs;
  }

  get missing(): number {
    return this.#connection.state.missing;
  }

  get refusal(): string | null {
    return this.#connection.state.refusal;
  }

  get ledgerHead(): number {
    return this.#connection.state.ledgerHead;
  }

  get ageMs(): number {
    return this.#connection.state.ageMs;
  }

  get position(): number {
    return this.#copy.head().position;
  }
}

function ownFault(error: unknown): Error | null {
  const isOwn = error instanceof LogDamaged || error instanceof LogUnavailable || error instanceof OutcomeUnknown;
  return isOwn ? error : null;
}

import { LogDamaged } from '../port.ts';
import { LedgerEndsEarly } from './completing.ts';
import { reasonOf } from './faults.ts';
import type { Timings } from './timings.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ConnectionState {
  /** True if the last call to the server succeeded. */
  readonly connected: boolean;
  /** True if writes no longer wait for the server. */
  readonly lost: boolean;
  readonly met: boolean;
  readonly differs: boolean;
  /** Number of events at the end of this node's log that the server's log lacks, which is its beginning; else 0. */
  readonly missing: number;
  /** Why the server rejects this node's account, or this node the server's certificate; else null. */
  readonly refusal: string | null;
  readonly ledgerHead: number;
  /** Milliseconds since the copy was last known to be complete. */
  readonly ageMs: number;
}

export interface Connection {
  readonly state: ConnectionState;
  /** Aborts `grace` milliseconds after the connection was lost, unless the server answers again by then. */
  readonly lost: AbortSignal;
  /** Resolves once the server answers. Rejects when `lost` aborts. */
  available(): Promise<void>;
  /** The server answered that the ledger is at a position. `asked`: time of the request, by `performance.now()`. */
  answered(position: number, asked: number): void;
  note(position: number): void;
  lose(error: unknown, refusal?: string | null): void;
  agrees(): void;
  refused(): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly position: () => number;
  readonly timings: Pick<Timings, 'grace'>;
  readonly onInfo: (message: string) => void;
  readonly onWarning: (message: string) => void;
  readonly onLost: () => void;
  readonly onBack: () => void;
}

interface Outage {
  readonly since: number;
  readonly why: string | null;
  refused: number;
}

export function createConnection(options: ConnectionOptions): Connection {
  return new ServerConnection(options);
}

class ServerConnection implements Connection {
  readonly #options: ConnectionOptions;
  readonly #state: State;
  #back = Promise.withResolvers<void>();
  #outage: Outage | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#state = new State(options.position);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get lost(): AbortSignal {
    return this.#state.losing.signal;
  }

  async available(): Promise<void> {
    while (!this.#state.connected) await unlessAborted(this.lost, this.#back.promise);
  }

  answered(grown: number, asked: number): void {
    const state = this.#state;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (state.lost) state.losing = new AbortController();
    if (!state.connected) this.#options.onBack();
    state.connected = true;
    state.met = true;
    this.#back.resolve();
    state.refusal = null;
    state.note(grown, asked);
    if (this.#outage === null) return;
    const { since, refused } = this.#outage;
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    this.#options.onInfo(`The event store answers again after ${seconds} s; ${refused} writes were refused`);
    this.#outage = null;
  }

  note(position: number): void {
    this.#state.note(position, performance.now());
  }

  lose(error: unknown, why: string | null = null): void {
    const state = this.#state;
    this.#timer ??= setTimeout(() => state.losing.abort(), this.#options.timings.grace).unref();
    if (state.connected) this.#back = Promise.withResolvers();
    state.connected = false;
    state.refusal = why;
    this.#options.onLost();
    if (error instanceof LogDamaged) state.differs = true;
    else this.#report(error, why);
    if (state.differs) state.missing = error instanceof LedgerEndsEarly ? error.missing : 0;
  }

  agrees(): void {
    if (this.#state.differs) this.#options.onInfo('The event store has the log of this node again');
    this.#state.differs = false;
    this.#state.missing = 0;
  }

  refused(): void {
    if (this.#outage !== null) this.#outage.refused += 1;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #report(error: unknown, why: string | null): void {
    const { timings, onWarning } = this.#options;
    const outage = this.#outage;
    if (outage !== null && (why === null || outage.why === why)) return;
    this.#outage = { since: performance.now(), refused: 0, ...outage, why };
    onWarning(
      `${why ?? `The event store cannot be reached (${reasonOf(error)})`}: writes wait for ${timings.grace / 1000} s and are refused then, until it can be used`,
    );
  }
}

class State implements ConnectionState {
  connected = false;
  met = false;
  differs = false;
  missing = 0;
  refusal: string | null = null;
  losing = new AbortController();
  readonly #position: () => number;
  #known = 0;
  #inStepAt = performance.now();

  /** `position`: that of the copy. */
  constructor(position: () => number) {
    this.#position = position;
  }

  get lost(): boolean {
    return this.losing.signal.aborted;
  }

  get ledgerHead(): number {
    return Math.max(this.#known, this.#position());
  }

  get ageMs(): number {
    return Math.round(performance.now() - this.#inStepAt);
  }

  note(grown: number, at: number): void {
    this.#known = Math.max(this.#known, grown);
    if (this.#position() >= this.#known) this.#inStepAt = Math.max(this.#inStepAt, at);
  }
}

import { LogDamaged } from '../port.ts';
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
}

export function createConnection({ position, timings, onInfo, onWarning }: ConnectionOptions): Connection {
  let connected = false;
  let met = false;
  let back = Promise.withResolvers<void>();
  let differs = false;
  let refusal: string | null = null;
  let known = 0;
  let inStepAt = performance.now();
  let outage: { readonly since: number; readonly why: string | null; refused: number } | null = null;
  let lost = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function note(grown: number, at = performance.now()): void {
    known = Math.max(known, grown);
    if (position() >= known) inStepAt = Math.max(inStepAt, at);
  }

  function report(error: unknown, why: string | null): void {
    if (outage !== null && (why === null || outage.why === why)) return;
    outage = { since: performance.now(), refused: 0, ...outage, why };
    onWarning(
      `${why ?? `The event store cannot be reached (${reasonOf(error)})`}: writes wait for ${timings.grace / 1000} s and are refused then, until it can be used`,
    );
  }

  return {
    get lost() {
      return lost.signal;
    },
    async available() {
      while (!connected) await unlessAborted(lost.signal, back.promise);
    },
    answered(grown, asked) {
      clearTimeout(timer);
      timer = undefined;
      if (lost.signal.aborted) lost = new AbortController();
      connected = true;
      met = true;
      back.resolve();
      refusal = null;
      note(grown, asked);
      if (outage === null) return;
      const seconds = ((performance.now() - outage.since) / 1000).toFixed(1);
      onInfo(`The event store answers again after ${seconds} s; ${outage.refused} writes were refused`);
      outage = null;
    },
    note,
    lose(error, why = null) {
      timer ??= setTimeout(() => lost.abort(), timings.grace).unref();
      if (connected) back = Promise.withResolvers();
      connected = false;
      refusal = why;
      if (error instanceof LogDamaged) differs = true;
      else report(error, why);
    },
    agrees() {
      differs = false;
    },
    refused() {
      if (outage !== null) outage.refused += 1;
    },
    close: () => clearTimeout(timer),
    state: {
      get connected() {
        return connected;
      },
      get lost() {
        return lost.signal.aborted;
      },
      get met() {
        return met;
      },
      get differs() {
        return differs;
      },
      get refusal() {
        return refusal;
      },
      get ledgerHead() {
        return Math.max(known, position());
      },
      get ageMs() {
        return Math.round(performance.now() - inStepAt);
      },
    },
  };
}

import { AppendTooLarge, LogUnavailable, OutcomeUnknown } from '../port.ts';
import type { PhysicalEvent, PlacedEvent, StreamClient, StreamFollowing } from './client.ts';
import { hashOf } from './event.ts';
import { reasonOf, type Verdict, verdictOn } from './faults.ts';
import { backOff, type Timings } from './timings.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The stream that all nodes of a site append to. An append with an expected revision is the commit point. */
export interface Ledger {
  /**
   * Appends after a position. When the outcome of a call is unknown, sends the same events again: their ids ensure that they are stored
   * once. Stops when the signal aborts. Throws `LogUnavailable`, `AppendTooLarge`, `OutcomeUnknown`.
   */
  append(events: readonly PhysicalEvent[], position: number, signal: AbortSignal): Promise<'stored' | 'conflict'>;
  /** `within`: milliseconds for the response. Default: the usual deadline. */
  head(within?: number): Promise<LedgerHead>;
  /** Reads events after a position, up to a limit. */
  after(position: number, limit: number): Promise<readonly PlacedEvent[]>;
  at(position: number): Promise<PlacedEvent | undefined>;
  follow(position: number, following: StreamFollowing): () => void;
}

export interface LedgerHead {
  /** Position of its last event; 0 if empty. */
  readonly position: number;
  /** Chain hash on that event; null if it has none. */
  readonly hash: string | null;
}

export interface LedgerOptions {
  readonly client: StreamClient;
  readonly stream: string;
  readonly timings: Timings;
  readonly chance: () => number;
}

export function createLedger({ client, stream, timings, chance }: LedgerOptions): Ledger {
  const at = async (position: number) => (await client.read(stream, { from: position - 1, limit: 1 }))[0];

  async function isAt(id: string | undefined, position: number, signal: AbortSignal): Promise<boolean> {
    try {
      return (await unlessAborted(signal, at(position)))?.id === id;
    } catch (error) {
      throw faultFor(error, true);
    }
  }

  async function attempt(events: readonly PhysicalEvent[], position: number, signal: AbortSignal): Promise<Attempt> {
    try {
      await unlessAborted(signal, client.append(stream, events, position - 1));
      return { stored: true };
    } catch (error) {
      return { stored: false, verdict: verdictOn(error), error };
    }
  }

  return {
    async append(events, position, signal) {
      const began = performance.now();
      let unclear = false;
      for (let tries = 0; ; tries++) {
        const outcome = await attempt(events, position, signal);
        if (outcome.stored) return 'stored';
        const { verdict, error } = outcome;
        if (verdict === 'conflict') {
          // Servers recognise a repeated append by its ids; this check does not rely on it.
          return unclear && (await isAt(events[0]?.id, position + 1, signal)) ? 'stored' : 'conflict';
        }
        if (verdict === 'too large') throw new AppendTooLarge('The event store takes less at once', { cause: error });
        unclear ||= verdict === 'unclear';
        // As long as nothing can have been stored, a write waits no longer than for a server that is away.
        const longest = unclear ? timings.appendTimeout : Math.min(timings.grace, timings.appendTimeout);
        const isOver = signal.aborted || performance.now() - began >= longest;
        if (verdict === 'refused' || isOver) throw faultFor(error, unclear);
        await backOff(tries, timings, chance, signal);
        if (signal.aborted) throw faultFor(error, unclear);
      }
    },
    async head(within) {
      const [last] = await client.read(stream, { backwards: true, limit: 1, within });
      return last === undefined ? { position: 0, hash: null } : { position: last.revision + 1, hash: hashOf(last) };
    },
    after: (position, limit) => client.read(stream, { from: position, limit }),
    at,
    follow: (position, following) => client.follow(stream, position - 1, following),
  };
}

type Attempt =
  | { readonly stored: true }
  | { readonly stored: false; readonly verdict: Verdict; readonly error: unknown };

function faultFor(error: unknown, unclear: boolean): Error {
  const text = `The event store: ${reasonOf(error)}`;
  const options = { cause: error, isAnnounced: true };
  return unclear ? new OutcomeUnknown(text, options) : new LogUnavailable(text, options);
}

import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { search } from '#projections/audit/search.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { Task } from '../rebuild/types.ts';
import { commentCorrelations, idsOf, type Order, orderTypes, textsOf } from './coverage.ts';
import { filesOf } from './files.ts';
import { openMark } from './mark.ts';

export interface Erasing {
  /** Progress of carrying orders out; null when idle. */
  readonly task: Task | null;
  readonly pending: number;
  /** Counts the sealed texts that an order for a stream would reach. */
  reach(stream: string): Promise<number>;
  /**
   * Carries out all orders. Returns true when none is left, false when it takes longer than `timeout` milliseconds; it continues then.
   * Throws when it fails, and can be called again. Default: no limit.
   */
  finish(timeout?: number): Promise<boolean>;
  /** Looks for new orders, including those of other nodes, until the returned function is called. */
  start(): () => void;
  close(): Promise<void>;
}

interface Acts {
  readonly reader: { readonly position: number };
  readonly trail: TrailTable;
  /** Waits until the trail contains what is shown; returns undefined when it does. */
  followed(): Promise<void> | undefined;
}

export interface ErasingParts {
  readonly log: EventStore;
  /** Returns the current trail and reader, which a rebuild may replace. */
  readonly acts: () => Acts;
  readonly markPath: string;
  readonly reporter: Reporter;
  readonly renew: () => Promise<void>;
  readonly renewing: () => Task | null;
  readonly forgetOrigins: (correlationIds: readonly string[]) => void;
  readonly removeFile: (hash: string) => Promise<void>;
}

/** Milliseconds between two looks, and after a failure. */
const pause = 1000;
const longPause = 60_000;
const nothing = () => null;

export function createErasing(parts: ErasingParts): Erasing {
  const { log, acts, markPath, reporter, renew, renewing, forgetOrigins, removeFile } = parts;
  const mark = openMark(markPath, { log, reporter });
  let clean = mark.read();
  let sweeping: Promise<void> | null = null;
  let closed = false;
  let task: () => Task | null = nothing;

  async function whole(): Promise<TrailTable> {
    await acts().followed();
    return acts().trail;
  }

  // Never waits, because it is called often: what the trail lacks is read from the log.
  function orders(): readonly Order[] {
    const { reader, trail } = acts();
    const high = reader.position;
    const wanted = { types: orderTypes, low: clean + 1, high, direction: 'forwards' } as const;
    const found = [...search(wanted, { log, trail })].flatMap((event) => event ?? []);
    if (found.length === 0) clean = Math.max(clean, high);
    return found;
  }

  async function run(): Promise<void> {
    for (let found = orders(); found.length > 0; found = orders()) {
      const texts = await textsOf(found, log, looking);
      task = () => ({ name: 'emptying texts', done: 0, total: texts.length, unit: 'texts' });
      await log.erase(texts);
      if (closed) throw new Error('the erasure was stopped; it goes on at the next start');
      task = renewing;
      await renew();
      const trail = await whole();
      forgetOrigins([...idsOf('user-', found)].flatMap((user) => trail.correlationsOf(user)));
      forgetOrigins(commentCorrelations(texts, log));
      for (const hash of filesOf(found, { log, trail })) await removeFile(hash);
      // Only now: if anything fails before, all of it is repeated.
      const last = found.at(-1) as Order;
      mark.write(last);
      clean = last.position;
    }
  }

  const looking = (done: number, total: number) => {
    task = () => ({ name: 'looking for texts', done, total, unit: 'events' });
  };

  const sweep = () => {
    sweeping ??= run().finally(() => {
      sweeping = null;
      task = nothing;
    });
    return sweeping;
  };

  return {
    get pending() {
      return orders().length;
    },
    get task() {
      return task();
    },
    reach: async (stream) => (await textsOf([{ stream, position: log.head().position + 1, id: '' }], log)).length,
    async finish(timeout = Number.POSITIVE_INFINITY) {
      // A sweep under way may have begun before the newest order.
      const all = sweep().then(sweep);
      const done = all.then(() => true);
      return Number.isFinite(timeout) ? Promise.race([done, wait(timeout, false, { ref: false })]) : done;
    },
    start() {
      let timer: NodeJS.Timeout;
      let stopped = false;
      const look = async () => {
        let next = pause;
        try {
          await sweep();
          mark.settle();
        } catch (error) {
          next = longPause;
          if (!stopped) reporter.fault(error);
        }
        if (!stopped) timer = setTimeout(look, next).unref();
      };
      timer = setTimeout(look, 0).unref();
      return () => {
        stopped = true;
        clearTimeout(timer);
      };
    },
    async close() {
      closed = true;
      await sweeping?.catch(() => undefined);
      mark.settle();
    },
  };
}

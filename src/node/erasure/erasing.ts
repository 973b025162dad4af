import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { codec } from '#catalogue/events.ts';
import { mediaEvents } from '#domain/media/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { regularly } from '#process/guard.ts';
import type { Reporter } from '#process/reporter.ts';
import { search } from '#projections/audit/search.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import { toRecorded } from '#projections/kernel/events-until.ts';
import type { Forgetting } from '../projections.ts';
import type { RebuildTask } from '../rebuild/types.ts';
import {
  commentCorrelations,
  type ErasureOrder,
  idsOf,
  orderTypes,
  passagesIn,
  textsReached,
  textsToErase,
} from './coverage.ts';
import { type Mark, openMark } from './mark.ts';

/**
 * Carries out the orders to erase that are in the log, on the files of this node.
 *
 * An order is an event that names an id and nothing else, so every node and every copy of the log learns of it. What holds its texts is
 * rewritten in place; only where that cannot be shown the projections are made again.
 *
 * Why, and what was rejected: `docs/adr/0016-erasure.md`, `docs/adr/0068-erasing-in-place.md`.
 */
export interface Erasing {
  /** Progress of carrying orders out; null when idle. */
  readonly task: RebuildTask | null;
  readonly pending: number;
  /** Counts the sealed texts that an order for a stream would reach, by the type of their event. */
  reach(stream: string): Promise<ReadonlyMap<string, number>>;
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
  /** Leaves nothing of erased texts in the projections and in what is made from them. */
  readonly forget: (forgetting: Forgetting) => Promise<void>;
  readonly forgetOrigins: (correlationIds: readonly string[]) => void;
  readonly removeFile: (hash: string) => Promise<void>;
}

interface Written {
  readonly log: Pick<EventStore, 'read'>;
  readonly trail: TrailTable;
}

/** Milliseconds between two looks, and after a failure. */
const pause = 1000;
const longPause = 60_000;

/** Types of events that name files of media items but are not in their streams. */
const types = [...codec.naming].filter((type) => mediaEvents.every((own) => own.type !== type));

const nothing = () => null;

export function createErasing(parts: ErasingParts): Erasing {
  return new Eraser(parts);
}

class Eraser implements Erasing {
  readonly #parts: ErasingParts;
  readonly #mark: Mark;
  #clean: number;
  #sweeping: Promise<void> | null = null;
  #isClosed = false;
  #task: () => RebuildTask | null = nothing;

  constructor(parts: ErasingParts) {
    this.#parts = parts;
    this.#mark = openMark(parts.markPath, parts);
    this.#clean = this.#mark.read();
  }

  get pending(): number {
    return this.#orders().reduce((count, order) => count + (order === null ? 0 : 1), 0);
  }

  get task(): RebuildTask | null {
    return this.#task();
  }

  async reach(stream: string): Promise<ReadonlyMap<string, number>> {
    const { log } = this.#parts;
    const order = { stream, position: log.head().position + 1, id: '' };
    const counts = new Map<string, number>();
    for (const from of await textsToErase([order], this.#archive())) {
      for (const { type } of log.read({ from, limit: 1, sealed: 'none' }))
        counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return counts;
  }

  async finish(timeout = Number.POSITIVE_INFINITY): Promise<boolean> {
    // A sweep under way may have begun before the newest order.
    const all = this.#sweep().then(() => this.#sweep());
    const done = all.then(() => true);
    return Number.isFinite(timeout) ? Promise.race([done, wait(timeout, false, { ref: false })]) : done;
  }

  start(): () => void {
    const work = async () => {
      await this.#sweep();
      this.#mark.settle();
    };
    return regularly(work, { first: 0, pause, afterFault: longPause }, this.#parts.reporter.fault);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sweeping?.catch(() => undefined);
    this.#mark.settle();
  }

  /** Yields the orders that are still to be carried out and, while it looks for them, null. What the trail lacks is read from the log. */
  *#orders(): Generator<ErasureOrder | null> {
    const { acts } = this.#parts;
    const { trail, reader } = acts();
    const high = reader.position;
    const wanted = { types: orderTypes, low: this.#clean + 1, high, direction: 'forwards' } as const;
    let isClean = true;
    for (const order of search(wanted, this.#archive())) {
      isClean &&= order === null;
      yield order;
    }
    if (acts().trail !== trail) yield* this.#orders();
    else if (isClean) this.#clean = Math.max(this.#clean, high);
  }

  /** After a start all events since the last order are looked through, a million in 0.1 s: others get their turns. */
  async #found(): Promise<readonly ErasureOrder[]> {
    const found: ErasureOrder[] = [];
    for (const order of this.#orders()) {
      if (order !== null) found.push(order);
      else if (this.#isClosed) return [];
      else await turn();
    }
    return found;
  }

  #sweep(): Promise<void> {
    this.#sweeping ??= this.#run().finally(() => {
      this.#sweeping = null;
      this.#task = nothing;
    });
    return this.#sweeping;
  }

  async #run(): Promise<void> {
    for (let found = await this.#found(); found.length > 0; found = await this.#found()) await this.#carryOut(found);
  }

  async #carryOut(found: readonly ErasureOrder[]): Promise<void> {
    const { log, forget, forgetOrigins, removeFile } = this.#parts;
    const reached = await textsReached(found, this.#archive(), (done, total) => {
      this.#task = () => ({ name: 'looking for texts', done, total, unit: 'events' });
    });
    const texts = reached.flatMap(({ position, isEmpty }) => (isEmpty ? [] : position));
    this.#task = () => ({ name: 'emptying texts', done: 0, total: texts.length, unit: 'texts' });
    const gone = passagesIn(texts, found, log);
    await log.erase(texts);
    if (this.#isClosed) throw new Error('the erasure was stopped; it goes on at the next start');
    const events = reached.flatMap(({ position }) => [...log.read({ from: position, limit: 1 })].map(toRecorded));
    const onTask = (task: RebuildTask) => {
      this.#task = () => task;
    };
    await forget({ events, log, gone, onTask });
    const trail = await this.#wholeTrail();
    forgetOrigins([...idsOf('user-', found)].flatMap((user) => trail.correlationsOf(user)));
    forgetOrigins(commentCorrelations(reached, log));
    for (const hash of filesToErase(found, { log, trail })) await removeFile(hash);
    // Only now: if anything fails before, all of it is repeated.
    const last = found.at(-1) as ErasureOrder;
    this.#mark.write(last);
    this.#clean = last.position;
  }

  #archive() {
    const { log, acts } = this.#parts;
    return {
      log,
      get trail() {
        return acts().trail;
      },
    };
  }

  async #wholeTrail(): Promise<TrailTable> {
    const { acts } = this.#parts;
    await acts().followed();
    return acts().trail;
  }
}

/** Hashes of all files of media items with an order of erasure; other items may use the same files. */
function filesToErase(orders: readonly ErasureOrder[], written: Written): readonly string[] {
  const streams = new Set(orders.map(({ stream }) => stream).filter((stream) => stream.startsWith('media-')));
  if (streams.size === 0) return [];
  const own = [...streams].flatMap((stream) => [...written.log.read({ stream })]);
  return [...own, ...elsewhere(written)].flatMap((stored) => {
    const named = codec.files(codec.decode(stored), stored.stream);
    return named !== null && streams.has(named.of) ? named.files.map(({ hash }) => hash) : [];
  });
}

function elsewhere({ log, trail }: Written): readonly StoredEvent[] {
  const found = trail.find({ low: 1, high: trail.position(), backwards: false }, { types });
  return found.flatMap((position) => [...log.read({ from: position, limit: 1 })]);
}

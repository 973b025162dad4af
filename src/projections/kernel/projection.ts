import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Changes } from './changes.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Common members of all projections. `T` reads and writes the tables on one connection. */
interface Described<T> {
  readonly name: string;
  /** To be raised when the tables or their contents change. */
  readonly version: number;
  readonly tables: string;
  /** SQL for indexes that no event needs, each `IF NOT EXISTS`. A long replay creates them at its end. */
  readonly lateIndexes: string;
  /** Whether the rows follow from the log alone, so that two files can be compared. */
  readonly isCompared: boolean;
  readonly touches: readonly string[];
  open(db: DatabaseSync): T;
  /** Reads all rows with checksums, pausing after every few. Throws `ProjectionsDamaged`. */
  scan(tables: Tables, onEntry: (id: number) => void): Iterable<void>;
  /**
   * Gives the rows made from these events the values that a replay would now give them, pausing every few milliseconds. Returns false if
   * only a replay can.
   */
  forget(tables: Tables, erased: Erased): Generator<void, boolean>;
}

/** Events whose sealed texts have been erased, as the log now has them. */
export interface Erased {
  readonly events: readonly RecordedEvent[];
  readonly log: Pick<EventStore, 'read'>;
}

/** A projection that decisions need, written in the transaction of the commit. */
export interface Immediate<T = unknown> extends Described<T> {
  readonly follows: false;
  /** Returns what applies events to the tables; null if other projections write them. */
  fold(opened: Opened): Fold | null;
  /** Returns a listener for changes of entries, or null. */
  onEntry(tables: Tables): OnEntry | null;
}

/** A projection that no decision needs: it has a checkpoint of its own, and catches up after the answer. */
export interface Following<T = unknown> extends Described<T> {
  readonly follows: true;
  concerns(area: string, type: string): boolean;
  carry(tables: Tables): (run: EventRun) => void;
}

export interface Dated<A> {
  past(log: Pick<EventStore, 'read'>, position: number): A;
}

export type Projection<T = unknown> = Immediate<T> | Following<T>;

export interface Opened {
  readonly tables: Tables;
  readonly onEntry: OnEntry;
}

export interface EventRun {
  /** `entry` for the stream `entry-12`. */
  readonly area: string;
  /** 12 in this example; `NaN` for a stream without a number. */
  readonly id: number;
  readonly events: readonly RecordedEvent[];
}

export interface Applying {
  readonly checkpoint: Checkpoint;
  readonly changes: Changes;
}

/** Applies events to tables. The caller manages transactions. */
export interface Fold {
  apply(run: EventRun, applying: Applying): void;
  /** Writes what is held back. `renders` false defers rendering. */
  flush?(renders: boolean): void;
  settle?(): void;
  /** Discards what is held back; the tables are at `checkpoint` again. */
  reset?(checkpoint: Checkpoint): void;
  /** Approximate bytes held back. */
  readonly heldBytes?: number;
}

/** An entry before and after some events; null: it does not exist. */
export interface EntryStep {
  readonly id: number;
  readonly before: Entry | null;
  readonly after: Entry | null;
  /** True if an event changed the entry itself, not only data kept beside it. */
  readonly isChange: boolean;
}

export type OnEntry = (step: EntryStep) => void;

/** The tables of projections on one connection. Statements are prepared on first use. */
export class Tables {
  readonly db: DatabaseSync;
  readonly #opened = new Map<Projection, unknown>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  of<T>(projection: Projection<T>): T {
    const known = this.#opened.get(projection);
    if (known !== undefined) return known as T;
    const opened = projection.open(this.db);
    this.#opened.set(projection, opened);
    return opened;
  }
}

/** Groups consecutive events of the same stream. */
export function runsOf(events: readonly RecordedEvent[]): readonly EventRun[] {
  const runs: EventRun[] = [];
  for (let i = 0; i < events.length; ) {
    const { stream } = (events[i] as RecordedEvent).meta;
    let end = i + 1;
    while (end < events.length && (events[end] as RecordedEvent).meta.stream === stream) end += 1;
    const dash = stream.indexOf('-');
    const area = dash < 0 ? stream : stream.slice(0, dash);
    const id = dash < 0 ? Number.NaN : Number(stream.slice(dash + 1));
    runs.push({ area, id, events: end - i === events.length ? events : events.slice(i, end) });
    i = end;
  }
  return runs;
}

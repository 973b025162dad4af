import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Changes } from './changes.ts';
import type { Checkpoint } from './checkpoint.ts';

/** What every projection says of itself. `T` reads and writes its tables on one connection. */
interface Described<T> {
  readonly name: string;
  /** Raise it when the tables change, or what is written into them. */
  readonly version: number;
  readonly tables: string;
  /** SQL that creates indexes which no event needs, each `IF NOT EXISTS`. A long replay creates them at its end. */
  readonly lateIndexes: string;
  /** Whether its rows follow from the log alone, so that those of two files can be compared. */
  readonly isCompared: boolean;
  readonly touches: readonly string[];
  open(db: DatabaseSync): T;
  /** Reads all rows that have a checksum, with a pause after every few. Throws `ProjectionsDamaged`. */
  scan(tables: Tables, onEntry: (id: number) => void): Iterable<void>;
}

/** A projection that decisions need: it is written in the transaction of the commit. */
export interface Immediate<T = unknown> extends Described<T> {
  readonly follows: false;
  /** What carries events into its tables; null where other projections write them. */
  fold(opened: Opened): Fold | null;
  /** Told what events made of an entry; null where that does not concern it. */
  onEntry(tables: Tables): OnEntry | null;
}

/** A projection that no decision needs: it has a checkpoint of its own, and catches up after the answer. */
export interface Following<T = unknown> extends Described<T> {
  readonly follows: true;
  concerns(area: string, type: string): boolean;
  carry(tables: Tables): (run: Run) => void;
}

export interface Dated<A> {
  past(log: Pick<EventStore, 'read'>, position: number): A;
}

export type Projection<T = unknown> = Immediate<T> | Following<T>;

export interface Opened {
  readonly tables: Tables;
  readonly onEntry: OnEntry;
}

export interface Run {
  /** `entry` of the stream `entry-12`. */
  readonly area: string;
  /** 12 of that; `NaN` where the stream has no number. */
  readonly id: number;
  readonly events: readonly RecordedEvent[];
}

export interface Applying {
  readonly checkpoint: Checkpoint;
  readonly changes: Changes;
}

/** Carries events into tables; transactions are the caller's business. */
export interface Fold {
  apply(run: Run, applying: Applying): void;
  /** Writes what is held back. `renders` false: rendering is left for later; `later`: long texts are left to `writeLong`. */
  flush?(renders: boolean, later: boolean): void;
  /** Writes one of the long texts that were left for later; false: there is none. */
  writeLong?(): boolean;
  /** The result puts what is left for `writeLong` now back after a rollback to here. */
  holdLong?(): () => void;
  readonly isLong?: boolean;
  settle?(): void;
  /** Forgets what is held back; the tables stand at `checkpoint` again. */
  reset?(checkpoint: Checkpoint): void;
  /** Rough size of what is held back, bytes. */
  readonly heldBytes?: number;
}

/** An entry before and after some events; null: it does not exist. */
export interface EntryStep {
  readonly id: number;
  readonly before: Entry | null;
  readonly after: Entry | null;
  /** An event changed the entry itself, not only what is kept beside it. */
  readonly isChange: boolean;
}

export type OnEntry = (step: EntryStep) => void;

/** The tables of projections on one connection. Statements are prepared when they are first asked for. */
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

export function* runsOf(events: readonly RecordedEvent[]): Iterable<Run> {
  for (let i = 0; i < events.length; ) {
    const { stream } = (events[i] as RecordedEvent).meta;
    let end = i + 1;
    while (events[end]?.meta.stream === stream) end += 1;
    const [area = '', id] = stream.split('-');
    yield { area, id: Number(id), events: events.slice(i, end) };
    i = end;
  }
}

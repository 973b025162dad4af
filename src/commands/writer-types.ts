import type { DatabaseSync } from 'node:sqlite';
import type { Tracing } from '#domain/kernel/tracing.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { WriteAhead } from '#eventstore/write-ahead.ts';
import type { Changes } from '#projections/changes.ts';
import type { Projector } from '#projections/projector.ts';
import type { Session } from './session.ts';

export interface WriterParts {
  readonly log: EventStore;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly session: Session;
  readonly writeAhead: Pick<WriteAhead, 'makeRoom' | 'busy'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The same, for commits. Throws `ClockLeapt` while it cannot be trusted. */
  readonly time: () => number;
  /** Milliseconds that the log may be ahead of the clock and still date what is written. */
  readonly clockTolerance: number;
  readonly newId: () => string;
  /** Bytes that one commit may take. */
  readonly commitBytes: number;
  /** Reads are to see what `db` has in its open transaction, because the file does not take it; false: the file again. */
  readonly onHeld: (held: boolean) => void;
  /** Called when commits are in the log and the read model shows them. */
  readonly onCommitted: (changes: Changes, position: number) => void;
  /** Told of what goes wrong where nobody waits for an answer. */
  readonly onFault: (error: unknown) => void;
  /** Told that the log refused what the read model led to: that is damaged. */
  readonly onDamage: (error: Error) => void;
  /** Whether anybody reads what others write. Default: yes. */
  readonly isWatched?: () => boolean;
  readonly meter?: WriteMeter | undefined;
  readonly tracing?: Tracing | undefined;
}

export interface WriteMeter {
  /** A group was committed: pieces of work, and their events. */
  group(works: number, events: number): void;
  /** A group has to be decided again because another node was faster. */
  conflict(): void;
}

export interface Written<T> {
  readonly value: T;
  readonly position: number;
  readonly wrote: boolean;
}

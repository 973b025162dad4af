import type { DatabaseSync } from 'node:sqlite';
import type { Tracing } from '#domain/kernel/tracing.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { WriteAhead } from '#eventstore/write-ahead.ts';
import type { Changes } from '#projections/kernel/changes.ts';
import type { Projector } from '#projections/projector/projector.ts';
import type { Session } from './session.ts';

export interface WriterParts {
  readonly log: EventStore;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly session: Session;
  readonly writeAhead: Pick<WriteAhead, 'makeRoom' | 'busy'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The same, for commits. Throws `ClockLeapt` while the clock cannot be trusted. */
  readonly time: () => number;
  /** How far the log may be ahead of the clock, in milliseconds, and still date what is written. */
  readonly clockTolerance: number;
  readonly newId: () => string;
  /** Maximum size of one commit, in bytes. */
  readonly commitBytes: number;
  /** With true, reads must use the open transaction of `db`, because the file cannot be written; with false, the file again. */
  readonly onHeld: (held: boolean) => void;
  /** Called when commits are in the log and visible in the read model. */
  readonly onCommitted: (changes: Changes, position: number) => void;
  /** Called with failures that no request waits for. */
  readonly onFault: (error: unknown) => void;
  /** Called when the log refuses a commit decided on the read model, or when readers could not be shown all of one: it is made again. */
  readonly onDamage: (error: Error) => void;
  /** Whether this node has active readers. Default: yes. */
  readonly isWatched?: () => boolean;
  readonly meter?: WriteMeter | undefined;
  readonly tracing?: Tracing | undefined;
}

export interface WriteMeter {
  /** A group was committed: its number of jobs and of events. */
  group(works: number, events: number): void;
  /** A group has to be decided again because another node appended first. */
  conflict(): void;
}

export interface Written<T> {
  readonly value: T;
  readonly position: number;
  readonly wrote: boolean;
}

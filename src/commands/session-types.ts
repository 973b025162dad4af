import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Budget, NewEvent } from '#eventstore/port.ts';
import type { Changes } from '#projections/kernel/changes.ts';
import type { Checkpoint } from '#projections/kernel/checkpoint.ts';
import type { Finder } from '#projections/past/reader.ts';
import type { Savepoint } from './savepoints.ts';

/** The user on whose behalf something is written; `viewer` is null for the system itself. */
export interface WriteContext {
  readonly viewer: Viewer | null;
  readonly correlationId: string;
}

/** The context of writes that a node makes by itself. */
export const bySystem: WriteContext = { viewer: null, correlationId: 'start' };

/** When a commit is made, ISO 8601 UTC. */
export interface Times {
  /** Time of the commit in the log, which never goes back. */
  readonly at: string;
  readonly now: string;
}

export interface Bounds extends Times {
  /** Maximum size of the commit, in bytes. */
  readonly room: number;
  readonly sizeOf?: Budget['sizeOf'];
  /** Whether nothing was written in the transaction yet. */
  readonly isFirst?: boolean;
}

export interface StagedCommit {
  readonly events: readonly NewEvent[];
  readonly recorded: readonly RecordedEvent[];
  readonly changes: Changes;
  readonly bytes: number;
}

/** Events of a commit that is being made: for the log, with their sizes, and for the projections. */
export interface StagedPart {
  readonly encoded: readonly NewEvent[];
  readonly sizes: readonly number[];
  readonly recorded: readonly RecordedEvent[];
}

/** What an attempt that fails goes back to. */
export interface AttemptStart {
  readonly checkpoint: Checkpoint;
  readonly staged: number;
  readonly unfinished: number;
  readonly savepoint: Savepoint;
}

/** How a session decides and reads for a while. */
export interface SessionMode {
  /** In whose name something is decided; undefined: in that of whoever makes the commit. */
  readonly viewer?: Viewer | undefined;
  /** Ids that were kept for new items, from the first on, before the second; they are used up. */
  readonly ids?: { from: number; readonly to: number } | undefined;
  /** What is staged gives back an earlier state, which has all that once followed from it. */
  readonly isRestoring?: boolean;
  /** Finds collections with what is staged. Absent: only what is committed is found. */
  readonly finder?: Finder;
}

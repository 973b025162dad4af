import type { RecordedEvent } from '#domain/kernel/event.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Commit, Head, NewEvent } from '#eventstore/port.ts';
import { type Changes, noChanges } from '#projections/kernel/changes.ts';
import { CommitTooLarge } from './commit-size.ts';
import { Refused } from './refused.ts';
import type { Bounds, Session, Times, WriteContext } from './session.ts';
import type { WriterParts, Written } from './writer-types.ts';

export interface Job {
  readonly context: WriteContext;
  readonly work: (session: Session) => unknown;
  readonly resolve: (written: Written<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

export interface Done {
  readonly settle: (position: number) => void;
  readonly commit: Commit | null;
  readonly changes: Changes;
  readonly recorded: readonly RecordedEvent[];
  readonly bytes: number;
  readonly tooLarge: boolean;
}

/** Commits stay in order even if the clock goes back; their content is dated by the clock when the log is far ahead of it. */
export function timesOf(head: Head, { time, clockTolerance }: Pick<WriterParts, 'time' | 'clockTolerance'>): Times {
  const clock = time();
  const now = new Date(clock).toISOString();
  if (head.at === null || head.at <= now) return { at: now, now };
  const isFarAhead = Date.parse(head.at) - clock > clockTolerance;
  return { at: head.at, now: isFarAhead ? now : head.at };
}

/**
 * Runs a job's work in the session, pausing in what may take long. A fault is kept until its group is committed: if the group must be
 * decided again, so must this work.
 */
export function* decideOne(
  job: Job,
  bounds: Required<Bounds>,
  parts: Pick<WriterParts, 'session' | 'newId'>,
): Generator<void, Done> {
  const { session, newId } = parts;
  session.begin(job.context, bounds);
  try {
    const done = yield* session.attemptInTurns(() => ({ result: job.work(session) }));
    if (isRefusal(done)) throw new Refused(done);
    const value = done.result;
    const { events, recorded, changes, bytes } = session.end();
    const wrote = events.length > 0;
    return {
      settle: (position) => job.resolve({ value, position, wrote }),
      commit: wrote ? { ...commitOf(job, events, bounds.at), id: newId() } : null,
      changes,
      recorded,
      bytes,
      tooLarge: false,
    };
  } catch (error) {
    const tooLarge = error instanceof CommitTooLarge;
    const nothing = { commit: null, changes: noChanges(), recorded: [], bytes: 0 };
    return { settle: () => job.reject(error), ...nothing, tooLarge };
  }
}

function commitOf({ context }: Job, events: readonly NewEvent[], at: string): Omit<Commit, 'id'> {
  const { viewer, correlationId } = context;
  return { at, actor: viewer === null ? null : viewer.id, correlationId, causationId: null, events };
}

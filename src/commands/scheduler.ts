import { gmtNow } from '#domain/time/local.ts';
import { regularly } from '#process/guard.ts';
import type { EntryTable } from '#projections/entries/store.ts';
import { CommitTooLarge } from './commit-size.ts';
import { releaseEntry } from './entries.ts';
import type { Writer } from './writer.ts';

export interface Schedule {
  /** Returns the current table, which a rebuild may replace. */
  readonly entries: () => Pick<EntryTable, 'due' | 'nextDue'>;
  readonly writer: Pick<Writer, 'submit'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

/** How often the clock is checked, in milliseconds. */
const tick = 500;
/** Milliseconds after a failure, so that it is not logged twice a second. */
const afterFault = 5000;
/** Maximum number of entries published in one commit; fewer if that would exceed the size of a commit. */
const perCommit = 200;

/**
 * Publishes scheduled entries within a second of their time, including those that came due while no server ran. Returns a function that
 * stops it.
 */
export function startScheduler(schedule: Schedule): () => void {
  return regularly(() => release(schedule), { first: 0, pause: tick, afterFault }, schedule.onError);
}

async function release({ entries, writer, clock }: Schedule): Promise<void> {
  const now = gmtNow(clock());
  const next = entries().nextDue();
  if (next === null || next > now) return;
  const due = entries().due(now);
  for (let from = 0; from < due.length; from += perCommit) await releaseAll(due.slice(from, from + perCommit), writer);
}

async function releaseAll(ids: readonly number[], writer: Schedule['writer']): Promise<void> {
  try {
    await writer.submit({ viewer: null, correlationId: 'schedule' }, (session) => {
      for (const id of ids) releaseEntry(session, id);
    });
  } catch (error) {
    if (!(error instanceof CommitTooLarge) || ids.length === 1) throw error;
    const half = Math.ceil(ids.length / 2);
    await releaseAll(ids.slice(0, half), writer);
    await releaseAll(ids.slice(half), writer);
  }
}

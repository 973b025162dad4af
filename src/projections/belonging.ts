import { type EventStore, LogDamaged } from '#eventstore/port.ts';
import type { Checkpoint } from './database.ts';

/**
 * Holds the log against what the projections have seen of it. A log that lost its end, or was exchanged, looks
 * sound by itself; throws `LogDamaged` then.
 */
export function checkBelonging(log: EventStore, { position, hash }: Checkpoint): void {
  if (position === 0) return;
  const head = log.head().position;
  if (position > head) {
    throw new LogDamaged(
      `the log ends at position ${head}, but the projections have seen position ${position}. ${remedy}`,
      head + 1,
    );
  }
  const [event] = log.read({ from: position, limit: 1 });
  if (event?.hash === hash) return;
  throw new LogDamaged(
    `the log has something else at position ${position} than the projections have seen. ${remedy}`,
    position,
  );
}

const remedy = 'If the log is the right one (a backup, say), remove projections.db and start again.';

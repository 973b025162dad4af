import { missing } from '#eventstore/head-file.ts';
import { type EventStore, LogDamaged } from '#eventstore/port.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import { loadCheckpoint, openReader } from './database.ts';

/**
 * Checks that the log contains what the projections have seen of it. Throws `LogDamaged` when the log was truncated or replaced, which
 * its own checks do not reveal.
 */
export function checkBelonging(log: EventStore, { position, hash }: Checkpoint): void {
  if (position === 0) return;
  const head = log.head().position;
  if (position > head) throw missing(head, position);
  const [event] = log.read({ from: position, limit: 1 });
  if (event?.hash === hash) return;
  throw new LogDamaged(
    `the log has something else at position ${position} than the projections have seen. If it is the right one (of another ` +
      'site, or put there by hand), move all else away but media/, and start again',
    position,
  );
}

/** `checkBelonging` for a file that may be damaged: skipped when its checkpoint is unreadable. */
export function checkFileBelonging(log: EventStore, path: string): void {
  const checkpoint = checkpointIn(path);
  if (checkpoint !== null) checkBelonging(log, checkpoint);
}

/** Position of the projections in a file; 0 if it is missing or damaged. */
export function positionIn(path: string): number {
  return checkpointIn(path)?.position ?? 0;
}

function checkpointIn(path: string): Checkpoint | null {
  try {
    const db = openReader(path);
    try {
      return loadCheckpoint(db);
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { isUnavailable } from '#eventstore/faults.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { renderMissing } from '../entries/render.ts';
import { type Changes, noChanges } from '../kernel/changes.ts';
import { toRecorded } from '../kernel/events-until.ts';
import { createLateIndexes, dropLateIndexes, loadCheckpoint } from './database.ts';
import type { Positions } from './followers.ts';
import type { Projector } from './projector.ts';

export interface CatchUp {
  readonly log: Pick<EventStore, 'head' | 'read'>;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  /** Applies about this number of events at most, in whole commits. Default: all. */
  readonly max?: number;
  /** Approximate bytes that may be held back before they are written. */
  readonly holdBytes?: number;
  /** False defers rendering of texts until they are read, or to idle time. Default: true. */
  readonly render?: boolean;
  /** Milliseconds between saves of a long replay, which limit what a kill loses. Default: 5 seconds. */
  readonly keepEvery?: number | undefined;
  /** Positions at which following projections stop. Default: that of the others. */
  readonly followTo?: Positions;
  /** Called regularly with the position reached and the one to reach. */
  readonly onProgress?: (position: number, head: number) => void;
}

/** From this many events on, rows are held back and rendered at the end: each entry once, however often it changed. */
const bulk = 2000;
/** Whole commits are applied in groups of about this number of events or characters. */
const chunk = 2000;
const chunkText = 4_000_000;
/** Events after which a transaction ends, and the default limit of bytes held back. */
const perTransaction = 1_000_000;
const holdLimit = 256 * 1024 * 1024;
const usualKeeping = 5000;

/** Brings the projections up to the log's head. Returns what changed. Each transaction ends with a whole commit. */
export function catchUp(options: CatchUp): Changes {
  const { log, db, projector, holdBytes = holdLimit, max, render = true, keepEvery = usualKeeping } = options;
  const changes = noChanges();
  projector.rewind(loadCheckpoint(db));
  projector.followers.reload();
  projector.followers.limit(options.followTo ?? new Map());
  const head = endOf(log, projector.checkpoint.position, max);
  try {
    catchUpFollowing(options);
  } catch (error) {
    // On a full disk they catch up later, unless the immediate ones are behind, too: those events would then be skipped.
    if (head > projector.checkpoint.position || !isUnavailable(error)) throw error;
  }
  const inBulk = head - projector.checkpoint.position >= bulk;
  // Also after an interrupted replay: maintaining these indexes takes longer than creating them again.
  if (inBulk && projector.checkpoint.position < head / 2) dropLateIndexes(db);
  let since = 0;
  let keptAt = performance.now();
  try {
    for (const { events, hash } of chunks(log.read({ from: projector.checkpoint.position + 1, to: head }))) {
      if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
      projector.apply(events, changes);
      projector.followers.apply(events);
      projector.checkpoint.hash = hash;
      since += events.length;
      const isDue = performance.now() - keptAt >= keepEvery;
      if (!inBulk || isDue || since >= perTransaction || projector.heldBytes > holdBytes) {
        commit(db, projector, render && !inBulk);
        since = 0;
        keptAt = performance.now();
      }
      options.onProgress?.(projector.checkpoint.position, head);
    }
    if (db.isTransaction) commit(db, projector, render);
    if (inBulk) createLateIndexes(db);
    if (render) renderAll(db);
  } catch (error) {
    standAsSaved(db, projector);
    throw error;
  }
  return changes;
}

type FollowingCatchUp = Pick<CatchUp, 'log' | 'db' | 'projector' | 'keepEvery' | 'onProgress'>;

/** Brings the following projections up to the immediate ones, saving at intervals. */
export function catchUpFollowing({ log, db, projector, keepEvery = usualKeeping, onProgress }: FollowingCatchUp): void {
  const { followers } = projector;
  const { position } = projector.checkpoint;
  if (!followers.isBehind(position)) return;
  let keptAt = performance.now();
  try {
    for (const events of missing(log, projector)) {
      if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
      followers.apply(events);
      if (performance.now() - keptAt >= keepEvery) {
        keepFollowers(db, projector);
        keptAt = performance.now();
      }
      onProgress?.(Math.min(followers.position, position), position);
    }
    if (db.isTransaction) keepFollowers(db, projector);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    followers.reload();
    throw error;
  }
}

function keepFollowers(db: DatabaseSync, { followers }: Projector): void {
  followers.save();
  db.exec('COMMIT');
}

function* missing(log: CatchUp['log'], { checkpoint, followers }: Projector): Iterable<readonly RecordedEvent[]> {
  const { position } = checkpoint;
  const known = followers.missing(position);
  if (known !== null) yield known;
  else for (const { events } of chunks(log.read({ from: followers.position + 1, to: position }))) yield events;
}

function standAsSaved(db: DatabaseSync, projector: Projector): void {
  if (db.isTransaction) db.exec('ROLLBACK');
  projector.rewind(loadCheckpoint(db));
  projector.followers.reload();
}

/**
 * Applies what the log has beyond the file and leaves the transaction open, for when the file cannot be written. Nothing is written to it
 * before the commit.
 */
export function applyUncommitted({ log, db, projector }: Pick<CatchUp, 'log' | 'db' | 'projector'>): void {
  standAsSaved(db, projector);
  db.exec('PRAGMA cache_spill = OFF; BEGIN IMMEDIATE');
  try {
    for (const { events, hash } of chunks(log.read({ from: projector.checkpoint.position + 1 }))) {
      projector.apply(events, noChanges());
      projector.checkpoint.hash = hash;
    }
    projector.flush();
    projector.saveCheckpoint();
    for (const events of missing(log, projector)) projector.followers.apply(events);
    projector.followers.save();
  } catch (error) {
    standAsSaved(db, projector);
    throw error;
  }
}

/** Position to stop at: the log's head, or the end of the commit that reaches `most`. */
function endOf(log: CatchUp['log'], from: number, max = Number.POSITIVE_INFINITY): number {
  const head = log.head().position;
  if (head - from <= max) return head;
  const [last] = log.read({ from: from + max, limit: 1 });
  return last === undefined ? head : last.position + last.commit.n - 1 - last.commit.i;
}

function commit(db: DatabaseSync, projector: Projector, render: boolean): void {
  projector.flush(render);
  projector.saveCheckpoint();
  projector.followers.save();
  db.exec('COMMIT');
}

// Also renders what an interrupted replay left unrendered.
function renderAll(db: DatabaseSync): void {
  const renderSome = renderMissing(db);
  for (let found = 1; found > 0; ) {
    db.exec('BEGIN IMMEDIATE');
    found = renderSome(5000);
    db.exec(found > 0 ? 'COMMIT' : 'ROLLBACK');
  }
}

interface Chunk {
  readonly events: RecordedEvent[];
  readonly hash: string;
}

function* chunks(stored: Iterable<StoredEvent>): Iterable<Chunk> {
  let events: RecordedEvent[] = [];
  let text = 0;
  let last = '';
  for (const event of stored) {
    events.push(toRecorded(event));
    text += event.data.length + (event.sealed?.length ?? 0);
    if (event.hash === null) continue;
    last = event.hash;
    if (events.length < chunk && text < chunkText) continue;
    yield { events, hash: last };
    events = [];
    text = 0;
  }
  if (events.length > 0) yield { events, hash: last };
}

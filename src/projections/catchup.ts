import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#domain/events.ts';
import { UnknownEvent } from '#domain/kernel/codec.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Changes, noChanges } from './changes.ts';
import { loadCheckpoint } from './database.ts';
import { renderMissing } from './entries/render.ts';
import type { Projector } from './projector.ts';
import { createLateIndexes, dropLateIndexes } from './schema.ts';

export interface CatchUp {
  readonly log: Pick<EventStore, 'head' | 'read'>;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  /** Carries over no more than about so many events; whole commits. Default: all there are. */
  readonly most?: number;
  /** About so many bytes are held back before they are written. */
  readonly holdBytes?: number;
  /** False leaves what is sent of texts to be made when it is asked for, after a long replay. Default: true. */
  readonly render?: boolean;
  /** Milliseconds after which a long replay keeps what it has, so that a kill costs no more. Default: 5 seconds. */
  readonly keepEvery?: number | undefined;
  /** Called now and then with the position reached and the one to reach. */
  readonly onProgress?: (position: number, head: number) => void;
}

/** From this many events on, rows are held back and rendered at the end: each entry once, however often it changed. */
const bulk = 2000;
/** Whole commits are carried over in groups of about so many events, or characters of them. */
const chunk = 2000;
const chunkText = 4_000_000;
/** A transaction ends after so many events, or when so many bytes are held back if the caller says nothing else. */
const perTransaction = 1_000_000;
const holdLimit = 256 * 1024 * 1024;
const usualKeeping = 5000;

/** Brings the projections up to the log's head; answers what changed. Each transaction ends with whole commits. */
export function catchUp(options: CatchUp): Changes {
  const { log, db, projector, holdBytes = holdLimit, most, render = true, keepEvery = usualKeeping } = options;
  const changes = noChanges();
  projector.rewind(loadCheckpoint(db));
  const head = endOf(log, projector.checkpoint.position, most);
  const inBulk = head - projector.checkpoint.position >= bulk;
  // Also where an earlier replay was cut off: to keep them up to date takes longer than to make them again.
  if (inBulk && projector.checkpoint.position < head / 2) dropLateIndexes(db);
  let since = 0;
  let keptAt = performance.now();
  try {
    for (const { events, hash } of chunks(log.read({ from: projector.checkpoint.position + 1, to: head }))) {
      if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
      projector.apply(events, changes);
      projector.checkpoint.hash = hash;
      since += events.length;
      const isDue = performance.now() - keptAt >= keepEvery;
      if (!inBulk || isDue || since >= perTransaction || projector.heldBytes > holdBytes) {
        commit(db, projector, !inBulk);
        since = 0;
        keptAt = performance.now();
      }
      options.onProgress?.(projector.checkpoint.position, head);
    }
    if (db.isTransaction) commit(db, projector, render || !inBulk);
    if (inBulk) createLateIndexes(db);
    if (render) renderAll(db);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    projector.rewind(loadCheckpoint(db));
    throw error;
  }
  return changes;
}

/**
 * Applies what the log has beyond the file and leaves the transaction open, for when the file does not take it. Nothing of
 * it is written before it is committed.
 */
export function applyUncommitted({ log, db, projector }: Pick<CatchUp, 'log' | 'db' | 'projector'>): void {
  if (db.isTransaction) db.exec('ROLLBACK');
  projector.rewind(loadCheckpoint(db));
  db.exec('PRAGMA cache_spill = OFF; BEGIN IMMEDIATE');
  try {
    for (const { events, hash } of chunks(log.read({ from: projector.checkpoint.position + 1 }))) {
      projector.apply(events, noChanges());
      projector.checkpoint.hash = hash;
    }
    projector.flush();
    projector.saveCheckpoint();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    projector.rewind(loadCheckpoint(db));
    throw error;
  }
}

/** Where to stop: at the log's head, or at the end of the commit with which there are so many events. */
function endOf(log: CatchUp['log'], from: number, most = Number.POSITIVE_INFINITY): number {
  const head = log.head().position;
  if (head - from <= most) return head;
  const [last] = log.read({ from: from + most, limit: 1 });
  return last === undefined ? head : last.position + last.commit.n - 1 - last.commit.i;
}

/** An event of the log as the domain knows it. */
export function toRecorded(stored: StoredEvent): RecordedEvent {
  const { position, stream, revision, at, actor, correlationId } = stored;
  return { event: decoded(stored), meta: { position, stream, revision, at, actor, correlationId } };
}

function decoded(stored: StoredEvent): DomainEvent {
  try {
    return codec.decode(stored);
  } catch (error) {
    if (!(error instanceof UnknownEvent)) throw error;
    throw new UnknownEvent(
      `the log holds an event of a newer version of this program at position ${stored.position} (${error.message}). ` +
        'Nothing has been changed. Start the newer version on this data',
    );
  }
}

function commit(db: DatabaseSync, projector: Projector, render: boolean): void {
  projector.flush(render);
  projector.saveCheckpoint();
  db.exec('COMMIT');
}

// Also finishes what a replay that was cut off left unrendered.
function renderAll(db: DatabaseSync): void {
  for (let found = 1; found > 0; ) {
    db.exec('BEGIN IMMEDIATE');
    found = renderMissing(db, 5000);
    db.exec('COMMIT');
  }
}

function* chunks(stored: Iterable<StoredEvent>): Iterable<{ events: RecordedEvent[]; hash: string }> {
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

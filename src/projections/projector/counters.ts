import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#catalogue/events.ts';
import { keptIds, newIdOf } from '#domain/identities.ts';
import { migrations } from '#domain/migration/area.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import { ProjectionsDamaged } from '../kernel/sums.ts';
import { plugins } from '../plugins/store.ts';

/** Maximum number of events searched for the last assigned id; if none of them assigned one, streams are checked. */
const maxEvents = 20_000;
/** Number of ids, from the next one on, that must not have a stream in that case. */
const maxStreams = 1000;

/**
 * Checks the next ids against the log: with one that is too low, new items would get the streams of existing ones. Throws
 * `ProjectionsDamaged`.
 */
export function checkCounters(log: Pick<EventStore, 'read' | 'streamHead'>, db: DatabaseSync, at: Checkpoint): void {
  const existed: Existed = (stream) => {
    if (log.streamHead(stream) === 0) return false;
    const [first] = log.read({ stream, limit: 1 });
    return first !== undefined && first.position <= at.position;
  };
  checkItems(log, db, { at, existed });
  for (const table of ['entries', 'media']) {
    if (highest(db, 'ord', table) >= at.nextOrd) throw new ProjectionsDamaged('two items would share their place');
  }
  const { free } = plugins.open(db).get(migrations);
  checkGapless(existed, { of: 'term', next: at.nextTerm, free: free.term });
  checkGapless(existed, { of: 'user', next: at.nextUser, free: free.user });
  checkGapless(existed, { of: 'comment', next: at.nextComment, free: free.comment });
}

type Existed = (stream: string) => boolean;

function checkItems(
  log: Pick<EventStore, 'read'>,
  db: DatabaseSync,
  { at, existed }: { at: Checkpoint; existed: Existed },
): void {
  const { nextId, position } = at;
  const last = lastItem(log, position);
  if (last === null) {
    checkStreams(existed, nextId);
    return;
  }
  if (nextId <= last) throw wrong('id', nextId, last + 1);
  const kept = plugins.open(db).get(migrations).free.item - 1;
  const max = Math.max(last, kept, ...['entries', 'media', 'revisions'].map((table) => highest(db, 'id', table)));
  if (nextId > max + 1) throw wrong('id', nextId, max + 1);
}

/** Returns the last id given to an entry or media item; 0 for none, null if the search takes too long. */
function lastItem(log: Pick<EventStore, 'read'>, position: number): number | null {
  let high = position;
  for (let limit = 16; high > 0 && position - high < maxEvents; limit *= 4) {
    for (const stored of log.read({ from: high, direction: 'backwards', limit })) {
      high = stored.position - 1;
      // Sealed fields are irrelevant here.
      const event = codec.decode({ ...stored, sealed: null });
      const given = [newIdOf(event)].filter((one) => one?.of === 'item').map((one) => one?.id ?? 0);
      const kept = keptIds(event).flatMap(({ of, to }) => (of === 'item' ? [to - 1] : []));
      if (given.length + kept.length > 0) return Math.max(...given, ...kept);
    }
  }
  return high === 0 ? 0 : null;
}

function highest(db: DatabaseSync, column: 'id' | 'ord', table: string): number {
  return Number(db.prepare(`SELECT max(${column}) AS highest FROM ${table}`).get()?.['highest'] ?? -1);
}

function checkStreams(existed: Existed, nextId: number): void {
  for (let id = nextId; id < nextId + maxStreams; id++) {
    if (existed(`entry-${id}`) || existed(`media-${id}`)) throw wrong('id', nextId, id + 1);
  }
}

interface SeriesState {
  readonly of: 'term' | 'user' | 'comment';
  readonly next: number;
  /** First id that no migration has kept; ids that were kept need not have been used. */
  readonly free: number;
}

function checkGapless(existed: Existed, { of, next, free }: SeriesState): void {
  if (existed(`${of}-${next}`)) throw wrong(`${of} id`, next, next + 1);
  if (next > Math.max(1, free) && !existed(`${of}-${next - 1}`)) throw wrong(`${of} id`, next, next - 1);
}

function wrong(what: string, next: number, expected: number): ProjectionsDamaged {
  return new ProjectionsDamaged(
    `the next ${what} is ${next} in the projections, and ${expected} or another by the log`,
  );
}

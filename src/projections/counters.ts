import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#domain/events.ts';
import { newIdOf } from '#domain/identities.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Checkpoint } from './checkpoint.ts';
import { ProjectionsDamaged } from './damage.ts';

/** Most events that are looked through for the last id; where none of them gave one, its streams are asked. */
const mostEvents = 20_000;
/** Ids from the next one on of which no stream may exist then. */
const mostStreams = 1000;

/**
 * Holds the ids that are handed out next against the log: with one that is too low, new things would get the streams of
 * others. Throws `ProjectionsDamaged`.
 */
export function checkCounters(log: Pick<EventStore, 'read' | 'streamHead'>, db: DatabaseSync, at: Checkpoint): void {
  const existed: Existed = (stream) => {
    if (log.streamHead(stream) === 0) return false;
    const [first] = log.read({ stream, limit: 1 });
    return first !== undefined && first.position <= at.position;
  };
  checkItems(log, db, { at, existed });
  checkGapless(existed, 'term', at.nextTerm);
  checkGapless(existed, 'user', at.nextUser);
  checkGapless(existed, 'comment', at.nextComment);
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
  const most = Math.max(last, ...['entries', 'media', 'revisions'].map((table) => highestId(db, table)));
  if (nextId > most + 1) throw wrong('id', nextId, most + 1);
}

/** The last id that was given to one of them; 0 for none, null where it takes too long to find out. */
function lastItem(log: Pick<EventStore, 'read'>, position: number): number | null {
  let high = position;
  for (let limit = 16; high > 0 && position - high < mostEvents; limit *= 4) {
    for (const stored of log.read({ from: high, direction: 'backwards', limit })) {
      high = stored.position - 1;
      // Sealed fields play no part in it.
      const given = newIdOf(codec.decode({ ...stored, sealed: null }));
      if (given?.of === 'item') return given.id;
    }
  }
  return high === 0 ? 0 : null;
}

function highestId(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT max(id) AS id FROM ${table}`).get()?.['id'] ?? 0);
}

function checkStreams(existed: Existed, nextId: number): void {
  for (let id = nextId; id < nextId + mostStreams; id++) {
    if (existed(`entry-${id}`) || existed(`media-${id}`)) throw wrong('id', nextId, id + 1);
  }
}

function checkGapless(existed: Existed, of: 'term' | 'user' | 'comment', next: number): void {
  if (existed(`${of}-${next}`)) throw wrong(`${of} id`, next, next + 1);
  if (next > 1 && !existed(`${of}-${next - 1}`)) throw wrong(`${of} id`, next, next - 1);
}

function wrong(what: string, next: number, expected: number): ProjectionsDamaged {
  return new ProjectionsDamaged(
    `the next ${what} is ${next} in the projections, and ${expected} or another by the log`,
  );
}

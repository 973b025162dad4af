import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type ChainedEvent, EMPTY_HEAD } from '../chain.ts';
import { asLogFault, asRowFault, damagedLog } from '../faults.ts';
import type { Head, StoredEvent } from '../port.ts';
import type { Range } from '../range.ts';
import { sealed } from '../sealed.ts';
import { type LogRow, type RowOf, toChained, toRow, toStored, withSealed } from './row.ts';
import { COLUMNS } from './schema.ts';

export interface LogTable {
  /** Runs `work` in a transaction, durable on return; rolled back when it throws. */
  transaction<T>(work: () => T): T;
  /** Runs `work`, which only reads, on one state of the file: each of many lookups then costs a third. */
  inSnapshot<T>(work: () => T): T;
  insert(event: ChainedEvent): void;
  empty(position: number): void;
  /** Reads events of a range, in chunks: no statement remains open while the caller works on them. */
  events(range: Range): Generator<StoredEvent>;
  chain(range: Range): Generator<ChainedEvent>;
  eventAt(position: number): StoredEvent | undefined;
  /** Time of an event; empty if it does not exist. */
  timeAt(position: number): string;
  streamHead(stream: string): number;
  head(): Head;
}

/** Maximum number of events in a chunk, and the characters after which it ends. */
const CHUNK_EVENTS = 1000;
const CHUNK_TEXT = 4_000_000;

/** Prepares the statements of an open log. Throws SQLite's error when the table is not as expected. */
export function prepareLog(db: DatabaseSync): LogTable {
  const insert = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (${COLUMNS.map(() => '?')})`);
  const empty = db.prepare('UPDATE events SET salt = NULL, sealed = NULL WHERE position = ? AND sealed IS NOT NULL');
  const readChunk = prepareChunks(db);
  const time = prepare<[string]>(db, 'SELECT at FROM events WHERE position = ?');
  const revision = prepare<[number | null]>(db, 'SELECT max(revision) FROM events WHERE stream = ?');

  function* read<E extends StoredEvent>(range: Range, toEvent: (row: LogRow) => E): Generator<E> {
    let { low, high, limit } = range;
    while (low <= high && limit > 0) {
      const chunk = readChunk({ ...range, low, high, limit }, toEvent);
      yield* chunk;
      const last = chunk.at(-1);
      if (last === undefined) return;
      const place = range.stream === null ? last.position : last.revision;
      if (range.backwards) high = place - 1;
      else low = place + 1;
      limit -= chunk.length;
    }
  }

  function head(): Head {
    const newest: Range = {
      stream: null,
      low: 1,
      high: Number.MAX_SAFE_INTEGER,
      backwards: true,
      limit: 1,
      sealed: 'none',
    };
    const [last] = readChunk(newest, toStored);
    if (last === undefined) return EMPTY_HEAD;
    if (last.hash === null) throw damagedLog('The last commit is not whole', last.position - last.commit.i);
    return { position: last.position, hash: last.hash, at: last.at };
  }

  return {
    transaction: prepareTransaction(db, 'BEGIN IMMEDIATE'),
    inSnapshot: prepareTransaction(db, 'BEGIN'),
    insert: (event) => insert.run(...toRow(event)),
    empty: (position) => empty.run(position),
    events: (range) => read(range, toStored),
    chain: (range) => read(range, toChained),
    eventAt(position) {
      const only: Range = { stream: null, low: position, high: position, backwards: false, limit: 1, sealed: 'whole' };
      return readChunk(only, toStored)[0];
    },
    timeAt: (position) => time.get(position)?.[0] ?? '',
    streamHead: (stream) => revision.get(stream)?.[0] ?? 0,
    head,
  };
}

function prepareTransaction(db: DatabaseSync, beginning: string): LogTable['transaction'] {
  const begin = db.prepare(beginning);
  const commit = db.prepare('COMMIT');
  return (work) => {
    try {
      begin.run();
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some faults.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw asLogFault(error, 0);
    }
  };
}

function prepareChunks(db: DatabaseSync): <E extends StoredEvent>(range: Range, toEvent: (row: LogRow) => E) => E[] {
  const query = (column: string, where: string, order: string) => {
    const columns = COLUMNS.map((name) => (name === 'sealed' ? column : name));
    return prepare<ReadRow>(db, `SELECT ${columns} FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`);
  };
  const positions = 'position BETWEEN ? AND ?';
  const revisions = 'stream = ? AND revision BETWEEN ? AND ?';
  const reading = (column: string) => ({
    ofLog: { forwards: query(column, positions, 'position'), backwards: query(column, positions, 'position DESC') },
    ofStream: { forwards: query(column, revisions, 'revision'), backwards: query(column, revisions, 'revision DESC') },
  });
  const parts = { whole: reading(sealed.whole), brief: reading(sealed.brief), none: reading(sealed.none) };

  return ({ stream, low, high, backwards, limit, sealed: part }, toEvent) => {
    const direction = backwards ? 'backwards' : 'forwards';
    const bounds = [low, high, Math.min(limit, CHUNK_EVENTS)];
    const { ofLog, ofStream } = parts[part];
    const events: ReturnType<typeof toEvent>[] = [];
    let read = 0;
    try {
      // A damaged page may be met by the first step already.
      const rows =
        stream === null ? ofLog[direction].iterate(...bounds) : ofStream[direction].iterate(stream, ...bounds);
      for (const row of rows) {
        const event = toEvent(toRowOf(row));
        events.push(event);
        read += event.data.length + (event.sealed?.length ?? 0);
        if (read > CHUNK_TEXT) break;
      }
    } catch (error) {
      throw asRowFault(error, stream === null && !backwards ? low + events.length : 0);
    }
    return events;
  };
}

/** A row with its sealed text as read. */
type ReadRow = RowOf<string | Uint8Array>;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function toRowOf(row: ReadRow): LogRow {
  const text = row[17];
  return text instanceof Uint8Array
    ? withSealed(row as unknown as RowOf<string | Uint8Array>, utf8.decode(text))
    : (row as unknown as LogRow);
}

interface Query<R> {
  get(...values: SQLInputValue[]): R | undefined;
  iterate(...values: SQLInputValue[]): Iterable<R>;
}

function prepare<R>(db: DatabaseSync, sql: string): Query<R> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement as unknown as Query<R>;
}

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ChainedEvent } from '../chain.ts';
import { asLogFault, asRowFault } from '../faults.ts';
import { LogUnavailable, type ReadQuery, type StoredEvent } from '../port.ts';
import { rangeOfRead } from '../range.ts';
import { checkFormat, lastPosition } from './log-file.ts';
import { type QuotedEvent, readQuoted } from './packed.ts';
import { prepareLog } from './statements.ts';

/** A log file as tools read it, with or without a running server, up to its end at the time of opening. Its content is not checked. */
export interface LogReader {
  readonly top: number;
  /** Reads events from a position on (default 1), with their salts. Throws `LogDamaged` when the file is unreadable. */
  chain(from?: number): Iterable<ChainedEvent>;
  /** Reads events as `EventStore.read` does, with their salts. */
  salted(query: ReadQuery): Iterable<ChainedEvent>;
  /** `chain` with sealed texts as bytes, for copies. */
  quoted(from?: number): Iterable<QuotedEvent>;
  /** Reads all events, stream by stream, each from its beginning. Throws `LogDamaged` when the file is unreadable. */
  byStream(): Iterable<PlainEvent>;
  ofStream(stream: string): readonly Pick<PlainEvent, 'type' | 'data'>[];
  close(): void;
}

/** Stream, place and data of an event, without its sealed text. */
export type PlainEvent = Pick<StoredEvent, 'position' | 'stream' | 'revision' | 'type' | 'v' | 'data'>;

type Row = [stream: string, revision: number, position: number, type: string, v: number, data: string];

/** Events read at a time, so that no statement remains open while the caller works on them. */
const CHUNK = 1000;

/** Opens a log file for reading. Throws `LogDamaged` when it is not an event log, `LogUnavailable` when it does not exist. */
export function openLogReader(path: string): LogReader {
  if (!existsSync(path)) throw new LogUnavailable(`there is no event log at ${path}`);
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    checkFormat(db);
    const log = prepareLog(db);
    const top = lastPosition(db, path);
    const ofStream = db.prepare('SELECT type, data FROM events WHERE stream = ? ORDER BY revision');
    return {
      top,
      chain: (from = 1) => log.chain(rangeOfRead({ from }, top)),
      salted: (query) => log.chain(rangeOfRead(query, query.stream === undefined ? top : log.streamHead(query.stream))),
      quoted: (from = 1) => readQuoted(db, from, top),
      byStream: () => readByStream(db, top),
      ofStream: (stream) => chunk(() => ofStream.all(stream) as unknown as Pick<PlainEvent, 'type' | 'data'>[]),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw asLogFault(error, 1);
  }
}

/** Reads events up to a position in the order of the index of streams. */
function* readByStream(db: DatabaseSync, top: number): Generator<PlainEvent> {
  const statement = db.prepare(
    `SELECT stream, revision, position, type, v, data FROM events
     WHERE (stream, revision) > (?, ?) AND position <= ? ORDER BY stream, revision LIMIT ?`,
  );
  statement.setReturnArrays(true);
  let [stream, revision] = ['', 0];
  for (;;) {
    const rows = chunk(() => statement.all(stream, revision, top, CHUNK) as unknown as Row[]);
    for (const row of rows) {
      yield { stream: row[0], revision: row[1], position: row[2], type: row[3], v: row[4], data: row[5] };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    [stream, revision] = last;
  }
}

function chunk<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asRowFault(error, 0);
  }
}

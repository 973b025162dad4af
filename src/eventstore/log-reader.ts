import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ChainedEvent } from './chain.ts';
import { asLogFault } from './faults.ts';
import { checkFormat, lastPosition } from './log-check.ts';
import { type QuotedEvent, readQuoted } from './packed.ts';
import { LogUnavailable } from './port.ts';
import { rangeOfRead } from './range.ts';
import { prepareLog } from './statements.ts';
import { type PlainEvent, readByStream } from './streams.ts';

/** A log file as tools read it, with or without a running server, up to its end at the time of opening. Its content is not checked. */
export interface LogReader {
  readonly top: number;
  /** Reads events from a position on (default 1), with their salts. Throws `LogDamaged` when the file is unreadable. */
  chain(from?: number): Iterable<ChainedEvent>;
  /** `chain` with sealed texts as bytes, for copies. */
  quoted(from?: number): Iterable<QuotedEvent>;
  /** Reads all events, stream by stream, each from its beginning. Throws `LogDamaged` when the file is unreadable. */
  byStream(): Iterable<PlainEvent>;
  ofStream(stream: string): readonly Pick<PlainEvent, 'type' | 'data'>[];
  close(): void;
}

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
      quoted: (from = 1) => readQuoted(db, from, top),
      byStream: () => readByStream(db, top),
      ofStream: (stream) => ofStream.all(stream) as unknown as Pick<PlainEvent, 'type' | 'data'>[],
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw asLogFault(error, 1);
  }
}

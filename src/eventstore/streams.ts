import type { DatabaseSync } from 'node:sqlite';
import { asRowFault } from './faults.ts';
import type { StoredEvent } from './port.ts';

/** Stream, place and data of an event, without its sealed text. */
export type PlainEvent = Pick<StoredEvent, 'position' | 'stream' | 'revision' | 'type' | 'v' | 'data'>;

/** Events read at a time, so that no statement remains open while the caller works on them. */
const CHUNK = 1000;

type Row = [stream: string, revision: number, position: number, type: string, v: number, data: string];

/** Reads events up to a position in the order of the index of streams. */
export function* readByStream(db: DatabaseSync, top: number): Generator<PlainEvent> {
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

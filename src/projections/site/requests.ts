import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import { answersKept, lapsedBy, type RequestEvent, requestKey } from '#domain/request/events.ts';
import { defineProjection } from '../kernel/define.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

export interface RequestRow {
  /** Of the event that has the answer. */
  readonly position: number;
  readonly at: string;
}

/** Where the log has the answers to requests with a key: those of the last day, and the newest of earlier ones. */
export class RequestTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #prune: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT * FROM requests WHERE key = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?)');
    this.#prune = db.prepare(
      `DELETE FROM requests WHERE at <= ? AND at < (SELECT at FROM requests ORDER BY at DESC LIMIT 1 OFFSET ${answersKept - 1})`,
    );
  }

  get(key: string): RequestRow | undefined {
    const row = this.#get.get(key);
    if (row === undefined) return undefined;
    const { sum, ...values } = row as Record<string, string | number>;
    checkSum(sum, sumOf(Object.values(values)), 'requests', key);
    return { position: Number(row['position']), at: String(row['at']) };
  }

  apply({ stream, at, position }: EventMeta): void {
    // Pruned with every answer, so that the rows depend on the events alone. A leap of the log's time removes none of the newest.
    this.#prune.run(lapsedBy(at));
    const values = [requestKey(stream), at, position];
    this.#put.run(...values, sumOf(values));
  }
}

export const requests = defineProjection({
  name: 'requests',
  version: 2,
  tables: `
    -- Where the log has the answers to writes with an idempotency key: those of the last day, by log time, and the newest of the earlier ones.
    CREATE TABLE requests (key TEXT PRIMARY KEY, at TEXT NOT NULL, position INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
    CREATE INDEX requests_by_time ON requests (at);
  `,
  open: (db) => new RequestTable(db),
  area: 'request',
  apply: (table, { meta }: RecordedEvent<RequestEvent>) => table.apply(meta),
  // The rows have no texts.
  forget: () => true,
});

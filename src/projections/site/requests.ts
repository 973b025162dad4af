import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import { answersKept, lapsedBy, type RequestEvent, requestKey } from '#domain/request/events.ts';
import { defineProjection } from '../kernel/define.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

export type RequestRow = RequestEvent['data'] & {
  readonly position: number;
  readonly at: string;
};

/** Answers to requests with a key, on one connection: those of the last day, and the newest of earlier ones. */
export class RequestTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #prune: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT * FROM requests WHERE key = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#prune = db.prepare(
      `DELETE FROM requests WHERE at <= ? AND at < (SELECT at FROM requests ORDER BY at DESC LIMIT 1 OFFSET ${answersKept - 1})`,
    );
  }

  get(key: string): RequestRow | undefined {
    const row = this.#get.get(key);
    if (row === undefined) return undefined;
    const { sum, ...values } = row as Record<string, string | number>;
    checkSum(sum, sumOf(Object.values(values)), 'requests', key);
    return {
      request: String(row['request']),
      status: Number(row['status']),
      headers: JSON.parse(String(row['headers'])) as Record<string, string>,
      type: String(row['type']),
      body: String(row['body']),
      ...(row['late'] === '' ? {} : { late: JSON.parse(String(row['late'])) as RequestEvent['data']['late'] }),
      position: Number(row['position']),
      at: String(row['at']),
    };
  }

  apply({ data }: RequestEvent, { stream, at, position }: EventMeta): void {
    // Pruned with every answer, so that the rows depend on the events alone. A leap of the log's time removes none of the newest.
    this.#prune.run(lapsedBy(at));
    this.#save({ data }, { stream, at, position });
  }

  /** Replaces the values of an answer that is still kept. */
  renew(event: RequestEvent, meta: EventMeta): void {
    if (this.get(requestKey(meta.stream))?.position === meta.position) this.#save(event, meta);
  }

  #save({ data }: Pick<RequestEvent, 'data'>, { stream, at, position }: Pick<EventMeta, 'stream' | 'at' | 'position'>) {
    const { request, status, headers, type, body, late } = data;
    const texts = late === undefined ? '' : JSON.stringify(late);
    const values = [requestKey(stream), at, position, request, status, JSON.stringify(headers), type, body, texts];
    this.#put.run(...values, sumOf(values));
  }
}

export const requests = defineProjection({
  name: 'requests',
  version: 1,
  tables: `
    -- Answers to writes with an idempotency key: those of the last day, by log time, and the newest of the earlier ones.
    CREATE TABLE requests (
      key TEXT PRIMARY KEY, at TEXT NOT NULL, position INTEGER NOT NULL, request TEXT NOT NULL, status INTEGER NOT NULL,
      headers TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, late TEXT NOT NULL, sum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX requests_by_time ON requests (at);
  `,
  open: (db) => new RequestTable(db),
  area: 'request',
  apply: (table, { event, meta }: RecordedEvent<RequestEvent>) => table.apply(event, meta),
  forget(table, { events }) {
    for (const { event, meta } of events)
      if (event.type === 'RequestAnswered') table.renew(event as RequestEvent, meta);
    return true;
  },
});

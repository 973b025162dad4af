import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventMeta } from '#domain/kernel/event.ts';
import type { RequestEvent } from '#domain/request/events.ts';
import { lapsedBy, requestKey } from '#domain/request/state.ts';
import { checkSum, sumOf } from './sums.ts';

/** An answer that is given again when its request comes again. */
export type RequestRow = RequestEvent['data'] & { readonly position: number };

/** Answers to requests with a key, of the last day, on one connection. */
export class RequestTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #prune: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT * FROM requests WHERE key = ? AND at > ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#prune = db.prepare('DELETE FROM requests WHERE at <= ?');
  }

  /** The answer that stands under a key at a time (UTC, ISO 8601 with milliseconds). */
  get(key: string, at: string): RequestRow | undefined {
    const row = this.#get.get(key, lapsedBy(at));
    if (row === undefined) return undefined;
    const { sum, ...values } = row as Record<string, string | number>;
    checkSum(sum, sumOf(Object.values(values)), 'requests', key);
    return {
      request: String(row['request']),
      status: Number(row['status']),
      headers: JSON.parse(String(row['headers'])) as Record<string, string>,
      type: String(row['type']),
      body: String(row['body']),
      position: Number(row['position']),
    };
  }

  apply({ data }: RequestEvent, { stream, at, position }: EventMeta): void {
    const { request, status, headers, type, body } = data;
    // With every answer that comes, so that the rows follow from the events alone.
    this.#prune.run(lapsedBy(at));
    const values = [requestKey(stream), at, position, request, status, JSON.stringify(headers), type, body];
    this.#put.run(...values, sumOf(values));
  }
}

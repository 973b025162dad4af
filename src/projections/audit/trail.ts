import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DomainEvent, EventMeta } from '#domain/kernel/event.ts';
import { defineFollowing } from '../kernel/define.ts';

export interface Marks {
  /** Id of the user; 0: anonymous, null: the system itself. */
  readonly actor?: number | null | undefined;
  readonly types?: readonly string[] | undefined;
  readonly correlationId?: string | undefined;
  /** Any of these. */
  readonly correlationIds?: readonly string[] | undefined;
}

/** Positions from `low` to `high`, both included. */
export interface Stretch {
  readonly low: number;
  readonly high: number;
  readonly backwards: boolean;
}

export interface TrailTally {
  readonly types: readonly (readonly [string, number])[];
  readonly actors: readonly (readonly [number | null, number])[];
}

/**
 * Actor and type of every event in log order. The rows are narrow and have no index: a million of them are scanned in some ten
 * milliseconds, for any combination of conditions, and a write adds one row at the end.
 */
export class TrailTable {
  readonly #db: DatabaseSync;
  readonly #position: StatementSync;
  #insert: StatementSync | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#position = db.prepare("SELECT position FROM following WHERE name = 'trail'");
    this.#position.setReturnArrays(true);
  }

  position(): number {
    const [position] = this.#position.get() as unknown as [number];
    return position;
  }

  find({ low, high, backwards }: Stretch, { actor, types, correlationId, correlationIds }: Marks): number[] {
    const conditions = ['position BETWEEN ? AND ?'];
    const values: (number | string | null)[] = [low, high];
    if (actor !== undefined) {
      conditions.push('actor IS ?');
      values.push(actor);
    }
    if (correlationId !== undefined) {
      conditions.push('correlation = ?');
      values.push(correlationId);
    }
    if (types !== undefined) {
      conditions.push(`type IN (${types.map(() => '?')})`);
      values.push(...types);
    }
    if (correlationIds !== undefined) {
      conditions.push('correlation IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(correlationIds));
    }
    const order = backwards ? 'DESC' : 'ASC';
    const found = this.#db.prepare(
      `SELECT position FROM trail WHERE ${conditions.join(' AND ')} ORDER BY position ${order}`,
    );
    found.setReturnArrays(true);
    return (found.all(...values) as unknown as [number][]).map(([position]) => position);
  }

  typesIn({ low, high }: Omit<Stretch, 'backwards'>): string[] {
    const found = this.#db.prepare('SELECT DISTINCT type FROM trail WHERE position BETWEEN ? AND ?');
    return found.all(low, high).map(({ type }) => String(type));
  }

  correlationsOf(actor: number): string[] {
    const found = this.#db.prepare('SELECT DISTINCT correlation FROM trail WHERE actor = ?');
    return found.all(actor).map(({ correlation }) => String(correlation));
  }

  tally({ low, high }: Omit<Stretch, 'backwards'>): TrailTally {
    const count = <T>(column: string): (readonly [T, number])[] => {
      const counted = this.#db.prepare(
        `SELECT ${column}, count(*) FROM trail WHERE position BETWEEN ? AND ? GROUP BY 1 ORDER BY 2 DESC, 1`,
      );
      counted.setReturnArrays(true);
      return counted.all(low, high) as unknown as [T, number][];
    };
    return { types: count<string>('type'), actors: count<number | null>('actor') };
  }

  note({ type }: DomainEvent, { position, actor, correlationId }: EventMeta): void {
    this.#insert ??= this.#db.prepare('INSERT INTO trail VALUES (?, ?, ?, ?)');
    this.#insert.run(position, actor, type, correlationId);
  }
}

export const trail = defineFollowing({
  name: 'trail',
  version: 0,
  tables: `
    -- Who did what, one row per event in log order. Narrow, so that full scans are fast.
    CREATE TABLE trail (position INTEGER PRIMARY KEY, actor INTEGER, type TEXT NOT NULL, correlation TEXT NOT NULL) STRICT;
  `,
  open: (db) => new TrailTable(db),
  apply: (table, { event, meta }) => table.note(event, meta),
  // Nothing in it is sealed.
  forget: () => true,
});

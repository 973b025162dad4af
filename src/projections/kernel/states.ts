import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CoreEvent } from '#catalogue/events.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import { eachId } from './each-id.ts';
import type { Tables } from './projection.ts';
import { checkSum, sumOf } from './sums.ts';
import { upsertSql } from './versions.ts';

/** The states of streams such as `entry-12`, by number; 0 for a stream without one, such as `site`. */
export interface States<S> {
  get(id?: number): S | undefined;
}

interface Described<S, E extends DomainEvent> {
  /** Also the name of the table. */
  readonly name: string;
  readonly version: number;
  readonly touches?: readonly string[];
  /** `entry` for the streams `entry-12`, `site` for a single one. */
  readonly area: string;
  /** Pure; null: no state. The state must survive `JSON.stringify`. */
  readonly evolve: (state: S | null, recorded: RecordedEvent<E>) => S | null;
}

/**
 * One state per stream of an area, for `defineProjection` or `defineFollowing`, as of any position.
 */
export function statesOf<S, E extends DomainEvent = CoreEvent>({ name, area, evolve, ...rest }: Described<S, E>) {
  return {
    ...rest,
    name,
    area,
    tables: `
      CREATE TABLE ${name} (
        id INTEGER PRIMARY KEY, state TEXT NOT NULL, sum INTEGER NOT NULL, since INTEGER NOT NULL
      ) STRICT;`,
    versioned: { [name]: {} },
    open: (db: DatabaseSync) => new StateTable<S>(db, name),
    apply(table: StateTable<S>, recorded: RecordedEvent<E>, { id: number }: { readonly id: number }) {
      const id = Number.isNaN(number) ? 0 : number;
      table.set(id, evolve(table.get(id) ?? null, recorded));
    },
    scan: (table: StateTable<S>, { db }: Tables) => eachId(db, name, (id) => table.get(id)),
  };
}

class StateTable<S> implements States<S> {
  readonly #name: string;
  readonly #get: StatementSync;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, name: string) {
    this.#name = name;
    this.#get = db.prepare(`SELECT state, sum FROM ${name} WHERE id = ?`);
    this.#db = db;
  }

  get(id = 0): S | undefined {
    const row = this.#get.get(id);
    if (row === undefined) return undefined;
    const state = String(row['state']);
    checkSum(row['sum'], sumOf([id, state]), this.#name, id);
    return JSON.parse(state) as S;
  }

  /** Null removes the state. */
  set(id: number, state: S | null): void {
    if (state === null) {
      this.#db.prepare(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
      return;
    }
    const text = JSON.stringify(state);
    this.#db.prepare(upsertSql(this.#name, ['id', 'state', 'sum'])).run(id, text, sumOf([id, text]));
  }
}

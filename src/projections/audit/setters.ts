import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { beginsStream } from '#catalogue/events.ts';
import type { DomainEvent, EventMeta } from '#domain/kernel/event.ts';
import { defineFollowing } from '../kernel/define.ts';
import { fieldsIn } from './fields.ts';

/**
 * Which events of a stream set which fields, so that the value that a field had is found by one look-up, however long its history is. The
 * first event of a stream is not listed: it is looked at where no other has set a field.
 */
export class SetterTable {
  readonly #db: DatabaseSync;
  readonly #position: StatementSync;
  readonly #last: StatementSync;
  #insert: StatementSync | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#position = db.prepare("SELECT position FROM following WHERE name = 'setters'");
    this.#last = db.prepare('SELECT max(position) FROM setters WHERE stream = ? AND field = ? AND position <= ?');
    for (const statement of [this.#position, this.#last]) statement.setReturnArrays(true);
  }

  position(): number {
    const [position] = this.#position.get() as unknown as [number];
    return position;
  }

  /** Position of the last event up to a position that set a field; null if none is listed. */
  last(stream: string, field: string, high: number): number | null {
    const [position] = this.#last.get(stream, field, high) as unknown as [number | null];
    return position;
  }

  note(event: DomainEvent, { stream, position }: EventMeta): void {
    if (beginsStream(stream, event) === true) return;
    for (const field of Object.keys(fieldsIn(event))) {
      this.#insert ??= this.#db.prepare('INSERT OR IGNORE INTO setters VALUES (?, ?, ?)');
      this.#insert.run(stream, field, position);
    }
  }
}

export const setters = defineFollowing({
  name: 'setters',
  version: 0,
  tables: `
    -- Which event set which field of an item. The first event of each stream is left out.
    CREATE TABLE setters (stream TEXT NOT NULL, field TEXT NOT NULL, position INTEGER NOT NULL,
      PRIMARY KEY (stream, field, position)) STRICT, WITHOUT ROWID;
  `,
  open: (db) => new SetterTable(db),
  apply: (table, { event, meta }) => table.note(event, meta),
  // An erased event counts as one that set all fields that it might have.
  forget(table, { events }) {
    for (const { event, meta } of events) table.note(event, meta);
    return true;
  },
});

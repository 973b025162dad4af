import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AddressEvent } from '#domain/address/events.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { defineProjection } from '../kernel/define.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

class AddressTable {
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT key, sum FROM address_key');
    this.#set = db.prepare('INSERT OR REPLACE INTO address_key VALUES (1, ?, ?)');
  }

  key(): string | null {
    const row = this.#get.get();
    if (row === undefined) return null;
    const key = String(row['key']);
    checkSum(row['sum'], sumOf([key]), 'address_key', 1);
    return key;
  }

  apply(event: AddressEvent): void {
    if (event.type === 'AddressKeyMade') this.#set.run(event.data.key, sumOf([event.data.key]));
  }
}

export const addresses = defineProjection({
  name: 'addresses',
  version: 1,
  tables: `
    -- The key of the digests of mail addresses.
    CREATE TABLE address_key (one INTEGER PRIMARY KEY CHECK (one = 1), key TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  `,
  open: (db) => new AddressTable(db),
  area: 'address',
  apply(table, { event }: RecordedEvent<AddressEvent>) {
    table.apply(event);
  },
  scan(table) {
    table.key();
  },
});

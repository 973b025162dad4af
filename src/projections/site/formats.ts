import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { defineProjection } from '../kernel/define.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

class FormatTable {
  readonly #note: StatementSync;
  readonly #all: StatementSync;

  constructor(db: DatabaseSync) {
    this.#note = db.prepare('INSERT OR IGNORE INTO formats VALUES (?, ?)');
    this.#all = db.prepare('SELECT format, sum FROM formats ORDER BY format');
  }

  /** `standard` means that a post has no format. */
  note(format: string | undefined): void {
    if (format !== undefined && format !== 'standard') this.#note.run(format, sumOf([format]));
  }

  all(): readonly string[] {
    return this.#all.all().map((row) => {
      const format = String(row['format']);
      checkSum(row['sum'], sumOf([format]), 'formats', format);
      return format;
    });
  }
}

export const usedFormats = defineProjection({
  name: 'formats',
  version: 0,
  tables: `
    -- Every post format ever used.
    CREATE TABLE formats (format TEXT PRIMARY KEY, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  open: (db) => new FormatTable(db),
  on: {
    EntryCreated: (table, { event }) => table.note(event.data.format),
    EntryDetailsChanged: (table, { event }) => table.note(event.data.format),
  },
  scan(table) {
    table.all();
  },
  // Formats are not sealed.
  forget: () => true,
});

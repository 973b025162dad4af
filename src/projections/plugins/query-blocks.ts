import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { queryBlocksIn } from '#blocks/query-blocks.ts';
import { defineFollowing } from '../kernel/define.ts';

export class QueryBlocks {
  readonly #of: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT entry FROM query_blocks WHERE query = ? ORDER BY entry');
    this.#put = db.prepare('INSERT OR IGNORE INTO query_blocks VALUES (?, ?)');
    this.#drop = db.prepare('DELETE FROM query_blocks WHERE entry = ?');
  }

  of(query: string): readonly number[] {
    return this.#of.all(query).map((row) => Number(row['entry']));
  }

  /** Replaces the recorded blocks of an entry; `content` is absent when unchanged. */
  save(entry: number, content: string | undefined): void {
    if (content === undefined) return;
    this.remove(entry);
    this.add(entry, content);
  }

  /** Records the blocks of an entry that has none recorded. */
  add(entry: number, content: string): void {
    for (const { id } of queryBlocksIn(content)) this.#put.run(id, entry);
  }

  remove(entry: number): void {
    this.#drop.run(entry);
  }
}

export const queryBlocks = defineFollowing({
  name: 'query-blocks',
  version: 0,
  tables: `
    -- Entries with blocks that list posts, by the query ids of these blocks.
    CREATE TABLE query_blocks (
      query TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (query, entry)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX query_blocks_by_entry ON query_blocks (entry);
  `,
  open: (db) => new QueryBlocks(db),
  on: {
    EntryCreated: (blocks, { event }, { id }) => blocks.add(id, event.data.content),
    EntryRevised: (blocks, { event }, { id }) => blocks.save(id, event.data.content),
    EntryReverted: (blocks, { event }, { id }) => blocks.save(id, event.data.content),
    EntryDeleted: (blocks, _, { id }) => blocks.remove(id),
  },
  // An erased entry is deleted, and so are its rows.
  forget: () => true,
});

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { queryBlocksIn } from '#text/query-blocks.ts';

/** Which entries hold blocks that list posts, by the ids under which more of them is asked for. */
export class QueryBlocks {
  readonly #of: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT entry FROM query_blocks WHERE query = ? ORDER BY entry');
    this.#put = db.prepare('INSERT OR IGNORE INTO query_blocks VALUES (?, ?)');
    this.#drop = db.prepare('DELETE FROM query_blocks WHERE entry = ?');
  }

  /** Entries, whatever their status, that have a block of that id. */
  of(query: string): readonly number[] {
    return this.#of.all(query).map((row) => Number(row['entry']));
  }

  /** Notes the blocks of an entry in place of those it had. */
  save(entry: number, content: string): void {
    this.remove(entry);
    for (const { id } of queryBlocksIn(content)) this.#put.run(id, entry);
  }

  remove(entry: number): void {
    this.#drop.run(entry);
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { predecessors } from '../users/definition.ts';
import { toIds, toTerms } from './columns.ts';
import { wentWithAuthor } from './deletion-table.ts';
import type { PublishedGroup } from './tally.ts';

/** Finds entries of deleted users by their rows, which may still have terms deleted since. */
export class Authored {
  readonly #published: StatementSync;
  readonly #wentFrom: StatementSync;
  readonly #by: StatementSync;

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#published = prepare(
      `SELECT kind, categories, tags, other_terms, count(*) FROM entries
       WHERE author IN (${predecessors}) AND status = 'publish' GROUP BY author, kind, categories, tags, other_terms`,
    );
    this.#wentFrom = prepare(
      `SELECT categories, count(*) FROM entries
       WHERE author IN (SELECT id FROM lost_users WHERE trashed > 0) AND status = 'publish' AND ${wentWithAuthor}
       GROUP BY categories`,
    );
    this.#by = prepare(`SELECT id FROM entries WHERE author IN (${predecessors})`);
  }

  by(author: number): readonly number[] {
    return (this.#by.all(author) as unknown as [number][]).map(([id]) => id);
  }

  publishedBy(author: number): readonly PublishedGroup[] {
    const groups = this.#published.all(author) as unknown as [string, string, string, string, number][];
    return groups.map(([kind, categories, tags, otherTerms, count]) => {
      return { kind, count, categories: toIds(categories), tags: toIds(tags), otherTerms: toTerms(otherTerms) };
    });
  }

  /** Number of entries, per list of categories, that were trashed with their authors but are published according to their rows. */
  wentFrom(): ReadonlyMap<string, number> {
    return new Map(this.#wentFrom.all() as unknown as [string, number][]);
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { predecessors } from '../users/definition.ts';
import { parentsIn } from './passed-on.ts';

const PICTURED = 'CROSS JOIN entries e ON e.featured_media = m.id AND e.featured_media <> 0';

/** SQL: entries whose featured image was attached to a deleted entry `l` and is now attached to its heir `h`. */
const passedOnTo = (condition: string) => `
  SELECT e.id FROM media m ${PICTURED} WHERE m.parent <> 0 AND m.parent IN (
    ${parentsIn(`SELECT l.id FROM lost_parents l LEFT JOIN entries h ON h.id = l.heir WHERE ${condition}`)}
  )`;

export class Featuring {
  readonly #of: StatementSync;
  readonly #attached: StatementSync;
  readonly #attachedBy: StatementSync;
  readonly #touched: StatementSync;

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT id FROM entries WHERE featured_media = ? AND featured_media <> 0 ORDER BY id');
    this.#attached = db.prepare(`
      SELECT e.id FROM media m ${PICTURED}
       WHERE m.parent IN (${parentsIn('SELECT value FROM json_each(?1)')}) AND m.parent <> 0 ORDER BY e.id`);
    this.#attachedBy = db.prepare(`
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.author IN (${predecessors})
      UNION ${passedOnTo(`h.author IN (${predecessors})`)}`);
    this.#touched = db.prepare(`
      SELECT e.id FROM media m ${PICTURED} WHERE m.touched > ?1
      UNION
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.touched > ?1
      UNION ${passedOnTo('h.touched > ?1 OR l.position > ?1')}`);
  }

  of(image: number): number[] {
    return ids(this.#of.all(image));
  }

  /** Entries featuring images that are attached to some entries, even if the last events deleted them. */
  attachedTo(hosts: Iterable<number>): number[] {
    return ids(this.#attached.all(JSON.stringify([...hosts])));
  }

  attachedToThoseOf(author: number): number[] {
    return ids(this.#attachedBy.all(author));
  }

  touchedAfter(position: number): number[] {
    return ids(this.#touched.all(position));
  }
}

function ids(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ id }) => id as number);
}

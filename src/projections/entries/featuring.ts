import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { predecessors } from '../users.ts';

const PICTURED = 'CROSS JOIN entries e ON e.featured_media = m.id AND e.featured_media <> 0';

/** Finds entries by the image that their rows feature. */
export class Featuring {
  readonly #of: StatementSync;
  readonly #attached: StatementSync;
  readonly #attachedBy: StatementSync;
  readonly #touched: StatementSync;

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT id FROM entries WHERE featured_media = ? AND featured_media <> 0 ORDER BY id');
    this.#attached = db.prepare(`
      SELECT e.id FROM media m ${PICTURED}
       WHERE m.parent = ?1 AND m.parent <> 0 AND e.id <> ?1 ORDER BY e.id`);
    this.#attachedBy = db.prepare(`
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.author IN (${predecessors})`);
    this.#touched = db.prepare(`
      SELECT e.id FROM media m ${PICTURED} WHERE m.touched > ?1
      UNION
      SELECT e.id FROM entries h CROSS JOIN media m ON m.parent = h.id AND m.parent <> 0 ${PICTURED} AND e.id <> h.id
       WHERE h.touched > ?1`);
  }

  /** Those of an image, also of one that has been deleted since they were written. */
  of(image: number): number[] {
    return ids(this.#of.all(image));
  }

  /** Those of images that are attached to another entry. */
  attachedTo(host: number): number[] {
    return ids(this.#attached.all(host));
  }

  /** Those of images that are attached to another entry, which a deleted user wrote. */
  attachedToThoseOf(author: number): number[] {
    return ids(this.#attachedBy.all(author));
  }

  /** Those of images that changed since a position, or are attached to an entry that did. */
  touchedAfter(position: number): number[] {
    return ids(this.#touched.all(position));
  }
}

function ids(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ id }) => id as number);
}

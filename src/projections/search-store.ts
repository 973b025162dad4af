import type { DatabaseSync } from 'node:sqlite';
import type { SearchIndex } from './search/index.ts';

/**
 * Keeps the search index in the projections file, so that a start need not make it anew. Parts that are the same
 * as at the last time are not written again.
 */
export class SearchStore {
  readonly #written = new Map<Uint8Array, number>();

  /** Loads the index as it was last written down; answers the position it covers. */
  load(db: DatabaseSync, search: SearchIndex): number {
    // One by one: to put them in order SQLite would copy them all.
    const rows = db.prepare('SELECT id, position FROM search_index ORDER BY place').all();
    const bytes = db.prepare('SELECT bytes FROM search_index WHERE id = ?');
    const parts = rows.map(({ id = 0 }) => bytes.get(id)?.['bytes'] as Uint8Array);
    if (parts.length === 0 || !search.load(parts)) return 0;
    for (const [i, bytes] of parts.entries()) this.#written.set(bytes, Number(rows[i]?.['id']));
    return Number(rows[0]?.['position']);
  }

  /** Writes the index down as it is at a position. */
  save(db: DatabaseSync, search: SearchIndex, position: number): void {
    const parts = search.save();
    const kept = new Set(parts.map((part) => this.#written.get(part)));
    const known = db
      .prepare('SELECT id FROM search_index')
      .all()
      .map((row) => Number(row['id']));
    db.exec('BEGIN IMMEDIATE');
    try {
      const remove = db.prepare('DELETE FROM search_index WHERE id = ?');
      for (const id of known) if (!kept.has(id)) remove.run(id);
      const insert = db.prepare('INSERT INTO search_index (place, position, bytes) VALUES (?, ?, ?) RETURNING id');
      const move = db.prepare('UPDATE search_index SET place = ?, position = ? WHERE id = ?');
      const written = parts.map((bytes, place): [Uint8Array, number] => {
        const id = this.#written.get(bytes);
        if (id === undefined) return [bytes, Number(insert.get(place, position, bytes)?.['id'])];
        move.run(place, position, id);
        return [bytes, id];
      });
      db.exec('COMMIT');
      this.#written.clear();
      for (const [bytes, id] of written) this.#written.set(bytes, id);
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}

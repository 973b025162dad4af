import type { DatabaseSync } from 'node:sqlite';
import type { SearchIndex } from './search/index.ts';

/** Bytes that are written in one go: some milliseconds of work. */
const usualPiece = 512 * 1024;
/** The pieces of a part have the numbers from `part * mostPieces` on. */
const mostPieces = 2 ** 20;

/** Where a part of the index lies, and how many bytes it has. */
interface Written {
  readonly part: number;
  readonly size: number;
}

/**
 * Keeps the search index in the projections file, so that a start need not make it anew. Parts that are the same
 * as at the last time are not written again.
 */
export class SearchStore {
  readonly #written = new Map<Uint8Array, Written>();
  readonly #pieceSize: number;

  /** `pieceSize` must be the same for whoever loads what another has saved. */
  constructor(pieceSize = usualPiece) {
    this.#pieceSize = pieceSize;
  }

  /** Loads the index as it was last written down; answers the position it covers. */
  load(db: DatabaseSync, search: SearchIndex): number {
    const row = db.prepare('SELECT position, state, parts FROM search_index').get();
    if (row === undefined) return 0;
    const written = JSON.parse(String(row['parts'])) as Written[];
    const parts = written.map((one) => this.#read(db, one));
    if (!search.load([row['state'] as Uint8Array, ...parts])) return 0;
    for (const [i, bytes] of parts.entries()) this.#written.set(bytes, written[i]!);
    return Number(row['position']);
  }

  /**
   * Writes the index down, with a pause after every few milliseconds of it; it covers the position at which it is told
   * that it is complete. Between two pauses no transaction may be open on the connection. What is broken off does no harm.
   */
  *save(db: DatabaseSync, search: SearchIndex, position: () => number): Generator<void> {
    // Parts can come and go while others are written.
    for (let part = this.#next(search); part !== undefined; part = this.#next(search)) {
      yield* this.#write(db, part);
    }
    const [state = new Uint8Array(), ...parts] = search.save();
    const written = parts.map((bytes) => this.#written.get(bytes)!);
    db.prepare('INSERT OR REPLACE INTO search_index VALUES (1, ?, ?, ?)').run(
      position(),
      state,
      JSON.stringify(written),
    );
    for (const bytes of this.#written.keys()) if (!parts.includes(bytes)) this.#written.delete(bytes);
    yield;
    yield* this.#removeOthers(db);
  }

  /** A part that is not written down yet. */
  #next(search: SearchIndex): Uint8Array | undefined {
    return search
      .save()
      .slice(1)
      .find((bytes) => !this.#written.has(bytes));
  }

  *#write(db: DatabaseSync, bytes: Uint8Array): Generator<void> {
    const insert = db.prepare('INSERT INTO search_parts VALUES (?, ?)');
    const part =
      Math.floor(Number(db.prepare('SELECT max(id) AS id FROM search_parts').get()?.['id'] ?? 0) / mostPieces) + 1;
    for (let at = 0; at < bytes.length; at += this.#pieceSize) {
      insert.run(part * mostPieces + at / this.#pieceSize, bytes.subarray(at, at + this.#pieceSize));
      yield;
    }
    this.#written.set(bytes, { part, size: bytes.length });
  }

  *#removeOthers(db: DatabaseSync): Generator<void> {
    const kept = new Set([...this.#written.values()].map(({ part }) => part));
    const remove = db.prepare('DELETE FROM search_parts WHERE id = ?');
    for (const row of db.prepare('SELECT id FROM search_parts').all()) {
      const id = Number(row['id']);
      if (kept.has(Math.floor(id / mostPieces))) continue;
      remove.run(id);
      yield;
    }
  }

  #read(db: DatabaseSync, { part, size }: Written): Uint8Array {
    const bytes = new Uint8Array(size);
    const pieces = db.prepare('SELECT id, bytes FROM search_parts WHERE id BETWEEN ? AND ?');
    const first = part * mostPieces;
    for (const row of pieces.iterate(first, first + mostPieces - 1)) {
      bytes.set(row['bytes'] as Uint8Array, (Number(row['id']) - first) * this.#pieceSize);
    }
    return bytes;
  }
}

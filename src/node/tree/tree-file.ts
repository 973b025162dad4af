import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { sumOf } from '#projections/kernel/sums.ts';
import type { Digest, Subtrees } from '#tlog/tree.ts';
import { countAt, ENTRIES, GrowingRows, HASH_BYTES, ROW_WIDTH, rowAbove, sumOfRow } from './tree-rows.ts';

/** Full rows that are kept in memory: all of the upper levels of a tree of some million leaves. */
const keptRows = 64;
/** Rows of lower levels are so many that one is rarely needed again. */
const upper = 8;
/** Rows that are made again one by one; a file with more damage is made again as a whole, in the background. */
const mostMended = 64;

export const treeSchema = `
-- A row fits into a page.
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
-- Rows without checksums, as they were written before.
DROP TABLE IF EXISTS hashes;
DROP TABLE IF EXISTS chain;
-- Hashes of the complete subtrees of each level, 256 in a row; entries at level -1.
CREATE TABLE IF NOT EXISTS tiles (
  level INTEGER NOT NULL, tile INTEGER NOT NULL, hashes BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (level, tile)
) STRICT, WITHOUT ROWID;
-- Number of leaves, and the chain hash of the newest commit in the tree, which covers all events before.
CREATE TABLE IF NOT EXISTS extent (
  one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, hash TEXT NOT NULL, sum INTEGER NOT NULL
) STRICT;
`;

/** What a tree is made of. */
export interface TreeSource {
  /** The entries of a range of leaves, the first of which is 0. */
  entries(from: number, to: number): readonly Uint8Array[];
  /** The chain hash of the log at a position; null: no commit ends there. */
  hashAt(position: number): string | null;
  /** Called when something in the file was not as it was written, and was made again. */
  onDamage(what: string): void;
}

/** Number of leaves and chain hash of a tree. */
export interface TreeExtent {
  readonly size: number;
  readonly hash: string | null;
}

const EMPTY: TreeExtent = { size: 0, hash: null };

/** The rows in a file that are as they were written, beside a server that may write it. */
export class StoredRows {
  readonly #db: DatabaseSync;
  readonly #get: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#get = db.prepare('SELECT hashes, sum FROM tiles WHERE level = ? AND tile = ?');
  }

  /** The hashes of a row, one after the other; empty if there is none, or only a damaged one. */
  tile(level: number, tile: number): Uint8Array {
    return this.find(level, tile) ?? new Uint8Array();
  }

  /** The same; null: it is damaged. */
  find(level: number, tile: number): Uint8Array | null {
    const row = this.#get.get(level, tile);
    if (row === undefined) return new Uint8Array();
    const hashes = row['hashes'] as Uint8Array;
    return row['sum'] === sumOfRow(level, tile, hashes) && hashes.length % HASH_BYTES === 0 ? hashes : null;
  }

  /** Null: it is damaged. */
  get extent(): TreeExtent | null {
    const row = this.#db.prepare('SELECT size, hash, sum FROM extent').get();
    if (row === undefined) return EMPTY;
    const [size, hash] = [Number(row['size']), String(row['hash'])];
    return row['sum'] === sumOf([size, hash]) ? { size, hash } : null;
  }
}

/**
 * The Merkle tree over the events of a log, in a file that follows from the log. Each hash is written once; after a power failure the
 * newest may be missing. Every row is checked when it is read, and made again from those below it, in the end from the log.
 *
 * One leaf per event, so that the size of the tree is a position, and a proof of one event shows nothing of the others in its commit. It is
 * no table of the projections: it takes the stored rows, not what they mean.
 *
 * Why, and what was rejected: `docs/adr/0070-a-transparency-log.md`.
 */
export class TreeFile implements Subtrees {
  readonly #db: DatabaseSync;
  readonly #source: TreeSource;
  readonly #stored: StoredRows;
  readonly #put: StatementSync;
  readonly #growing = new GrowingRows((...row) => this.#save(...row));
  /** Full rows of upper levels, which never change. */
  readonly #full = new Map<string, Uint8Array>();
  #mended = 0;
  #size = 0;

  constructor(db: DatabaseSync, source: TreeSource) {
    this.#db = db;
    this.#source = source;
    this.#stored = new StoredRows(db);
    this.#put = db.prepare('INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)');
    this.#load();
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  hash(level: number, index: number): Digest {
    const [tile, place] = [Math.floor(index / ROW_WIDTH), index % ROW_WIDTH];
    const hashes = this.tile(level, tile);
    if ((place + 1) * HASH_BYTES > hashes.length)
      throw new RangeError(`the tree has no subtree ${index} of level ${level}`);
    return hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  }

  /** The hashes of a row, one after the other, or the entries of one; empty if there are none. */
  tile(level: number, tile: number): Uint8Array {
    const growing = this.#growing.at(level);
    if (growing?.tile === tile) return Buffer.concat(growing.hashes);
    const width = Math.min(ROW_WIDTH, countAt(level, this.#size) - tile * ROW_WIDTH);
    if (width <= 0) return new Uint8Array();
    return level < upper ? this.#row(level, tile, width) : this.#upper(level, tile, width);
  }

  /** Adds the entries of whole commits, all of them or none. `chainHash`: that of the last commit. */
  append(entries: readonly Uint8Array[], chainHash: string): void {
    const size = this.#size + entries.length;
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      for (const entry of entries) this.#growing.append(entry);
      this.#growing.eachGrown((...row) => this.#save(...row));
      this.#db
        .prepare('INSERT OR REPLACE INTO extent VALUES (1, ?, ?, ?)')
        .run(size, chainHash, sumOf([size, chainHash]));
      this.#db.exec('COMMIT');
      this.#size = size;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#load();
      throw error;
    }
  }

  /** Removes everything. */
  clear(): void {
    this.#db.exec('DELETE FROM tiles; DELETE FROM extent');
    this.#full.clear();
    this.#growing.clear();
    this.#mended = 0;
    this.#size = 0;
  }

  #upper(level: number, tile: number, width: number): Uint8Array {
    const key = `${level} ${tile}`;
    const known = this.#full.get(key);
    if (known !== undefined) return known;
    const hashes = this.#row(level, tile, width);
    if (this.#full.size === keptRows) this.#full.clear();
    if (hashes.length === ROW_WIDTH * HASH_BYTES) this.#full.set(key, hashes);
    return hashes;
  }

  #row(level: number, tile: number, width: number): Uint8Array {
    const found = this.#stored.find(level, tile);
    if (found !== null && found.length >= width * HASH_BYTES) return found;
    if (this.#mended === mostMended) {
      this.clear();
      throw new Error('the tree is damaged in many places, and is made again from the log');
    }
    this.#mended += 1;
    const made = this.#made(level, tile, width);
    this.#save(level, tile, made);
    this.#source.onDamage(`row ${tile} of level ${level} was not what was written, and was made again`);
    return made;
  }

  /** Makes a row from those below it, or from the log. */
  #made(level: number, tile: number, width: number): Buffer {
    const from = tile * ROW_WIDTH;
    if (level === ENTRIES) return Buffer.concat(this.#source.entries(from, from + width));
    if (level === 0) return rowAbove(0, this.tile(ENTRIES, tile)).subarray(0, width * HASH_BYTES);
    const below = [this.tile(level - 1, 2 * tile), this.tile(level - 1, 2 * tile + 1)];
    return rowAbove(level, Buffer.concat(below)).subarray(0, width * HASH_BYTES);
  }

  #save(level: number, tile: number, hashes: Uint8Array): void {
    this.#put.run(level, tile, hashes, sumOfRow(level, tile, hashes));
  }

  /**
   * Makes the last row of each level anew, since what is signed next follows from them, and compares them with the file. The file is of
   * another log, or of this one before it was restored or rewritten, unless the chain is the same: its hash covers all that was before.
   */
  #load(): void {
    this.#growing.clear();
    const extent = this.#stored.extent;
    if (extent === null) this.#source.onDamage('it was not what was written, and is made again');
    if (extent === null || (extent.size > 0 && this.#source.hashAt(extent.size) !== extent.hash)) {
      this.clear();
      return;
    }
    this.#size = extent.size;
    for (let level = ENTRIES; level <= 0 || countAt(level, this.#size) > 0; level++) this.#loadLast(level);
  }

  #loadLast(level: number): void {
    const count = countAt(level, this.#size);
    const [tile, width] = [Math.floor(count / ROW_WIDTH), count % ROW_WIDTH];
    if (width === 0) {
      this.#growing.set(level, tile, new Uint8Array());
      return;
    }
    const made = this.#made(level, tile, width);
    this.#growing.set(level, tile, made);
    const stored = this.#stored.find(level, tile);
    if (stored !== null && Buffer.compare(stored, made) === 0) return;
    this.#save(level, tile, made);
    this.#source.onDamage(`the last row of level ${level} was not what follows from the log, and was made again`);
  }
}

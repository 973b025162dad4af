import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Digest, leafHash, nodeHash, type Subtrees } from '#transparency/tree.ts';

/** Full rows that are kept in memory: all of the upper levels of a tree of some million leaves. */
const keptRows = 64;
/** Rows of lower levels are so many that one is rarely needed again. */
const upper = 8;
/** Hashes in one row: a tile of C2SP tlog-tiles at every eighth level. */
const WIDTH = 256;
const SIZE = 32;

export const treeSchema = `
-- A row fits into a page.
PRAGMA page_size = 16384;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
-- Hashes of the complete subtrees of each level, 256 in a row.
CREATE TABLE IF NOT EXISTS hashes (
  level INTEGER NOT NULL, tile INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, tile)
) STRICT, WITHOUT ROWID;
-- Chain hash of the newest commit in the tree, which covers all events before.
CREATE TABLE IF NOT EXISTS chain (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL) STRICT;
`;

/**
 * The Merkle tree over the events of a log, in a file that follows from the log. Each hash is written once; after a power failure the
 * newest may be missing.
 */
export class TreeFile implements Subtrees {
  readonly #db: DatabaseSync;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  /** The last row of each level, which is not full. */
  readonly #growing: { tile: number; hashes: Digest[] }[] = [];
  /** Full rows of upper levels, which never change. */
  readonly #full = new Map<string, Uint8Array>();
  #size: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#get = db.prepare('SELECT hashes FROM hashes WHERE level = ? AND tile = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO hashes VALUES (?, ?, ?)');
    this.#size = this.#load();
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  hash(level: number, index: number): Digest {
    const [tile, place] = [Math.floor(index / WIDTH), index % WIDTH];
    const hashes = this.tile(level, tile);
    if ((place + 1) * SIZE > hashes.length) throw new RangeError(`the tree has no subtree ${index} of level ${level}`);
    return hashes.subarray(place * SIZE, (place + 1) * SIZE);
  }

  /** The hashes of a row, one after the other; empty if there are none. */
  tile(level: number, tile: number): Uint8Array {
    const growing = this.#growing[level];
    if (growing?.tile === tile) return Buffer.concat(growing.hashes);
    return level < upper ? this.#read(level, tile) : this.#upper(level, tile);
  }

  /** Chain hash of the newest commit in the tree; null if it is empty. */
  get chainHash(): string | null {
    const row = this.#db.prepare('SELECT hash FROM chain').get();
    return row === undefined ? null : String(row['hash']);
  }

  /** Adds the leaves of whole commits, all of them or none. `chainHash`: that of the last commit. */
  append(entries: readonly Uint8Array[], chainHash: string): void {
    const touched = new Set<number>();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      for (const entry of entries) this.#add(0, leafHash(entry), touched);
      for (const level of touched) this.#save(level);
      this.#db.prepare('INSERT OR REPLACE INTO chain VALUES (1, ?)').run(chainHash);
      this.#db.exec('COMMIT');
      this.#size += entries.length;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#size = this.#load();
      throw error;
    }
  }

  /** Removes everything. */
  clear(): void {
    this.#db.exec('DELETE FROM hashes; DELETE FROM chain');
    this.#full.clear();
    this.#size = this.#load();
  }

  #upper(level: number, tile: number): Uint8Array {
    const key = `${level} ${tile}`;
    const known = this.#full.get(key);
    if (known !== undefined) return known;
    const hashes = this.#read(level, tile);
    if (this.#full.size === keptRows) this.#full.clear();
    if (hashes.length === WIDTH * SIZE) this.#full.set(key, hashes);
    return hashes;
  }

  #read(level: number, tile: number): Uint8Array {
    return (this.#get.get(level, tile)?.['hashes'] ?? new Uint8Array()) as Uint8Array;
  }

  #add(level: number, digest: Digest, touched: Set<number>): void {
    this.#growing[level] ??= { tile: 0, hashes: [] };
    const growing = this.#growing[level];
    const left = growing.hashes.at(-1);
    const isRight = growing.hashes.length % 2 === 1;
    growing.hashes.push(digest);
    touched.add(level);
    if (isRight && left !== undefined) this.#add(level + 1, nodeHash(left, digest), touched);
    if (growing.hashes.length < WIDTH) return;
    this.#save(level);
    this.#growing[level] = { tile: growing.tile + 1, hashes: [] };
  }

  #save(level: number): void {
    const { tile, hashes } = this.#growing[level] ?? { tile: 0, hashes: [] };
    if (hashes.length > 0) this.#put.run(level, tile, Buffer.concat(hashes));
  }

  /** Finds the last row of each level, without reading the others. */
  #load(): number {
    this.#growing.length = 0;
    const last = this.#db.prepare('SELECT tile, hashes FROM hashes WHERE level = ? ORDER BY tile DESC LIMIT 1');
    for (let row = last.get(0); row !== undefined; row = last.get(this.#growing.length)) {
      const bytes = row['hashes'] as Uint8Array;
      const tile = Number(row['tile']);
      const hashes = Array.from({ length: bytes.length / SIZE }, (_, i) => bytes.subarray(i * SIZE, (i + 1) * SIZE));
      this.#growing.push(hashes.length === WIDTH ? { tile: tile + 1, hashes: [] } : { tile, hashes });
    }
    const [leaves] = this.#growing;
    return leaves === undefined ? 0 : leaves.tile * WIDTH + leaves.hashes.length;
  }
}

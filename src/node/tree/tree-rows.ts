import { crc32 } from 'node:zlib';
import { type Digest, leafHash, nodeHash } from '#tlog/tree.ts';

/** Hashes in one row: a tile of C2SP tlog-tiles at every eighth level. */
export const ROW_WIDTH = 256;
/** Bytes of a hash. */
export const HASH_BYTES = 32;
/** The level of the rows of entries, which lie below the leaves. */
export const ENTRIES = -1;

/** Takes a row: the hashes of complete subtrees of a level, or entries, one after the other. */
export type TakeRow = (level: number, tile: number, hashes: Buffer) => void;

/** The rows of a tree that grows: of each level the last, which is not full. Takes full ones with `onFull`. */
export class GrowingRows {
  readonly #onFull: TakeRow;
  /** By level, the entries first. */
  readonly #last: { tile: number; hashes: Digest[] }[] = [];
  readonly #touched = new Set<number>();

  constructor(onFull: TakeRow) {
    this.#onFull = onFull;
  }

  append(entry: Uint8Array): void {
    this.#add(ENTRIES, entry);
    this.#add(0, leafHash(entry));
  }

  /** The last row of a level; undefined if it is full or there is none. */
  at(level: number): { readonly tile: number; readonly hashes: readonly Digest[] } | undefined {
    return this.#last[level - ENTRIES];
  }

  /** Sets the last row of a level as it was before. */
  set(level: number, tile: number, hashes: Uint8Array): void {
    this.#last[level - ENTRIES] = { tile, hashes: hashesIn(hashes) };
  }

  /** Calls back with the rows that have grown since the last time. */
  eachGrown(take: TakeRow): void {
    for (const level of this.#touched) {
      const { tile, hashes } = this.at(level) ?? { tile: 0, hashes: [] };
      if (hashes.length > 0) take(level, tile, Buffer.concat(hashes));
    }
    this.#touched.clear();
  }

  clear(): void {
    this.#last.length = 0;
    this.#touched.clear();
  }

  #add(level: number, digest: Digest): void {
    this.#last[level - ENTRIES] ??= { tile: 0, hashes: [] };
    const growing = this.#last[level - ENTRIES] as { tile: number; hashes: Digest[] };
    const left = growing.hashes.at(-1);
    const isRight = growing.hashes.length % 2 === 1;
    growing.hashes.push(digest);
    this.#touched.add(level);
    if (level !== ENTRIES && isRight && left !== undefined) this.#add(level + 1, nodeHash(left, digest));
    if (growing.hashes.length < ROW_WIDTH) return;
    this.#onFull(level, growing.tile, Buffer.concat(growing.hashes));
    this.#last[level - ENTRIES] = { tile: growing.tile + 1, hashes: [] };
  }
}

/** The hashes of a row of some level that follow from those below it: the row of entries, or both rows of the level below. */
export function rowAbove(level: number, below: Uint8Array): Buffer {
  const hashes = hashesIn(below);
  if (level === 0) return Buffer.concat(hashes.map(leafHash));
  const pairs = Array.from({ length: hashes.length >> 1 }, (_, i) => hashes.slice(2 * i, 2 * i + 2));
  return Buffer.concat(pairs.map(([left, right]) => nodeHash(left as Digest, right as Digest)));
}

/** Number of complete subtrees of a level, or of entries, in a tree of `size` leaves. */
export function countAt(level: number, size: number): number {
  return Math.floor(size / 2 ** Math.max(level, 0));
}

/** Covers the place of a row as well as its content. */
export function sumOfRow(level: number, tile: number, hashes: Uint8Array): number {
  return crc32(hashes, crc32(`${level}/${tile}`));
}

function hashesIn(row: Uint8Array): Digest[] {
  return Array.from({ length: row.length / HASH_BYTES }, (_, i) => row.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

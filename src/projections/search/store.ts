import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { defineProjection } from '../kernel/define.ts';
import type { SearchIndex } from './index.ts';

/** Suffix of the directory with the parts of the search index, after the name of the projections file. */
export const searchSuffix = '-search';

/** Bytes written at once: some milliseconds of work. */
const usualPiece = 512 * 1024;
// Each piece is synced as it is written, so that nothing has to wait for a sync of all of them.
const forWriting = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_DSYNC ?? 0);

/** File number, size in bytes and CRC-32 of a part of the index. */
interface Written {
  readonly part: number;
  readonly size: number;
  readonly crc: number;
}

/** Position that the saved index covers; 0 if none is saved, or not all of it is there. */
export function savedPosition(db: DatabaseSync): number {
  const row = db.prepare('SELECT position, parts FROM search_index').get();
  if (row === undefined) return 0;
  const written = JSON.parse(String(row['parts'])) as Written[];
  const isThere = ({ part, size }: Written) => statSync(pathOf(db, part), { throwIfNoEntry: false })?.size === size;
  return written.every(isThere) ? Number(row['position']) : 0;
}

/**
 * Saves the search index, so that a start need not rebuild it: its parts in files beside the projections, and the list of current parts
 * in the database. Unchanged parts are not written again.
 */
export class SearchStore {
  readonly #written = new Map<Uint8Array, Written>();
  readonly #pieceSize: number;

  constructor(pieceSize = usualPiece) {
    this.#pieceSize = pieceSize;
  }

  /** Loads the saved index. Returns the position it covers; 0 if it cannot be read. */
  load(db: DatabaseSync, search: SearchIndex): number {
    const row = db.prepare('SELECT position, state, parts FROM search_index').get();
    if (row === undefined) return 0;
    const written = JSON.parse(String(row['parts'])) as Written[];
    const parts = written.flatMap((one) => readPart(pathOf(db, one.part), one) ?? []);
    if (!search.load([row['state'] as Uint8Array, ...parts])) return 0;
    for (const [i, bytes] of parts.entries()) this.#written.set(bytes, written[i]!);
    return Number(row['position']);
  }

  /**
   * Saves the index, pausing every few milliseconds. It covers the position that `position` returns after all parts are written. No
   * transaction may be open on the connection during a pause. Aborting is harmless.
   */
  *save(db: DatabaseSync, search: SearchIndex, position: () => number): Generator<void> {
    // Parts may appear or disappear while others are written.
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
    yield* removeOthers(db, written);
  }

  /** Removes what was saved. The caller commits. */
  remove(db: DatabaseSync): void {
    db.exec('DELETE FROM search_index');
    rmSync(directoryOf(db), { recursive: true, force: true });
    this.#written.clear();
  }

  #next(search: SearchIndex): Uint8Array | undefined {
    return search
      .save()
      .slice(1)
      .find((bytes) => !this.#written.has(bytes));
  }

  *#write(db: DatabaseSync, bytes: Uint8Array): Generator<void> {
    mkdirSync(directoryOf(db), { recursive: true });
    const part = Math.max(0, ...partsIn(db)) + 1;
    const file = openSync(pathOf(db, part), forWriting, 0o600);
    let crc = 0;
    try {
      for (let at = 0; at < bytes.length; ) {
        const length = writeSync(file, bytes, at, Math.min(this.#pieceSize, bytes.length - at));
        crc = crc32(bytes.subarray(at, at + length), crc);
        at += length;
        yield;
      }
    } finally {
      closeSync(file);
    }
    this.#written.set(bytes, { part, size: bytes.length, crc });
  }
}

export function copySearch(from: string, to: string): void {
  try {
    cpSync(from + searchSuffix, to + searchSuffix, { recursive: true });
  } catch {
    // Without some or all of the parts, the index is rebuilt.
  }
}

function directoryOf(db: DatabaseSync): string {
  const path = db.location();
  if (path === null) throw new TypeError('Projections in memory have no place for a search index');
  return path + searchSuffix;
}

function pathOf(db: DatabaseSync, part: number): string {
  return join(directoryOf(db), String(part));
}

function partsIn(db: DatabaseSync): number[] {
  const directory = directoryOf(db);
  return existsSync(directory) ? readdirSync(directory).map(Number) : [];
}

/** The bytes of a part; null if they are missing or damaged. */
function readPart(path: string, { size, crc }: Written): Uint8Array | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    if (fstatSync(file).size !== size) return null;
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const count = readSync(file, bytes, at, size - at, at);
      if (count === 0) return null;
      at += count;
    }
    return crc32(bytes) === crc ? bytes : null;
  } finally {
    closeSync(file);
  }
}

function* removeOthers(db: DatabaseSync, written: readonly Written[]): Generator<void> {
  for (const part of partsIn(db)) {
    if (written.some((one) => one.part === part)) continue;
    rmSync(pathOf(db, part), { force: true });
    yield;
  }
}

/** Written in idle time: its contents follow from the other tables, but its position does not. */
export const searchIndex = defineProjection({
  name: 'search',
  version: 0,
  tables: `
    -- The last saved state of the search index: its changing parts, and the names of its segment files.
    CREATE TABLE search_index (
      one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL, state BLOB NOT NULL, parts TEXT NOT NULL
    ) STRICT;
  `,
  isCompared: false,
  open: () => null,
});

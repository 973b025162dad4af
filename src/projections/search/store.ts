import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { defineProjection } from '../kernel/define.ts';
import { hasCurrentFormat, type SavedSegment, type SearchIndex } from './index.ts';
import { FileLists, inPieces, readAll } from './lists.ts';
import { Segment } from './segment.ts';

/** Suffix of the directory with the parts of the search index, after the name of the projections file. */
export const searchSuffix = '-search';

/** Bytes written at once: some milliseconds of work. */
const usualPiece = 512 * 1024;
// Each piece is synced as it is written, so that nothing has to wait for a sync of all of them.
const forWriting = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_DSYNC ?? 0);

/** The file of a segment: its number and size in bytes, and the size and CRC-32 of the head, which precedes the lists. */
interface Written {
  readonly part: number;
  readonly size: number;
  readonly head: number;
  readonly crc: number;
}

/** Position that the saved index covers; 0 if none is saved, or it cannot be read, or not all of it is there. */
export function savedPosition(db: DatabaseSync): number {
  const row = db.prepare('SELECT position, state, parts FROM search_index').get();
  if (row === undefined || !hasCurrentFormat(row['state'] as Uint8Array)) return 0;
  const written = JSON.parse(String(row['parts'])) as Written[];
  const isThere = ({ part, size }: Written) => statSync(pathOf(db, part), { throwIfNoEntry: false })?.size === size;
  return written.every(isThere) ? Number(row['position']) : 0;
}

/**
 * Saves the search index, so that a start need not rebuild it: its segments in files beside the projections, and the list of current ones
 * in the database. Unchanged segments are not written again. Long lists of a saved segment are read from its file from then on.
 */
export class SearchStore {
  /** The files of segments; null: the file has been removed, but is still read. */
  readonly #written = new Map<Segment, Written | null>();
  readonly #pieceSize: number;
  /** Position that the index loaded last covers. */
  #position = 0;

  constructor(pieceSize = usualPiece) {
    this.#pieceSize = pieceSize;
  }

  /** Whether a newer index than the one loaded here has been saved. */
  isOutdated(db: DatabaseSync): boolean {
    const position = db.prepare('SELECT position FROM search_index').get()?.['position'] ?? 0;
    return Number(position) > this.#position;
  }

  /** Loads the saved index. Returns the position it covers; 0, with nothing changed, if it cannot be read. */
  load(db: DatabaseSync, search: SearchIndex): number {
    const row = db.prepare('SELECT position, state, parts FROM search_index').get();
    if (row === undefined) return 0;
    this.#position = Number(row['position']);
    const written = JSON.parse(String(row['parts'])) as Written[];
    const saved = written.flatMap((one) => this.#opened(one) ?? readPart(pathOf(db, one.part), one) ?? []);
    if (!search.load(row['state'] as Uint8Array, saved)) {
      for (const one of saved) if (!(one instanceof Segment)) one.lists.close();
      return 0;
    }
    const { segments } = search;
    for (const old of this.#written.keys()) if (!segments.includes(old)) this.#close(old);
    for (const [i, segment] of segments.entries()) this.#written.set(segment, written[i]!);
    return this.#position;
  }

  /**
   * Saves the index, pausing every few milliseconds. It covers the position that `position` returns after all segments are written. No
   * transaction may be open on the connection during a pause. Aborting is harmless.
   */
  *save(db: DatabaseSync, search: SearchIndex, position: () => number): Generator<void> {
    // Segments may appear or disappear while others are written.
    for (let next = this.#next(search); next !== undefined; next = this.#next(search)) yield* this.#write(db, next);
    const { segments } = search;
    const written = segments.map((segment) => this.#written.get(segment)!);
    db.prepare('INSERT OR REPLACE INTO search_index VALUES (1, ?, ?, ?)').run(
      position(),
      search.saveState(),
      JSON.stringify(written),
    );
    for (const old of this.#written.keys()) if (!segments.includes(old)) this.#close(old);
    yield;
    yield* removeOthers(db, written);
  }

  /** Removes what was saved. The caller commits. */
  remove(db: DatabaseSync): void {
    db.exec('DELETE FROM search_index');
    rmSync(directoryOf(db), { recursive: true, force: true });
    for (const segment of this.#written.keys()) this.#written.set(segment, null);
  }

  /** Closes all files; nothing can be searched afterwards. */
  close(): void {
    for (const segment of this.#written.keys()) this.#close(segment);
  }

  /** Bytes of lists that are in memory until they are saved. */
  unsavedSize({ segments }: SearchIndex): number {
    return segments.reduce((sum, segment) => (this.#written.has(segment) ? sum : sum + segment.lists.size), 0);
  }

  #opened(wanted: Written): Segment | undefined {
    return [...this.#written].find(([, written]) => isDeepStrictEqual(written, wanted))?.[0];
  }

  #close(segment: Segment): void {
    segment.lists.close();
    this.#written.delete(segment);
  }

  #next(search: SearchIndex): Segment | undefined {
    return search.segments.find((segment) => !this.#written.get(segment));
  }

  *#write(db: DatabaseSync, segment: Segment): Generator<void> {
    mkdirSync(directoryOf(db), { recursive: true });
    const part = Math.max(0, ...partsIn(db)) + 1;
    const { head, lists } = segment;
    const file = openSync(pathOf(db, part), forWriting, 0o600);
    let isWritten = false;
    try {
      yield* write(file, inPieces(head, this.#pieceSize));
      yield* write(file, lists.pieces(this.#pieceSize));
      isWritten = true;
    } finally {
      if (!isWritten) closeSync(file);
    }
    segment.moveLists(new FileLists(file, head.length, lists.size));
    this.#written.set(segment, { part, size: head.length + lists.size, head: head.length, crc: crc32(head) });
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

/** A segment in a file; null if it is missing or damaged. */
function readPart(path: string, { size, head: headSize, crc }: Written): SavedSegment | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  const head = new Uint8Array(headSize);
  const lists = new FileLists(file, headSize, size - headSize);
  try {
    readAll(file, head, 0);
    if (fstatSync(file).size === size && crc32(head) === crc) return { head, lists };
  } catch {
    // Closed below.
  }
  lists.close();
  return null;
}

/** Writes pieces, pausing after each. */
function* write(file: number, pieces: Iterable<Uint8Array>): Generator<void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    yield;
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

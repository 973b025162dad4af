import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Changes } from '../kernel/changes.ts';
import { listsSuffix } from '../kernel/seal.ts';
import type { SavedCollections } from './collections.ts';

/** To be raised when the form of the indexes changes. */
const format = 2;
const sumSize = 4;

interface Saved {
  /** Of everything that the indexes follow from. */
  readonly state: string;
  readonly lists: SavedCollections;
}

/** Saves the indexes of projections that are about to be closed, so that the next start need not read a row of each entry. */
export function saveLists(db: DatabaseSync, lists: SavedCollections): void {
  const path = pathOf(db);
  if (path === null) return;
  const bytes = serialize({ state: stateOf(db), lists } satisfies Saved);
  const sum = Buffer.alloc(sumSize);
  sum.writeUInt32LE(crc32(bytes));
  writeFileSync(path, sum, { mode: 0o600 });
  appendFileSync(path, bytes);
}

/** Indexes that were saved at the checkpoint that tables had when they were opened. The tables may go on before they are taken. */
export class SavedLists {
  /** What has changed in the tables since. */
  readonly changed: Changes[] = [];
  readonly #path: string;
  readonly #state: string;

  /** Null if none were saved. */
  static beside(db: DatabaseSync): SavedLists | null {
    const path = pathOf(db);
    return path === null || !existsSync(path) ? null : new SavedLists(path, stateOf(db));
  }

  private constructor(path: string, state: string) {
    this.#path = path;
    this.#state = state;
  }

  /** Returns null if they have to be made from the rows. Removes the file, because the next commit outdates it. */
  take(): SavedCollections | null {
    try {
      return readLists(this.#path, this.#state);
    } catch {
      return null;
    } finally {
      remove(this.#path);
    }
  }
}

function readLists(path: string, state: string): SavedCollections | null {
  const bytes = readFileSync(path);
  const rest = bytes.subarray(sumSize);
  if (bytes.readUInt32LE() !== crc32(rest)) return null;
  const saved = deserialize(rest) as Saved;
  return saved.state === state ? saved.lists : null;
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It is outdated all the same, which the next start notices.
  }
}

/** Node is part of it: keys of titles depend on its tables of characters. */
function stateOf(db: DatabaseSync): string {
  return JSON.stringify([format, process.version, db.prepare('SELECT version, position, hash FROM checkpoint').get()]);
}

function pathOf(db: DatabaseSync): string | null {
  const path = db.location();
  return path === null ? null : path + listsSuffix;
}

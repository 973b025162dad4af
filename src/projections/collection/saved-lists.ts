import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { listsSuffix } from '../kernel/seal.ts';
import type { SavedCollections } from './collections.ts';

/** To be raised when the form of the indexes changes. */
const format = 1;
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

/**
 * Returns the indexes if they were saved at the checkpoint that the tables have, else null; then they have to be made from the rows. Removes
 * the file, because the next commit outdates it.
 */
export function takeLists(db: DatabaseSync): SavedCollections | null {
  const path = pathOf(db);
  if (path === null) return null;
  try {
    const bytes = readFileSync(path);
    const rest = bytes.subarray(sumSize);
    if (bytes.readUInt32LE() !== crc32(rest)) return null;
    const saved = deserialize(rest) as Saved;
    return saved.state === stateOf(db) ? saved.lists : null;
  } catch {
    return null;
  } finally {
    remove(path);
  }
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

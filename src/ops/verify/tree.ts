import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { StoredRows, type TreeExtent } from '#node/tree/tree-file.ts';
import { countAt, ENTRIES, GrowingRows } from '#node/tree/tree-rows.ts';
import { type Check, counted, findingsOf, skipped } from './check.ts';
import type { EntriesCheck } from './checkpoints.ts';

/** Compares the rows of the file of the tree with those that follow from the log. */
export function checkTree(dataDir: string, log: Pick<LogReader, 'chain'>): EntriesCheck {
  const path = join(dataDir, 'tree.db');
  const outcome = (check: Check): EntriesCheck => ({ take: () => undefined, end: () => check });
  if (!existsSync(path)) return outcome(skipped('tree', 'there is none yet; a server makes it'));
  const findings = findingsOf('tree');
  const made = (what: string) => `${what}; without the file, a start makes it again from the log`;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    const rows = new StoredRows(db);
    const { extent } = rows;
    if (extent === null) findings.add(made('tree.db is not what was written'));
    else if (extent.size > 0 && hashAt(log, extent.size) !== extent.hash)
      return closing(db, outcome(skipped('tree', made('it is of another log'))));
    return closing(db, comparing(rows, extent ?? { size: 0, hash: null }, findings));
  } catch (error) {
    db?.close();
    findings.add(made(`tree.db cannot be read: ${(error as Error).message}`));
    return outcome(findings.end('unreadable'));
  }
}

function closing(db: DatabaseSync, check: EntriesCheck): EntriesCheck {
  const end = () => {
    try {
      return check.end();
    } finally {
      db.close();
    }
  };
  return { ...check, end };
}

function comparing(rows: StoredRows, { size }: TreeExtent, findings: ReturnType<typeof findingsOf>): EntriesCheck {
  let [taken, compared] = [0, 0];
  const compare = (level: number, tile: number, hashes: Uint8Array) => {
    compared += 1;
    const stored = storedAt(rows, level, tile);
    // A server may have added more.
    if (stored !== null && Buffer.compare(stored.subarray(0, hashes.length), hashes) === 0) return;
    findings.add(
      `Row ${tile} of level ${level} of tree.db is not what follows from the log; without the file, a start makes it again`,
    );
  };
  const growing = new GrowingRows(compare);
  return {
    take(entry) {
      if (taken === size) return;
      taken += 1;
      growing.append(entry);
    },
    end() {
      for (let level = ENTRIES; level <= 0 || countAt(level, taken) > 0; level++) {
        const { tile, hashes } = growing.at(level) ?? { tile: 0, hashes: [] };
        if (hashes.length > 0) compare(level, tile, Buffer.concat(hashes));
      }
      return findings.end(`${counted(compared, 'rows')} over ${counted(size, 'events')}`);
    },
  };
}

function storedAt(rows: StoredRows, level: number, tile: number): Uint8Array | null {
  try {
    return rows.find(level, tile);
  } catch {
    return null;
  }
}

function hashAt(log: Pick<LogReader, 'chain'>, position: number): string | null {
  for (const event of log.chain(position)) return event.position === position ? event.hash : null;
  return null;
}

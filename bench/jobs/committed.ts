import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { start } from '../servers/process.ts';

/** What stands in a log after a position. */
export interface Committed {
  /** The last position. */
  readonly position: number;
  /** Whole rows as texts, some thousands of them. */
  readonly rows: readonly string[];
  /** How many times something was committed. */
  readonly commits: number;
}

const most = 5000;

/** Reads a log beside the server that writes it. Commits that share one append share its time. */
export function readCommitted(path: string, after: number): Committed {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const last = db.prepare('SELECT max(position) AS position FROM events').get();
    const times = db.prepare('SELECT count(DISTINCT at) AS commits FROM events WHERE position > ?').get(after);
    const rows = db.prepare('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?').all(after, most);
    return {
      position: Number(last?.['position'] ?? 0),
      commits: Number(times?.['commits'] ?? 0),
      rows: rows.map((row) => Object.values(row).join()),
    };
  } finally {
    db.close();
  }
}

/** What `bench/jobs/commit.ts` is to do. */
export interface CommitJob {
  readonly path: string;
  readonly rows: readonly string[];
  readonly perCommit: number;
  readonly seconds: number;
}

/** Commits rows to a SQLite file of their own for a while, durably; answers rows per second. */
export async function commitRows(options: Omit<CommitJob, 'path'> & { readonly directory: string }): Promise<number> {
  const { directory, ...job } = options;
  const path = join(directory, 'commits.db');
  const child = start(join(import.meta.dirname, 'commit.ts'));
  try {
    const { perSecond } = (await child.ask({ ...job, path })) as { perSecond: number };
    return perSecond;
  } finally {
    await child.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { start } from '../servers/process.ts';

/** The contents of a log after a position. */
export interface Committed {
  /** The last position. */
  readonly position: number;
  /** Whole rows as texts, at most some thousands. */
  readonly rows: readonly string[];
  /** Number of commits. */
  readonly commits: number;
}

const max = 5000;

/** Reads a log while its server writes. Commits of one append have the same time. */
export function readCommitted(path: string, after: number): Committed {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const last = db.prepare('SELECT max(position) AS position FROM events').get();
    const times = db.prepare('SELECT count(DISTINCT at) AS commits FROM events WHERE position > ?').get(after);
    const rows = db.prepare('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?').all(after, max);
    return {
      position: Number(last?.['position'] ?? 0),
      commits: Number(times?.['commits'] ?? 0),
      rows: rows.map((row) => Object.values(row).join()),
    };
  } finally {
    db.close();
  }
}

/** The task for `bench/jobs/commit.ts`. */
export interface CommitJob {
  readonly path: string;
  readonly rows: readonly string[];
  readonly perCommit: number;
  readonly seconds: number;
}

/** Commits rows durably to a separate SQLite file for a while. Returns rows per second. */
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

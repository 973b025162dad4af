import { backup, DatabaseSync } from 'node:sqlite';
import type { StartProgress } from '../progress.ts';

/** Pages copied per step. */
const rate = 1000;

/**
 * Copies a SQLite file in its present state while others write to it: the copy excludes later writes. Resolves when the copy is complete
 * and synced to disk.
 */
export async function snapshot(from: string, to: string, progress: StartProgress): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  const total = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
  const task = progress({ name: 'copying the log', total, unit: 'pages' });
  try {
    // Without a transaction the copy would restart with every write of another connection.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    let stopped: unknown = null;
    await backup(db, to, {
      rate,
      progress({ totalPages, remainingPages }) {
        task.at(totalPages - remainingPages).catch((error: unknown) => {
          stopped = error;
        });
        if (stopped !== null) throw stopped;
      },
    });
    if (stopped !== null) throw stopped;
  } finally {
    task.end();
    db.close();
  }
}

import { backup, DatabaseSync } from 'node:sqlite';
import type { StartProgress } from '../progress.ts';

/** Pages that are copied in one go. */
const rate = 1000;

/**
 * Copies a SQLite file as it is at this moment, while others write to it: what they write meanwhile is not seen. The
 * copy is whole and safe on disk, or the promise rejects.
 */
export async function snapshot(from: string, to: string, progress: StartProgress): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  const total = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
  const task = progress({ name: 'copying the log', total, unit: 'pages' });
  try {
    // Outside a transaction the copy would restart with every write of another connection.
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

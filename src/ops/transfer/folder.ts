import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { isMissing } from '#objects/disk.ts';
import type { StartProgress } from '../progress.ts';

/** Pages copied per step. */
const rate = 1000;

/** Names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Chunk size for copying, in bytes. */
const step = 4 * 1024 * 1024;

/** Copies a file and syncs the copy to disk. */
export async function copyFile(from: string, to: string, progress: StartProgress): Promise<void> {
  const { size } = await stat(from);
  const task = progress({ name: 'copying the log', total: size, unit: 'bytes' });
  const file = await open(to, 'wx', 0o600);
  let done = 0;
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: step }) as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      done += chunk.length;
      await task.at(done);
    }
    await file.sync();
  } finally {
    task.end();
    await file.close();
  }
}

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

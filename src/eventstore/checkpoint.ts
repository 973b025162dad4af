import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

export interface Checkpointed {
  readonly log: number;
  readonly checkpointed: number;
}

/** With at least this many pages another thread copies them: some ten milliseconds of work. Starting it takes a hundred. */
const many = 4096;

/** Copies a write-ahead log into its file, without a sync. A large one is copied by another thread. */
export async function checkpoint(db: DatabaseSync, path: string): Promise<Checkpointed> {
  const { log, checkpointed } = pragma(db, 'NOOP');
  if (log - checkpointed < many) return checkpointOn(db);
  // If the thread fails, the pages are copied here.
  return (await inThread(path).catch(() => null)) ?? checkpointOn(db);
}

export function checkpointOn(db: DatabaseSync): Checkpointed {
  db.exec('PRAGMA synchronous = OFF');
  return pragma(db, 'PASSIVE');
}

function pragma(db: DatabaseSync, mode: 'NOOP' | 'PASSIVE'): Checkpointed {
  const found = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return { log: Number(found?.['log']), checkpointed: Number(found?.['checkpointed']) };
}

function inThread(path: string): Promise<Checkpointed> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: path });
    let made: Checkpointed | null = null;
    worker.once('message', (said: Checkpointed) => {
      made = said;
    });
    worker.once('error', reject);
    // Its connection is closed by then.
    worker.once('exit', () => (made === null ? reject(new Error('the thread has ended')) : resolve(made)));
  });
}

import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

export interface Checkpointed {
  readonly log: number;
  readonly checkpointed: number;
}

export type FromCheckpointThread = 'loaded' | Checkpointed;

export interface ToCheckpointThread {
  readonly path: string;
  /** Whether the thread syncs the log before, and the file afterwards. */
  readonly syncs: boolean;
}

/** Number of pages from which another thread copies them: this one would take 3 ms. */
const many = 512;
/** Number of pages from which the copy waits for that thread to start, which takes a tenth of a second. */
const worthWaiting = 4096;
/** Milliseconds after which an idle thread ends. */
const idleTime = 10_000;

/** Copies a write-ahead log into its file, without a sync. */
export async function checkpoint(db: DatabaseSync, path: string): Promise<Checkpointed> {
  const pages = pagesIn(db);
  const other = pages < many ? null : threadOfProcess();
  const isElsewhere = other?.isReady === true || pages >= worthWaiting;
  // If the thread fails, the pages are copied here.
  return (isElsewhere ? await other?.copy({ path, syncs: false }) : null) ?? checkpointOn(db);
}

export function checkpointOn(db: DatabaseSync, { syncs = false } = {}): Checkpointed {
  db.exec(`PRAGMA synchronous = ${syncs ? 'NORMAL' : 'OFF'}`);
  return pragma(db, 'PASSIVE');
}

/** Milliseconds after which the size of a log is looked at again. */
const interval = 2000;
/** Number of pages after which SQLite makes the checkpoint within a commit: the thread is too slow, or there is none. */
const tooMany = 8000;

/** Leaves the checkpoints of a file to the thread. Their syncs would stop this one for 10 to 40 ms. */
export function checkpointElsewhere(db: DatabaseSync, path: string, onFault: (error: unknown) => void): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${tooMany}`);
  const timer = setInterval(() => {
    if (!db.isOpen) return clearInterval(timer);
    try {
      if (pagesIn(db) >= many) void threadOfProcess()?.copy({ path, syncs: true });
    } catch (error) {
      onFault(error);
    }
  }, interval).unref();
}

/** Number of pages in the write-ahead log that are not in the file. */
function pagesIn(db: DatabaseSync): number {
  const { log, checkpointed } = pragma(db, 'NOOP');
  return log - checkpointed;
}

function pragma(db: DatabaseSync, mode: 'NOOP' | 'PASSIVE'): Checkpointed {
  const found = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return { log: Number(found?.['log']), checkpointed: Number(found?.['checkpointed']) };
}

let thread: CheckpointThread | null = null;

/** The thread of this process, which starts if there is none; null: the system allows no more threads. */
function threadOfProcess(): CheckpointThread | null {
  try {
    thread ??= new CheckpointThread();
    return thread;
  } catch {
    return null;
  }
}

/** Copies one file after the other, and closes each before it answers. Ends when it is idle. */
class CheckpointThread {
  readonly #worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url));
  readonly #waiting: ((made: Checkpointed | null) => void)[] = [];
  #idle: NodeJS.Timeout | undefined;
  isReady = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (said: FromCheckpointThread) => {
      this.isReady = true;
      if (said !== 'loaded') this.#waiting.shift()?.(said);
      this.#rest();
    });
    // Whoever waits copies the pages, and meets the fault that ended the thread.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => this.#leave());
    this.#rest();
  }

  copy(order: ToCheckpointThread): Promise<Checkpointed | null> {
    clearTimeout(this.#idle);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.ref();
      this.#worker.postMessage(order);
    });
  }

  #rest(): void {
    if (this.#waiting.length > 0) return;
    this.#worker.unref();
    clearTimeout(this.#idle);
    const end = () => {
      this.#leave();
      void this.#worker.terminate();
    };
    this.#idle = setTimeout(end, idleTime).unref();
  }

  #leave(): void {
    clearTimeout(this.#idle);
    if (thread === this) thread = null;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}

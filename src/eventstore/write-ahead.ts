import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { checkpoint } from './checkpoint.ts';
import { createDisk, type Disk } from './disk.ts';

/** Bytes of write-ahead log after which a checkpoint is made: a few milliseconds of copying. */
const enough = 8 * 1024 * 1024;
/** Part of that after which the disk gets it in advance, beside other work: a checkpoint waits only for what is left. */
const inAdvance = 1 / 32;
/** Commits until then while their size is unknown. */
const firstCommits = 4;
/** Commits per look at the size of the file, once the usual size of a commit is known. */
const perLook = 4;

export interface Disks {
  readonly file: Disk;
  readonly wal: Disk;
}

/** Close these after the last connection: the system releases all locks of a process on a file when any descriptor of it is closed. */
export function disksOf(path: string): Disks & { close(): void } {
  const [file, wal] = [createDisk(path), createDisk(`${path}-wal`)];
  const close = () => {
    wal.close();
    file.close();
  };
  return { file, wal, close };
}

export interface WriteAheadOptions {
  /** The only connection that writes to the file. */
  readonly db: DatabaseSync;
  readonly path: string;
  readonly disks: Disks;
  readonly enough?: number | undefined;
  /** The writer syncs the write-ahead log after each commit. */
  readonly isSynced?: boolean;
}

/**
 * Makes the checkpoints of a file: copies its write-ahead log into it. SQLite would do so within a commit, with its thread waiting for
 * the disk twice; here readers never wait.
 *
 * The order is SQLite's (https://sqlite.org/wal.html): the log is on the disk before the file is changed, and the file before the log
 * restarts. SQLite itself syncs that restart, a few bytes, within the next commit.
 */
export class WriteAhead {
  readonly #options: WriteAheadOptions;
  readonly #enough: number;
  readonly #usual: number;
  /** The file keeps its size when the log restarts: its contents are estimated by commits, and growth reveals large ones. */
  #commits = 0;
  #maxCommits = Number.POSITIVE_INFINITY;
  #maxSize: number;
  #unsynced = 0;
  #syncing: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #unfinished = false;
  #stopped = false;
  #settled = false;
  /** Nothing is copied into the file while this is true. */
  isPaused = false;

  constructor(options: WriteAheadOptions) {
    this.#options = options;
    this.#enough = options.enough ?? enough;
    this.#maxSize = this.#enough;
    this.#usual = Number(pragma(options.db, 'wal_autocheckpoint')['wal_autocheckpoint']);
    this.start();
  }

  /** A checkpoint is under way or has to be repeated: nothing may be written. */
  get busy(): boolean {
    return this.#unfinished;
  }

  /**
   * Must be awaited before each commit: makes a checkpoint when the log is large enough. Rejects when the disk fails; the next call tries
   * again.
   */
  async makeRoom(): Promise<void> {
    this.#commits += 1;
    this.#settled = false;
    if (this.#unfinished || (!this.#stopped && !this.isPaused && this.#isFull())) await this.checkpoint();
    else this.#syncInAdvance();
  }

  /** The next commit is made after a checkpoint, because what was written may not be on the disk. */
  distrust(): void {
    this.#unfinished = true;
  }

  async settle(): Promise<void> {
    if (this.#stopped || this.isPaused || (this.#settled && !this.#unfinished)) return;
    await this.checkpoint();
    this.#settled = true;
  }

  checkpoint(): Promise<void> {
    this.#running ??= this.#checkpoint().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  start(): void {
    this.#stopped = false;
    this.#options.db.exec('PRAGMA wal_autocheckpoint = 0');
  }

  stop(): void {
    this.#stopped = true;
    this.#options.db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${this.#usual}`);
  }

  async #checkpoint(): Promise<void> {
    const size = this.#size();
    if (size === 0) return;
    const { db, disks } = this.#options;
    this.#unfinished = true;
    const ahead = this.#syncing;
    this.#syncing = null;
    await ahead;
    await disks.wal.sync();
    this.#unsynced = 0;
    const { log, checkpointed } = await checkpoint(db, this.#options.path);
    await disks.file.sync();
    db.exec('PRAGMA synchronous = NORMAL');
    this.#unfinished = false;
    // Otherwise a reader still uses older pages, and the log does not restart yet.
    if (log === checkpointed) {
      const bytes = log * Number(pragma(db, 'page_size')['page_size']);
      this.#maxCommits = Math.ceil(this.#commits * (this.#enough / Math.max(1, bytes)));
    }
    this.#maxSize = size + this.#enough;
    this.#commits = 0;
  }

  /** The system may report a failed write only once, so the next checkpoint fails with this sync. */
  #syncInAdvance(): void {
    this.#unsynced += 1;
    const max = Number.isFinite(this.#maxCommits) ? this.#maxCommits * inAdvance : firstCommits;
    if (this.#stopped || this.#options.isSynced || this.#syncing !== null || this.#unsynced <= max) return;
    if (this.#size() === 0) return;
    this.#unsynced = 0;
    const syncing = this.#options.disks.wal.sync().then(() => {
      if (this.#syncing === syncing) this.#syncing = null;
    });
    syncing.catch(() => undefined);
    this.#syncing = syncing;
  }

  #isFull(): boolean {
    if (this.#commits > this.#maxCommits) return true;
    const looks = this.#maxCommits === Number.POSITIVE_INFINITY || this.#commits % perLook === 0;
    return looks && this.#size() >= this.#maxSize;
  }

  #size(): number {
    return statSync(`${this.#options.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}

function pragma(db: DatabaseSync, text: string): Record<string, unknown> {
  return db.prepare(`PRAGMA ${text}`).get() ?? {};
}

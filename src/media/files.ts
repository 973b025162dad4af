import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { removeFile } from '#objects/disk.ts';
import { ObjectMissing, type ObjectPart, type ObjectStore } from '#objects/port.ts';
import { FileCheck } from './intact.ts';
import { type Arrived, type ReceiveOptions, receiveInto } from './receive.ts';

export interface KeptFile {
  readonly hash: string;
  readonly bytes: number;
}

export interface MediaFilesOptions {
  /** Folder for incoming files; inside the store if that is a folder. */
  readonly scratch: string;
  /**
   * Name of this process among those that share the store. The files that others hold are unknown here, so all younger than an hour are
   * kept. Default: the store is not shared.
   */
  readonly sharedAs?: string | undefined;
  /** Removes what was made of a file that was removed. */
  readonly onRemoved?: (hash: string) => Promise<void>;
  /** Called when a file turns out to be damaged or missing, and when it is intact again. */
  readonly onDamage?: (hash: string, isDamaged: boolean) => void;
}

const hour = 3_600_000;

/** Key under which the bytes of a hash are stored. */
export function fileKeyOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}`;
}

const keyPattern = /^[\da-f]{2}\/([\da-f]{64})$/;

/** The hash in a key; null if the key is not that of a stored file. */
export function hashIn(key: string): string | null {
  return keyPattern.exec(key)?.[1] ?? null;
}

/**
 * Files by the hash of their bytes, so that equal bytes are stored once. A stored file is held, and never removed, until it is known
 * whether an event names it.
 *
 * First the file, then the event: what the log names is there. Files of deleted items stay, because the past can be shown; removing bytes
 * is an erasure.
 *
 * Why, and what was rejected: `docs/adr/0010-media-files.md`, `docs/adr/0046-object-storage.md`.
 */
export class MediaFiles {
  readonly #store: ObjectStore;
  readonly #shared: boolean;
  readonly #scratch: string;
  readonly #name: string;
  readonly #holders = new Map<string, number>();
  readonly #going = new Map<string, Promise<void>>();
  readonly #onRemoved: (hash: string) => Promise<void>;
  #received = 0;
  readonly check: FileCheck;

  constructor(store: ObjectStore, options: MediaFilesOptions) {
    const { scratch, sharedAs, onDamage = () => undefined, onRemoved = async () => undefined } = options;
    this.#onRemoved = onRemoved;
    this.check = new FileCheck(store, fileKeyOf, onDamage);
    this.#store = store;
    this.#shared = sharedAs !== undefined;
    this.#scratch = scratch;
    this.#name = sharedAs ?? 'upload';
    mkdirSync(scratch, { recursive: true });
    const isOld = this.#ageOfScratch();
    for (const name of readdirSync(scratch)) {
      const path = join(scratch, name);
      if (isOld(path)) rmSync(path, { recursive: true, force: true });
    }
  }

  /** Writes bytes to a scratch file as they arrive; null if they exceed the limit. The caller must then call `keep` or `drop`. */
  async receive(source: AsyncIterable<Buffer>, options: ReceiveOptions): Promise<Arrived | null> {
    const path = this.#nextPath();
    let arrived: Arrived | null = null;
    try {
      arrived = await onDisk(receiveInto(path, source, options));
    } finally {
      if (arrived === null) await onDisk(removeFile(path));
    }
    return arrived;
  }

  async keep({ path, hash, bytes }: Arrived): Promise<KeptFile> {
    this.#holders.set(hash, (this.#holders.get(hash) ?? 0) + 1);
    try {
      await this.#going.get(hash);
      // A file of the wrong length, or known as damaged, is replaced. A shared store always gets a new file, so that other nodes do not
      // take an old one for garbage.
      const isThere = !this.#shared && !this.check.damaged.has(hash) && (await onDisk(this.has({ hash, bytes })));
      if (isThere) await removeFile(path);
      else await onDisk(this.#store.take(fileKeyOf(hash), path));
    } catch (error) {
      this.#letGo(hash);
      await removeFile(path);
      throw error;
    }
    return { hash, bytes };
  }

  async drop({ path }: Arrived): Promise<void> {
    await removeFile(path);
  }

  /** Releases a kept file. It is removed if it is neither needed nor otherwise held; in a shared store it becomes garbage instead. */
  async release(hash: string, isNeeded: (hash: string) => boolean): Promise<void> {
    this.#letGo(hash);
    if (!this.#shared) await this.remove(hash, isNeeded);
  }

  async *unneeded(isNeeded: (hash: string) => boolean): AsyncIterable<KeptFile> {
    const before = this.#shared ? (await this.#store.now()) - hour : Number.POSITIVE_INFINITY;
    for await (const { key, bytes, changed } of this.#store.list('')) {
      const hash = hashIn(key);
      if (hash === null || changed >= before || this.#holders.has(hash) || isNeeded(hash)) continue;
      yield { hash, bytes };
    }
  }

  /** Removes a file, and what was made of it, unless it is needed or held. */
  async remove(hash: string, isNeeded: (hash: string) => boolean): Promise<void> {
    if (this.#holders.has(hash) || isNeeded(hash)) return;
    const going = (this.#going.get(hash) ?? Promise.resolve()).then(async () => {
      await this.#store.remove(fileKeyOf(hash));
      await this.#onRemoved(hash);
    });
    const settled = going.catch(() => undefined);
    this.#going.set(hash, settled);
    await going.finally(() => {
      if (this.#going.get(hash) === settled) this.#going.delete(hash);
    });
  }

  /** Whether the bytes of a hash exist, in the right length. */
  async has({ hash, bytes }: KeptFile): Promise<boolean> {
    return (await this.#store.head(fileKeyOf(hash)))?.bytes === bytes;
  }

  /** Rejects with `ObjectMissing` if there is no such file. */
  read(hash: string, part?: ObjectPart): Promise<Readable> {
    return this.#store.read(fileKeyOf(hash), part);
  }

  /** Provides a stored file as a local one; if it is missing, the path does not exist. */
  async locally<T>(hash: string, work: (path: string) => Promise<T>): Promise<T> {
    const own = this.#store.pathOf(fileKeyOf(hash));
    if (own !== null) return work(own);
    const path = this.#nextPath();
    try {
      await this.#fetch(hash, path);
      return await work(path);
    } finally {
      await removeFile(path);
    }
  }

  async #fetch(hash: string, path: string): Promise<void> {
    try {
      await onDisk(writeFile(path, await this.read(hash), { mode: 0o600 }));
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
    }
  }

  #nextPath(): string {
    this.#received += 1;
    return join(this.#scratch, `${this.#name}-${this.#received}`);
  }

  #ageOfScratch(): (path: string) => boolean {
    if (!this.#shared) return () => true;
    // The file system's clock, which may be that of another machine.
    const probe = join(this.#scratch, `${this.#name}-clock`);
    writeFileSync(probe, '');
    const now = timeOf(probe);
    rmSync(probe, { force: true });
    return (path) => timeOf(path) < now - hour;
  }

  #letGo(hash: string): void {
    const holders = (this.#holders.get(hash) ?? 1) - 1;
    if (holders > 0) this.#holders.set(hash, holders);
    else this.#holders.delete(hash);
  }
}

/** Time of the last write; a vanished file does not count as old. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** Thrown while the disk does not accept files; this may be temporary. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** No space, quota exceeded, I/O error, read-only, file too large, too many open files, no rights, folder missing or no folder. */
const codes = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE'],
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'],
]);

/** Awaits file operations; converts errors of the disk to `FilesUnavailable`. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && codes.has(String(error.code)))) throw error;
    throw new FilesUnavailable(`An uploaded file cannot be kept: ${error.message}`, { cause: error });
  }
}

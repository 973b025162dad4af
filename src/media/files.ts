import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lengthOf, moveSafely, removeFile } from './disk.ts';
import { FileCheck } from './intact.ts';
import { type Arrived, type ReceiveOptions, receiveInto } from './receive.ts';
import { onDisk } from './unavailable.ts';

/** A file as the folder has it. */
export interface KeptFile {
  readonly hash: string;
  readonly bytes: number;
}

export interface MediaFilesOptions {
  /**
   * What tells this process from others that use the folder as well. Nobody here knows what they hold: what is younger than
   * an hour is left to them, whether it is needed or not. Default: only this one uses it.
   */
  readonly sharedAs?: string | undefined;
  /** Told when a file turns out to be damaged or missing, and when it is whole again. */
  readonly onDamage?: (hash: string, isDamaged: boolean) => void;
}

const hour = 3_600_000;

/** Where in a folder the bytes of a hash are kept. */
export function keptPath(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash);
}

/**
 * Files by the hash of their bytes, so that the same bytes are kept once. A file that is kept is held until it is
 * known whether an event names it; while it is held nothing removes it.
 */
export class MediaFiles {
  readonly #folder: string;
  readonly #shared: boolean;
  readonly #name: string;
  readonly #held = new Map<string, number>();
  #received = 0;
  /** Tells whether files are what their hashes say. */
  readonly check: FileCheck;

  /** Makes the folder if it is not there. What a process left half done that ended before is removed. */
  constructor(folder: string, { sharedAs, onDamage = () => undefined }: MediaFilesOptions = {}) {
    this.check = new FileCheck((hash) => this.path(hash), onDamage);
    this.#folder = folder;
    this.#shared = sharedAs !== undefined;
    this.#name = sharedAs ?? 'upload';
    mkdirSync(this.#scratch, { recursive: true });
    const isOld = this.#age();
    for (const name of readdirSync(this.#scratch)) {
      const path = join(this.#scratch, name);
      if (isOld(path)) rmSync(path, { recursive: true, force: true });
    }
  }

  get #scratch(): string {
    return join(this.#folder, 'tmp');
  }

  /** Where the bytes of that hash are, if they are kept. */
  path(hash: string): string {
    return keptPath(this.#folder, hash);
  }

  /** Writes bytes down as they arrive; null when there are more than the limit. They must be kept or dropped. */
  async receive(source: AsyncIterable<Buffer>, options: ReceiveOptions): Promise<Arrived | null> {
    this.#received += 1;
    const path = join(this.#scratch, `${this.#name}-${this.#received}`);
    let arrived: Arrived | null = null;
    try {
      arrived = await onDisk(receiveInto(path, source, options));
    } finally {
      if (arrived === null) await removeFile(path);
    }
    return arrived;
  }

  /** Puts what has arrived under its hash and holds it. */
  async keep({ path, hash, bytes }: Arrived): Promise<KeptFile> {
    this.#held.set(hash, (this.#held.get(hash) ?? 0) + 1);
    try {
      const kept = this.path(hash);
      // One that is shorter than its bytes, or known not to be them, was damaged later; one that others might take for
      // garbage is made young.
      if (!this.#shared && !this.check.damaged.has(hash) && (await lengthOf(kept)) === bytes) await removeFile(path);
      else await onDisk(moveSafely(path, kept));
    } catch (error) {
      this.#letGo(hash);
      throw error;
    }
    return { hash, bytes };
  }

  async drop({ path }: Arrived): Promise<void> {
    await removeFile(path);
  }

  /**
   * Lets go of a file that was kept. It is removed when it is not needed and nobody else holds it; in a folder that is
   * shared it becomes garbage then.
   */
  release(hash: string, isNeeded: (hash: string) => boolean): void {
    this.#letGo(hash);
    if (!this.#shared) this.remove(hash, isNeeded);
  }

  /** Files that are not needed and that nobody holds. */
  async *unneeded(isNeeded: (hash: string) => boolean): AsyncIterable<KeptFile> {
    const isOld = this.#age();
    for (const start of (await readdir(this.#folder)).filter((name) => /^[\da-f]{2}$/.test(name)).sort()) {
      for (const hash of (await readdir(join(this.#folder, start))).sort()) {
        if (this.#held.has(hash) || isNeeded(hash)) continue;
        const bytes = await lengthOf(this.path(hash));
        if (bytes !== null && isOld(this.path(hash))) yield { hash, bytes };
      }
    }
  }

  /** Removes a file unless it is needed or held. */
  remove(hash: string, isNeeded: (hash: string) => boolean): void {
    // At one go, so that nobody can begin to hold it between the question and the removal.
    if (!this.#held.has(hash) && !isNeeded(hash)) rmSync(this.path(hash), { force: true });
  }

  /** Whether the bytes of a hash are there, in their length. */
  async has({ hash, bytes }: KeptFile): Promise<boolean> {
    return (await lengthOf(this.path(hash))) === bytes;
  }

  /** Whether nobody else can be at work on a file. */
  #age(): (path: string) => boolean {
    if (!this.#shared) return () => true;
    // By the clock that the times of the files are from, which may be another machine's.
    const probe = join(this.#scratch, `${this.#name}-clock`);
    writeFileSync(probe, '');
    const now = timeOf(probe);
    rmSync(probe, { force: true });
    return (path) => timeOf(path) < now - hour;
  }

  #letGo(hash: string): void {
    const holders = (this.#held.get(hash) ?? 1) - 1;
    if (holders > 0) this.#held.set(hash, holders);
    else this.#held.delete(hash);
  }
}

/** When a file was written; what is gone meanwhile is not old. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

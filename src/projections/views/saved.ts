import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

export interface Coverage {
  readonly position: number;
  readonly hash: string;
  readonly shared: number;
  /** Entries with lower ids have been processed since `shared`. */
  readonly cursor: number;
  readonly due: readonly number[];
  readonly site: string;
}

export interface Saved extends Coverage {
  readonly slots: Uint8Array;
}

const title = 'views 4';

/** The file with the saved slots: a title with a checksum, a line of JSON, the slots as in memory. */
export class SavedSlots {
  readonly #directory: string;
  readonly #path: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, 'slots');
  }

  /** The last save; null if there is none or it is unusable. */
  read(): Saved | null {
    try {
      const bytes = readFileSync(this.#path);
      const behindTitle = bytes.indexOf('\n') + 1;
      const rest = bytes.subarray(behindTitle);
      if (bytes.toString('latin1', 0, behindTitle) !== titleOf(rest)) return null;
      const end = rest.indexOf('\n');
      const coverage = JSON.parse(rest.toString('utf8', 0, end)) as Coverage;
      return { ...coverage, slots: rest.subarray(end + 1) };
    } catch {
      // Whatever is wrong with it, ready answers are rebuilt.
      return null;
    }
  }

  /** The title of the last save, which identifies it; null if there is none. */
  state(): string | null {
    try {
      return readFileSync(this.#path, 'latin1').split('\n', 1)[0] ?? null;
    } catch {
      return null;
    }
  }

  /** Writes `saved`, and discards the file if `isWanted` returns false at the end. */
  async write(saved: Saved, isWanted: () => boolean): Promise<void> {
    const draft = join(this.#directory, 'slots.new');
    await writeFile(draft, partsOf(saved), { mode: 0o600, flush: true });
    if (isWanted()) renameSync(draft, this.#path);
  }

  writeNow(saved: Saved): void {
    const draft = join(this.#directory, 'slots.last');
    writeFileSync(draft, Buffer.concat(partsOf(saved)), { mode: 0o600, flush: true });
    renameSync(draft, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** Replaces views by others; neither may be in use. The old ones are removed in the background. */
export function replaceViews(directory: string, by: string): void {
  const old = `${directory}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(directory)) renameSync(directory, old);
  renameSync(by, directory);
  // Anything left behind is removed by the next call.
  rm(old, { recursive: true, force: true }).catch(() => undefined);
}

export async function removeReplacedViews(directory: string): Promise<void> {
  await rm(`${directory}.old`, { recursive: true, force: true });
}

function partsOf({ slots, ...coverage }: Saved): Uint8Array[] {
  const head = Buffer.from(`${JSON.stringify(coverage)}\n`);
  return [Buffer.from(titleOf(head, slots)), head, slots];
}

function titleOf(...rest: readonly Uint8Array[]): string {
  return `${title} ${rest.reduce((sum, part) => crc32(part, sum), 0)}\n`;
}

/** What all views show of the site, with the version of their form. */
export function siteIn(reader: DatabaseSync, version: string): string {
  return `${reader.prepare('SELECT state FROM site').get()?.['state'] ?? ''}${version}`;
}

export function termsTouchedAfter(reader: DatabaseSync, position: number): boolean {
  return reader.prepare('SELECT 1 FROM terms WHERE touched > ? LIMIT 1').get(position) !== undefined;
}

import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Something beside the log that a site can do without. */
export interface Expendable<T> {
  readonly path: string;
  readonly suffixes?: readonly string[];
  readonly open: () => T;
  readonly isForeign?: (error: unknown) => boolean;
  readonly onWarning: (message: string) => void;
}

/**
 * Opens what the site can do without. What cannot be opened is moved aside and begun again; where that does not help, the disk
 * being full or not to be written to, it stays as it is, and the answer is undefined.
 */
export function openExpendable<T>({ path, suffixes = [''], open, onWarning, isForeign }: Expendable<T>): T | undefined {
  try {
    return open();
  } catch (error) {
    if (isForeign?.(error)) throw error;
    const aside = asideOf(path);
    try {
      move(path, aside, suffixes);
      const opened = open();
      onWarning(`${path} cannot be used and is begun again; what was there is ${aside} now: ${messageOf(error)}`);
      return opened;
    } catch {
      if (existsSync(aside)) move(aside, path, suffixes);
      onWarning(`${path} cannot be used, and the site goes on without it: ${messageOf(error)}`);
      return undefined;
    }
  }
}

const folders = ['views', 'past', 'rebuild', 'projections.db-search'];
const files = ['origins.db', 'erased.json', 'verified.json', 'head'];

export function makeWay(dataDir: string, onWarning: (message: string) => void): void {
  for (const name of [...folders, ...files]) {
    const path = join(dataDir, name);
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.isDirectory() === folders.includes(name)) continue;
      const aside = asideOf(path);
      renameSync(path, aside);
      onWarning(`${path} is not what it should be; it is ${aside} now`);
    } catch (error) {
      onWarning(`${path} cannot be used: ${messageOf(error)}`);
    }
  }
}

function asideOf(path: string): string {
  return `${path}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
}

function move(from: string, to: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

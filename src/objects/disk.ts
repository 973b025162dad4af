import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ObjectInfo } from './port.ts';

/** Puts a file that is safe on disk in its place, so that a loss of power leaves it in one of the two or the other. */
export async function moveSafely(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const first = await mkdir(folder, { recursive: true });
  for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
  await rename(from, to);
  await syncFolder(folder);
}

/** What is known of a file; null when there is none. */
export async function infoOf(path: string): Promise<ObjectInfo | null> {
  const found = await orNull(stat(path));
  return found && { bytes: found.size, changed: found.mtimeMs, version: `${found.size} ${found.mtimeMs}` };
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Null where work failed because a file is not there. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

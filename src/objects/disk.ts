import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ObjectInfo } from './port.ts';

/** Moves a synced file durably: after a power loss it is at one of the two places. */
export async function moveSafely(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const first = await mkdir(folder, { recursive: true });
  for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
  await rename(from, to);
  await syncFolder(folder);
}

/** Metadata of a file; null if it does not exist. */
export async function infoOf(path: string): Promise<ObjectInfo | null> {
  const found = await orNull(stat(path));
  return found && { bytes: found.size, changed: found.mtimeMs, version: `${found.size} ${found.mtimeMs}` };
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Converts the error of a missing file to null. */
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

import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Puts a file that is safe on disk in its place, so that a loss of power leaves it in one of the two or the other. */
export async function moveSafely(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(dirname(folder));
  await rename(from, to);
  await syncFolder(folder);
}

/** Length of a file; null when there is none. */
export async function lengthOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(ignoreMissing);
  return found === null ? null : found.size;
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** For a promise that fails because a file is not there: that is an answer, too. */
function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** Whether an error says that a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Makes what was renamed in a folder last. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

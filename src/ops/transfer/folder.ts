import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { isMissing } from '#objects/disk.ts';
import type { StartProgress } from '../progress.ts';

/** Names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Chunk size for copying, in bytes. */
const step = 4 * 1024 * 1024;

/** Copies a file and syncs the copy to disk. */
export async function copyFile(from: string, to: string, progress: StartProgress): Promise<void> {
  const { size } = await stat(from);
  const task = progress({ name: 'copying the log', total: size, unit: 'bytes' });
  const file = await open(to, 'wx', 0o600);
  let done = 0;
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: step }) as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      done += chunk.length;
      await task.at(done);
    }
    await file.sync();
  } finally {
    task.end();
    await file.close();
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, lengthOf, moveSafely, removeFile } from './disk.ts';
import { type KeptFile, keptPath } from './files.ts';

/** How the copy of a file went; nothing was written when it is missing or holds something else. */
export type Copied = 'copied' | 'there' | 'missing' | 'differs';

/** Copies a kept file from one folder to another. It is safe on disk and known to hold what its hash says, or not there. */
export async function copyKept({ hash, bytes }: KeptFile, from: string, to: string): Promise<Copied> {
  // What comes from elsewhere could be a path to anything.
  if (!/^[\da-f]{64}$/.test(hash)) return 'differs';
  const target = keptPath(to, hash);
  if ((await lengthOf(target)) === bytes) return 'there';
  const part = `${target}.part`;
  await mkdir(dirname(part), { recursive: true, mode: 0o700 });
  try {
    if ((await copyTo(part, keptPath(from, hash))) !== hash) return 'differs';
    await moveSafely(part, target);
    return 'copied';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  } finally {
    await removeFile(part);
  }
}

/** Copies a file and answers the hash of what it wrote. */
async function copyTo(path: string, from: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'w', 0o600);
  try {
    // Made no earlier than it is read: a fault in between would be nobody's.
    for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

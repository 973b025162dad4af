import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** A completely received file, synced to disk. */
export interface Arrived {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Hexadecimal; null if not requested. */
  readonly md5: string | null;
  readonly head: Buffer;
}

export interface ReceiveOptions {
  /** Maximum number of bytes. */
  readonly limit: number;
  readonly md5: boolean;
}

const headBytes = 64 * 1024;

/**
 * Writes bytes to a file as they arrive and syncs it. Null if they exceed the limit; the rest remains unread. Rethrows errors of the
 * source. The caller removes the file.
 */
export async function receiveInto(
  path: string,
  source: AsyncIterable<Buffer>,
  { limit, md5 }: ReceiveOptions,
): Promise<Arrived | null> {
  const digest = createHash('sha256');
  const second = md5 ? createHash('md5') : null;
  const head: Buffer[] = [];
  let bytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of source) {
      if (bytes < headBytes) head.push(Buffer.from(chunk.subarray(0, headBytes - bytes)));
      bytes += chunk.length;
      if (bytes > limit) return null;
      digest.update(chunk);
      second?.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, bytes, hash: digest.digest('hex'), md5: second?.digest('hex') ?? null, head: Buffer.concat(head) };
}

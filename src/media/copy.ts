import { createHash } from 'node:crypto';
import { ObjectMissing, type ObjectStore } from '#objects/port.ts';
import { type KeptFile, keyOf } from './files.ts';

/** How the copy of a file went; nothing was written when it is missing or holds something else. */
export type Copied = 'copied' | 'there' | 'missing' | 'differs';

class Differs extends Error {}

/** Copies a kept file from one store to another. It is durable and known to hold what its hash says, or not there. */
export async function copyKept({ hash, bytes }: KeptFile, from: ObjectStore, to: ObjectStore): Promise<Copied> {
  // What comes from elsewhere could be a path to anything.
  if (!/^[\da-f]{64}$/.test(hash)) return 'differs';
  const key = keyOf(hash);
  if ((await to.head(key))?.bytes === bytes) return 'there';
  try {
    await to.put(key, proven(hash, await from.read(key)));
    return 'copied';
  } catch (error) {
    if (error instanceof ObjectMissing) return 'missing';
    if (error instanceof Differs) return 'differs';
    throw error;
  }
}

/** The same bytes; throws at their end when they are not those of the hash. */
export async function* proven(hash: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  for await (const chunk of source) {
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== hash) throw new Differs(`not the bytes of ${hash}`);
}

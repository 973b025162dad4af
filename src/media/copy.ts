import { createHash } from 'node:crypto';
import { ObjectMissing, type ObjectStore } from '#objects/port.ts';
import { fileKeyOf, type KeptFile } from './files.ts';

/** Result of a copy; nothing was written for `missing` and `differs`. */
export type Copied = 'copied' | 'there' | 'missing' | 'differs';

class Differs extends Error {}

/** Copies a file from one store to another. The copy is durable and matches its hash, or does not exist. */
export async function copyKept(
  { hash, bytes }: KeptFile,
  from: ObjectStore,
  to: ObjectStore,
  { proves = false }: { readonly proves?: boolean } = {},
): Promise<Copied> {
  // A hash of foreign origin could be any path.
  if (!/^[\da-f]{64}$/.test(hash)) return 'differs';
  const key = fileKeyOf(hash);
  if ((await to.head(key))?.bytes === bytes && (!proves || (await isProven(hash, to)))) return 'there';
  try {
    await to.put(key, proven(hash, await from.read(key)));
    return 'copied';
  } catch (error) {
    if (error instanceof ObjectMissing) return 'missing';
    if (error instanceof Differs) return 'differs';
    throw error;
  }
}

async function isProven(hash: string, store: ObjectStore): Promise<boolean> {
  try {
    for await (const _ of proven(hash, await store.read(fileKeyOf(hash))));
    return true;
  } catch (error) {
    if (error instanceof Differs || error instanceof ObjectMissing) return false;
    throw error;
  }
}

/** Passes bytes through; throws at their end if they do not match the hash. */
async function* proven(hash: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  for await (const chunk of source) {
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== hash) throw new Differs(`not the bytes of ${hash}`);
}

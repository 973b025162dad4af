import { type ObjectsAddress, parseAddress } from './address.ts';
import { openFolder } from './folder.ts';
import type { ObjectStore } from './port.ts';

/** Opens a store by its valid address, without contacting it yet. */
export async function openObjects(text: string): Promise<ObjectStore> {
  const address: ObjectsAddress | string = parseAddress(text);
  if (typeof address === 'string') throw new TypeError(`the address ${address}`);
  if (address.kind === 'folder') return openFolder(address.path);
  // The client takes 50 MB and some time to load, and most sites do not need it.
  return (await import('./s3.ts')).openBucket(address);
}

import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Which files a folder has is on the disk when this returns. */
export function syncFolderNow(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

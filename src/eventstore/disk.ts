import { closeSync, fdatasync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** What of a file the system has written is on the disk when `sync` resolves; this thread goes on meanwhile. */
export interface Disk {
  sync(): Promise<void>;
  close(): void;
}

const syncData = promisify(fdatasync);

/** `path`: a file that may not be there yet, but is at the first `sync`, and then stays the same one. */
export function createDisk(path: string): Disk {
  let file: number | null = null;
  return {
    async sync() {
      if (file === null) {
        // A file that was just made lasts only when its folder has been written, too.
        await syncFolder(dirname(path));
        file = openSync(path, 'r+');
      }
      await syncData(file);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

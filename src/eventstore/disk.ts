import { closeSync, fdatasync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** When `sync` resolves, everything the system has written to the file is on the disk. The thread is not blocked. */
export interface Disk {
  sync(): Promise<void>;
  close(): void;
}

const syncData = promisify(fdatasync);

/** `path`: a file that exists at the first `sync`, and remains the same one from then on. */
export function createDisk(path: string): Disk {
  let file: number | null = null;
  return {
    async sync() {
      if (file === null) {
        // A new file is durable only when its folder has been synced, too.
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

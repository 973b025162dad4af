import { closeSync, fdatasync, openSync } from 'node:fs';
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
      file ??= openSync(path, 'r+');
      await syncData(file);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

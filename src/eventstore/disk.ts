import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export interface Disk {
  /**
   * When it resolves, everything the system has written to the file is on the disk, and the file is still at its path. The thread is not
   * blocked.
   */
  sync(): Promise<void>;
  /** Throws when the file is no longer at its path. */
  check(): void;
  /** Of the file, until `close`. */
  descriptor(): number;
  /** A sync that has not begun yet rejects. */
  close(): void;
}

const syncData = promisify(fdatasync);

/** Returns a function that throws when the path no longer leads to the file that it leads to now. */
export function watchFile(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) return;
    throw new Error(`${path} is ${found === undefined ? 'gone' : 'another file'}: it was removed, moved or replaced`);
  };
}

/** `path`: a file that exists at the first `sync`, and remains the same one from then on. */
export function createDisk(path: string): Disk {
  let file: number | null = null;
  let isNamed = false;
  let isClosed = false;
  let check = () => {};

  function descriptor(): number {
    if (file !== null) return file;
    if (isClosed) throw new Error(`${path} has been closed`);
    file = openSync(path, 'r+');
    check = watchFile(path);
    return file;
  }

  return {
    async sync() {
      // A new file is durable only when its folder has been synced, too.
      if (!isNamed) await syncFolder(dirname(path));
      isNamed = true;
      await syncData(descriptor());
      check();
    },
    check: () => check(),
    descriptor,
    close() {
      isClosed = true;
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

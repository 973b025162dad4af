import type { KeptFile, MediaFiles } from './files.ts';

/** Files that no event names: what an upload left that was cut off by a loss of power, or by a fault of the store. */
export interface Garbage {
  list(): Promise<readonly KeptFile[]>;
  /** Removes them; answers which. */
  sweep(): Promise<readonly KeptFile[]>;
}

export interface GarbageOptions {
  readonly files: MediaFiles;
  readonly isNamed: (hash: string) => boolean;
  /** Sees to it that `isNamed` knows all of the log. */
  readonly refresh: () => Promise<unknown>;
}

export function createGarbage({ files, isNamed, refresh }: GarbageOptions): Garbage {
  return {
    list: () => Array.fromAsync(files.unneeded(isNamed)),
    async sweep() {
      // Other nodes may have named files of which this one has not heard.
      await refresh();
      const swept: KeptFile[] = [];
      for await (const file of files.unneeded(isNamed)) {
        await files.remove(file.hash, isNamed);
        swept.push(file);
      }
      return swept;
    },
  };
}

import type { KeptFile, MediaFiles } from './files.ts';

/** Files that no event names: what an upload left that was cut off by a loss of power, or by a fault of the store. */
export interface Garbage {
  list(): Promise<readonly KeptFile[]>;
  /** Removes them; answers which. */
  sweep(): Promise<readonly KeptFile[]>;
}

export function createGarbage(files: MediaFiles, isNamed: (hash: string) => boolean): Garbage {
  return {
    list: () => Array.fromAsync(files.unneeded(isNamed)),
    async sweep() {
      const garbage = await Array.fromAsync(files.unneeded(isNamed));
      for (const { hash } of garbage) files.remove(hash, isNamed);
      return garbage;
    },
  };
}

import type { KeptFile, MediaFiles } from './files.ts';
import type { Partials } from './partials.ts';

/** Files that no event names: left by an upload that was interrupted by a power loss or a fault of the store, or that nobody went on with. */
export interface Garbage {
  list(): Promise<readonly KeptFile[]>;
  /** Removes the files and returns them; also removes uploads in pieces that have expired. */
  sweep(): Promise<readonly KeptFile[]>;
}

export interface GarbageOptions {
  readonly files: MediaFiles;
  readonly partials: Pick<Partials, 'sweep'>;
  readonly isNamed: (hash: string) => boolean;
  /** Brings `isNamed` up to date with the log. */
  readonly refresh: () => Promise<unknown>;
}

export function createGarbage({ files, partials, isNamed, refresh }: GarbageOptions): Garbage {
  return {
    list: () => Array.fromAsync(files.unneeded(isNamed)),
    async sweep() {
      // Other nodes may have named files in events that this one has not read yet.
      await refresh();
      await partials.sweep();
      const swept: KeptFile[] = [];
      for await (const file of files.unneeded(isNamed)) {
        await files.remove(file.hash, isNamed);
        swept.push(file);
      }
      return swept;
    },
  };
}

import type { Config } from '#config.ts';
import { MediaFiles } from '#media/files.ts';
import { createGarbage, type Garbage } from '#media/garbage.ts';
import { openMedia, scratchOf } from '#media/open.ts';
import { createUploads, type Uploads } from '#media/uploads.ts';
import { reachOf } from '#objects/reach.ts';
import type { Reporter } from '#process/reporter.ts';
import { startFileScan } from './file-scan.ts';
import type { Integrity } from './integrity.ts';

export interface FilesParts {
  readonly config: Pick<Config, 'dataDir' | 'mediaUrl' | 'uploadLimit' | 'imagePixels'>;
  /** See `MediaFilesOptions`. */
  readonly sharedAs: string | undefined;
  readonly integrity: Integrity;
  readonly reporter: Reporter;
  readonly isNamed: (hash: string) => boolean;
  /** Ensures that `isNamed` covers the whole log. */
  readonly refresh: () => Promise<unknown>;
}

export interface NodeFiles {
  readonly files: MediaFiles;
  readonly uploads: Uploads;
  readonly garbage: Garbage;
  /** Starts background work. Returns a function that stops it. `next`: see `FileScan`. */
  start(next: (hash: string) => string | null): () => void;
  close(): void;
}

export async function openFiles(parts: FilesParts): Promise<NodeFiles> {
  const { config, sharedAs, integrity, reporter, isNamed, refresh } = parts;
  const reach = reachOf(await openMedia(config), reporter.warning);
  const { store } = reach;
  integrity.watchFiles(reach);
  const files = new MediaFiles(store, {
    scratch: scratchOf(store, config.dataDir),
    sharedAs,
    onDamage: (hash, isDamaged) => integrity.noteFile(hash, isDamaged),
  });
  const { uploadLimit: limit, imagePixels: pixels } = config;
  return {
    files,
    uploads: createUploads({ files, limit, pixels, isNamed, refresh }),
    garbage: createGarbage({ files, isNamed, refresh }),
    start(next) {
      // A bucket verifies checksums itself, and charges for reads.
      const isScanned = store.pathOf('') !== null;
      const stops = [reach.start(), ...(isScanned ? [startFileScan({ next, check: files.check, reporter })] : [])];
      return () => stops.forEach((stop) => void stop());
    },
    close: () => store.close(),
  };
}

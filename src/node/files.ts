import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#config.ts';
import { MediaFiles } from '#media/files.ts';
import { createGarbage, type Garbage } from '#media/garbage.ts';
import type { FileCheck } from '#media/intact.ts';
import { openMedia, scratchOf } from '#media/open.ts';
import { openPartials } from '#media/partials.ts';
import { createImageQueue, createUploads, type Uploads } from '#media/uploads.ts';
import { ImageViews } from '#media/views.ts';
import { openFolder } from '#objects/folder.ts';
import { reachOf } from '#objects/reach.ts';
import type { Reporter } from '#process/reporter.ts';
import type { Integrity } from './integrity.ts';

export interface FilesParts {
  readonly config: Pick<Config, 'dataDir' | 'mediaUrl' | 'uploadLimit' | 'imagePixels' | 'imageBytes'>;
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
  readonly views: ImageViews;
  /** Starts background work. Returns a function that stops it. `next`: see `FileScan`. */
  start(next: (hash: string) => string | null): () => void;
  close(): void;
}

export interface FileScan {
  /** Returns the hash that follows the given one among all that events name; null after the last. */
  readonly next: (hash: string) => string | null;
  readonly check: Pick<FileCheck, 'ageOf' | 'readAgain'>;
  readonly reporter: Reporter;
}

/** Pause before each file, in milliseconds, and after it as a multiple of its reading time: leaves most disk bandwidth to others. */
const pause = 100;
const share = 9;
const day = 24 * 60 * 60 * 1000;

export async function openFiles(parts: FilesParts): Promise<NodeFiles> {
  const { config, sharedAs, integrity, reporter, isNamed, refresh } = parts;
  const reach = reachOf(await openMedia(config), reporter.warning);
  const { store } = reach;
  integrity.watchFiles(reach);
  const files = new MediaFiles(store, {
    scratch: scratchOf(store, config.dataDir),
    sharedAs,
    onDamage: (hash, isDamaged) => integrity.noteFile(hash, isDamaged),
    onRemoved: (hash) => views.forget(hash),
  });
  const { uploadLimit: limit, imagePixels: pixels } = config;
  const partials = openPartials(join(config.dataDir, 'media', 'partial'), limit);
  const images = createImageQueue();
  const views = new ImageViews({
    ...{ pixels, images, isNamed, limit: config.imageBytes, onFault: reporter.fault },
    store: openFolder(join(config.dataDir, 'images')),
    locally: (hash, work) => files.locally(hash, work),
  });
  return {
    files,
    uploads: createUploads({ files, partials, limit, pixels, images, isNamed, refresh }),
    views,
    garbage: createGarbage({ files, partials, isNamed, refresh }),
    start(next) {
      void partials.sweep().catch(reporter.fault);
      // A bucket verifies checksums itself, and charges for reads.
      const isScanned = store.pathOf('') !== null;
      const stops = [reach.start(), ...(isScanned ? [startFileScan({ next, check: files.check, reporter })] : [])];
      return () => stops.forEach((stop) => void stop());
    },
    close: () => store.close(),
  };
}

/** Reads every file once a day, in idle time, unless it was already read that day. Returns a function that stops it. */
export function startFileScan({ next, check, reporter }: FileScan): () => void {
  const stopping = new AbortController();
  const sleep = (ms: number) => wait(ms, undefined, { ref: false, signal: stopping.signal });
  const readAll = async () => {
    for (let hash = next(''); hash !== null; hash = next(hash)) {
      if (check.ageOf(hash) < day) continue;
      await sleep(pause);
      const began = performance.now();
      await check.readAgain(hash).catch(reporter.fault);
      await sleep(share * (performance.now() - began));
    }
  };
  const scan = async () => {
    while (!stopping.signal.aborted) {
      await readAll().catch((error: unknown) => stopping.signal.aborted || reporter.fault(error));
      await sleep(day).catch(() => undefined);
    }
  };
  void scan();
  return () => stopping.abort();
}

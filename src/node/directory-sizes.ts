import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface Measured {
  readonly uploads: number;
  readonly database: number;
}

/** How long a result is reused, in milliseconds: measuring looks at every file. */
const KEPT = 60 * 60 * 1000;
const UPLOADS = 'media';

/** Measures a data directory at most once an hour; until then the last result is returned. */
export function measureDirectory(dataDir: string, clock: () => number): () => Promise<Measured> {
  let known: { readonly at: number; readonly found: Promise<Measured> } | null = null;
  return () => {
    const now = clock();
    if (known === null || now - known.at >= KEPT || now < known.at) {
      const found = measure(dataDir);
      known = { at: now, found };
      found.catch(() => {
        known = null;
      });
    }
    return known.found;
  };
}

async function measure(dataDir: string): Promise<Measured> {
  const uploads = await sizeOf(join(dataDir, UPLOADS));
  return { uploads, database: (await sizeOf(dataDir)) - uploads };
}

/** Measures one file after the other, so that requests for files are not delayed. Files deleted meanwhile count as 0. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else if (entry.isFile()) bytes += (await stat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

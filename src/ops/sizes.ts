import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Sizes of the parts of a data directory and free space on its disk, in bytes. */
export interface Sizes {
  readonly log: number;
  readonly projections: number;
  readonly views: number;
  readonly media: number;
  readonly free: number;
}

export async function sizesOf(dataDir: string): Promise<Sizes> {
  const [top, views, media, { bavail, bsize }] = await Promise.all([
    filesIn(dataDir, false),
    filesIn(join(dataDir, 'views'), true),
    filesIn(join(dataDir, 'media'), true),
    statfs(dataDir),
  ]);
  const named = (name: string) => sum(top.filter((file) => file.name.startsWith(name)));
  return {
    log: named('log.db'),
    projections: named('projections.db'),
    views: sum(views),
    media: sum(media),
    free: bavail * bsize,
  };
}

interface File {
  readonly name: string;
  readonly bytes: number;
}

function sum(files: readonly File[]): number {
  return files.reduce((all, { bytes }) => all + bytes, 0);
}

async function filesIn(folder: string, recursive: boolean): Promise<readonly File[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => []);
  const files: File[] = [];
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const { size = 0 } = (await stat(join(parentPath, name)).catch(() => null)) ?? {};
    files.push({ name, bytes: size });
  }
  return files;
}

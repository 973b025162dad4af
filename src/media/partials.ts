import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Uploads that arrive in pieces, on the disk of this node: each is a file of bytes beside a description of it. */
export interface Partials {
  /** Folder of their files. */
  readonly folder: string;
  /** Maximum bytes of a file. */
  readonly limit: number;
  /** Number of uploads of a user that are not complete. */
  countOf(user: number): Promise<number>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
}

/** Content type of a piece of a file, and of a file that has arrived in pieces. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/** Milliseconds after which an upload that is not complete has expired. */
export const PARTIALS_LAST = 24 * 60 * 60 * 1000;

/** Endings of what describes an upload. */
const described = /\.(?:json|new)$/;

/** An id that nobody can guess, and that says whose it is. */
export function newPartialId(user: number, random: string): string {
  return `${user}-${random.replaceAll('-', '')}`;
}

/** The user in the id of an upload; null if it is no id. */
export function ownerOfPartial(id: string): number | null {
  const [, user] = /^(\d+)-[\da-f]{32}$/.exec(id) ?? [];
  return user === undefined ? null : Number(user);
}

export function openPartials(folder: string, limit: number): Partials {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    folder,
    limit,
    async countOf(user) {
      const names = await readdir(folder);
      return names.filter((name) => ownerOfPartial(name) === user).length;
    },
    async sweep() {
      const oldest = (await timeIn(folder)) - PARTIALS_LAST;
      for (const name of await readdir(folder)) {
        const isOwn = ownerOfPartial(name.replace(described, '')) !== null;
        const path = join(folder, name);
        const written = isOwn ? await stat(path).then(timeOf, never) : never();
        if (written < oldest) await rm(path, { force: true });
      }
    },
  };
}

/** What the clock of the file system says, which may be that of another machine. */
async function timeIn(folder: string): Promise<number> {
  const path = join(folder, 'clock');
  const probe = await open(path, 'w');
  try {
    return timeOf(await probe.stat());
  } finally {
    await probe.close();
    await rm(path, { force: true });
  }
}

const timeOf = ({ mtimeMs }: { readonly mtimeMs: number }) => mtimeMs;
/** It has been removed meanwhile. */
const never = () => Number.POSITIVE_INFINITY;

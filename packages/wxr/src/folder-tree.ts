import { createHash } from 'node:crypto';
import { type Dirent, realpathSync, statSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, matchesGlob, sep } from 'node:path';
import { SourceFault, type SourceNotice } from './records.ts';

/** Files of a folder by their paths in it, which have `/` between their parts. */
export interface FolderTree {
  readonly root: string;
  /** In the order of their code units, which is the same everywhere. */
  readonly paths: readonly string[];
  readonly has: (path: string) => boolean;
  /** Links that were not followed, and why. */
  readonly notices: readonly SourceNotice[];
  /** A number from 1 to 2^31 - 1 that follows from the path of a file and, seldom, from what else is in the folder. */
  readonly idOf: (path: string) => number;
  /** When a file was last written, in milliseconds since 1970. */
  readonly timeOf: (path: string) => number;
}

/** Files longer than this are no texts. */
const longestText = 32 * 1024 * 1024;

export async function openTree(folder: string, leaveOut: readonly string[]): Promise<FolderTree> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new SourceFault('no_folder', `${folder} is no folder that can be read.`);
  const root = realpathSync(folder);
  const isLeftOut = (path: string) => leaveOut.some((glob) => matchesGlob(path, glob));
  const paths: string[] = [];
  const notices: SourceNotice[] = [];
  const visit = async (below: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(join(root, below));
    // A link to a folder above would never end.
    if (above.includes(real)) return;
    for (const entry of await readdir(real, { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || isLeftOut(path)) continue;
      const kind = await kindOf(root, path, entry);
      if (kind === 'folder') await visit(path, [...above, real]);
      if (kind === 'file') paths.push(path);
      if (kind === 'outside')
        notices.push(folderNotice(path, 'leads_outside', 'is a link that leads out of the folder, or to nothing.'));
    }
  };
  await visit('', []);
  paths.sort((one, other) => (one < other ? -1 : 1));
  const there = new Set(paths);
  const timeOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return { root, paths, notices, has: (path) => there.has(path), idOf: stableNumbers(paths), timeOf };
}

/** What an entry is; links are what they lead to, unless that is outside. Null: no file. */
async function kindOf(root: string, path: string, entry: Dirent): Promise<'file' | 'folder' | 'outside' | null> {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return null;
  const real = await realpath(join(root, path)).catch(() => null);
  if (real === null || !`${real}${sep}`.startsWith(root + sep)) return 'outside';
  const found = await stat(real);
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : null;
}

/** A number for each key that follows from it and, seldom, from the keys before it. */
export function stableNumbers(paths: readonly string[]): (path: string) => number {
  const ids = new Map<string, number>();
  const taken = new Set<number>();
  for (const path of paths) {
    let id = createHash('sha256').update(path).digest().readUInt32BE(0) % 0x7fff_ffff || 1;
    while (taken.has(id)) id = (id % 0x7fff_fffe) + 1;
    taken.add(id);
    ids.set(path, id);
  }
  return (path) => ids.get(path) ?? 0;
}

/** The text of a file, or why it has none. */
export async function readText({ root }: FolderTree, path: string): Promise<string | SourceNotice> {
  const file = join(root, path);
  const failed = (code: string, message: string): SourceNotice => folderNotice(path, code, message);
  try {
    if ((await stat(file)).size > longestText) return failed('too_long', `is longer than ${longestText} bytes.`);
    const bytes = await readFile(file);
    return decoded(bytes) ?? failed('not_utf8', 'is not written in UTF-8: convert it, then read it again.');
  } catch (error) {
    return failed('unreadable_file', `cannot be read (${error instanceof Error ? error.message : error}).`);
  }
}

export function folderNotice(
  file: string,
  code: string,
  message: string,
  line = 0,
  what: SourceNotice['what'] = 'skipped',
): SourceNotice {
  return { what, code, message, place: { file, line } };
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

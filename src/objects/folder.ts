import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { infoOf, isMissing, moveSafely, orNull, removeFile } from './disk.ts';
import { type ListedObject, ObjectMissing, type ObjectStore } from './port.ts';

/** Folder for files being written; left-over files there are incomplete. */
export const scratchFolder = 'tmp';

class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

export function openFolder(root: string): ObjectStore {
  // Keys may come from a manifest that somebody else has written.
  const pathOf = (key: string) => {
    if (!isInside(key)) throw new KeyRefused(`${JSON.stringify(key)} is no key of an object`);
    return join(root, key);
  };
  const draft = async () => {
    await mkdir(join(root, scratchFolder), { recursive: true, mode: 0o700 });
    return join(root, scratchFolder, randomUUID());
  };
  return {
    address: root,
    pathOf: (key) => (key === '' ? root : pathOf(key)),
    head: async (key) => infoOf(pathOf(key)),
    async read(key, part) {
      const file = await open(pathOf(key), 'r').catch((error: unknown) => {
        throw isMissing(error) ? new ObjectMissing(`${key} is missing in ${root}`, { cause: error }) : error;
      });
      return file.createReadStream(part);
    },
    async put(key, source) {
      const path = await draft();
      try {
        await writeAll(await open(path, 'wx', 0o600), source);
        await moveSafely(path, pathOf(key));
      } finally {
        await removeFile(path);
      }
    },
    take: (key, path) => moveSafely(path, pathOf(key)),
    remove: (key) => removeFile(pathOf(key)),
    list: (prefix) => listBelow(root, '', prefix),
    async now() {
      const probe = await draft();
      await writeFile(probe, '');
      const { mtimeMs } = await stat(probe);
      await removeFile(probe);
      return mtimeMs;
    },
    close: () => undefined,
  };
}

function isInside(key: string): boolean {
  return !key.includes('\0') && key.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..');
}

async function writeAll(file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of source) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* listBelow(root: string, folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const entries = (await orNull(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const keys = entries.flatMap((entry) => {
    const key = `${folder}${entry.name}`;
    return entry.isDirectory() ? `${key}/` : entry.isFile() ? key : [];
  });
  for (const key of keys.sort((a, b) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix) && !prefix.startsWith(key)) continue;
    if (key.endsWith('/')) {
      yield* listBelow(root, key, prefix);
      continue;
    }
    const info = key.startsWith(prefix) ? await infoOf(join(root, key)) : null;
    if (info !== null) yield { key, ...info };
  }
}

import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from '#objects/folder.ts';
import { SealBroken, sealedStore } from '#objects/sealed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const key = randomBytes(32);
const chunk = 64 * 1024;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});

function temporaryFolder() {
  const path = temporaryDirectory();
  return { path, store: sealedStore(openFolder(path), key) };
}

const textIn = async (name: string, store = folder.store) =>
  Buffer.concat(await Array.fromAsync(await store.read(name)));

describe('a sealed object', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 5])(
    'of %i bytes is returned as stored',
    async (size) => {
      const bytes = randomBytes(size);
      const pieces = Array.from({ length: Math.ceil(size / 5000) }, (_, i) => bytes.subarray(5000 * i, 5000 * (i + 1)));
      await folder.store.put('a', Readable.from(pieces));
      expect((await textIn('a')).equals(bytes)).toBe(true);
      expect(await folder.store.head('a')).toMatchObject({ bytes: size });
      expect(readFileSync(join(folder.path, 'a')).length).toBeGreaterThan(size);
    },
  );

  it('is refused if it was changed, truncated or renamed, or with another key', async () => {
    const put = () => folder.store.put('a', Readable.from([randomBytes(2 * chunk)]));
    const change = async (work: (bytes: Buffer) => Buffer, name = 'a') => {
      await put();
      writeFileSync(join(folder.path, 'a'), work(readFileSync(join(folder.path, 'a'))));
      renameSync(join(folder.path, 'a'), join(folder.path, name));
      await expect(textIn(name)).rejects.toThrow(SealBroken);
    };
    await change((bytes) => bytes.fill(bytes.readUInt8(100) ^ 1, 100, 101));
    await change((bytes) => bytes.subarray(0, -1));
    await change((bytes) => bytes.subarray(0, 52 + chunk + 16));
    await change((bytes) => bytes.subarray(0, 52));
    await change((bytes) => bytes.subarray(0, 10));
    await change((bytes) => bytes, 'b');
    await put();
    await expect(textIn('a', sealedStore(openFolder(folder.path), randomBytes(32)))).rejects.toThrow(SealBroken);
  });
});

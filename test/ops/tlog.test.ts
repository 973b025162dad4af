import { expect, it, onTestFinished } from 'vitest';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote, parseVerifier, verifiedKeys } from '#tlog/note.ts';
import { tilePath } from '#tlog/tiles.ts';
import { leafHash, nodeHash, rootOf, type Subtrees, sameDigest } from '#tlog/tree.ts';
import { freePort } from '../support/free-port.ts';
import { siteOfPosts } from '../support/long-log.ts';
import { eventually } from '../support/patience.ts';
import { startServer } from '../support/server.ts';

it('a stranger can check the public log: the checkpoint by the key, the root by the tiles, the tiles by the entries', async () => {
  const directory = await siteOfPosts(600);
  const port = String(await freePort());
  const server = await startServer(directory, undefined, { CHECKPOINT_EVERY: '1', READERS: '1', PORT: port });
  onTestFinished(() => server.stop());
  const get = (path: string) => fetch(`http://127.0.0.1:${port}/cms-json/tlog/${path}`);
  await eventually(async () => expect((await get('checkpoint')).status).toBe(200));
  const response = await get('checkpoint');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const note = parseNote(await response.text());
  const key = parseVerifier(await (await get('log.vkey')).text());
  expect(verifiedKeys(note, [key])).toEqual([key]);
  const { size, root, origin } = parseCheckpoint(note.text);
  expect(origin).toBe(key.name);

  const bytesOf = async (path: string) => {
    const tile = await get(`tile/${path}`);
    expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    return Buffer.from(await tile.arrayBuffer());
  };
  const leaves: Buffer[] = [];
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256);
    const tile = await bytesOf(tilePath({ level: 0, index, width }));
    const bundle = await bytesOf(tilePath({ level: 'entries', index, width }));
    expect([tile.length, bundle.length]).toEqual([width * 32, width * 34]);
    for (let i = 0; i < width; i++) {
      const leaf = tile.subarray(i * 32, (i + 1) * 32);
      expect(sameDigest(leafHash(bundle.subarray(i * 34 + 2, (i + 1) * 34)), leaf)).toBe(true);
      leaves.push(leaf);
    }
  }
  const tree: Subtrees = {
    hash: (level, index) =>
      level === 0
        ? (leaves[index] ?? Buffer.of())
        : nodeHash(tree.hash(level - 1, 2 * index), tree.hash(level - 1, 2 * index + 1)),
  };
  expect(sameDigest(rootOf(size, tree), root)).toBe(true);
  const above = await bytesOf(tilePath({ level: 1, index: 0, width: Math.floor(size / 256) }));
  expect(sameDigest(above.subarray(32, 64), tree.hash(8, 1))).toBe(true);

  for (const missing of ['tile/0/000.p/0', `tile/0/x001/000`, 'tile/0/999', 'tile/5/000.p/1', 'tile/', 'key', '']) {
    expect((await get(missing)).status).toBe(404);
  }
});

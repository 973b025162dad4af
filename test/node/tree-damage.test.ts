import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { leafOf } from '#eventstore/leaf.ts';
import { publicLogOf } from '#node/tree/public-log.ts';
import { sumOfRow } from '#node/tree/tree-rows.ts';
import type { Checked } from '#ops/verify/check.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { GrowingRoot, leafHash } from '#tlog/tree.ts';
import { commit, event } from '../support/commits.ts';
import { siteOfPosts } from '../support/long-log.ts';
import { carryOut } from '../support/place.ts';
import { appendTo } from '../support/plain-log.ts';
import { openSigning } from '../support/signing.ts';

const one = (n: number) => commit([event(`note-${n}`, { type: 'Noted', data: '{}' })]);

/** A site whose log is signed, with some events more. */
async function signedSite(posts: number, more: number): Promise<string> {
  const directory = await siteOfPosts(posts);
  const { checkpoints, tree, close } = openSigning(directory);
  checkpoints.make();
  while (tree.grow());
  close();
  for (let i = 0; i < more; i++) await appendTo(directory, one(10_000 + i));
  return directory;
}

function changeTree(directory: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(directory, 'tree.db'));
  change(db);
  db.close();
}

/** Flips a bit of a hash of a row. */
function flip(directory: string, level: number, tile: number, place: number, { isSummed = false } = {}): void {
  changeTree(directory, (db) => {
    const row = db.prepare('SELECT hashes FROM tiles WHERE level = ? AND tile = ?').get(level, tile);
    const hashes = Buffer.from(row?.['hashes'] as Uint8Array);
    const at = place < 0 ? hashes.length + place * 32 : place * 32;
    hashes.writeUInt8(hashes.readUInt8(at) ^ 1, at);
    db.prepare('UPDATE tiles SET hashes = ? WHERE level = ? AND tile = ?').run(hashes, level, tile);
    const sum = sumOfRow(level, tile, hashes);
    if (isSummed) db.prepare('UPDATE tiles SET sum = ? WHERE level = ? AND tile = ?').run(sum, level, tile);
  });
}

/** All that is public of a log, and whether each signed root follows from it. */
function published(directory: string) {
  const opened = openSigning(directory);
  try {
    const { checkpoints, log } = opened;
    checkpoints.make();
    const { size, root } = parseCheckpoint(parseNote(checkpoints.latest?.note ?? '').text);
    const made = new GrowingRoot();
    for (const found of log.read({ to: size })) made.append(leafHash(leafOf(found)));
    const open = publicLogOf({ dataDir: directory, ...opened });
    const tiles = [-1, 0, 1].flatMap((level) =>
      Array.from({ length: Math.ceil(size / 256 ** (Math.max(level, 0) + 1)) }, (_, index) => {
        const width = Math.min(256, Math.floor(size / 256 ** Math.max(level, 0)) - index * 256);
        return open.tile({ level: level < 0 ? 'entries' : level, index, width });
      }),
    );
    return { size, isTrue: Buffer.compare(root, made.root) === 0, tiles: tiles.map((tile) => tile?.toString()) };
  } finally {
    opened.close();
  }
}

/** What `verify` says of what is signed, and of the file of the tree. */
async function verified(directory: string): Promise<Record<string, string>> {
  const { value } = (await carryOut(directory, 'verify')) as { readonly value: Checked };
  const about = value.checks.filter(({ check }) => check === 'checkpoints' || check === 'tree');
  return Object.fromEntries(about.map(({ check, result }) => [check, result]));
}

describe('a damaged file of the tree', () => {
  const cases: [string, (directory: string) => void][] = [
    ['the last leaf, which has no right sibling yet', (dir) => flip(dir, 0, 5, -1)],
    ['the last entry', (dir) => flip(dir, -1, 5, -1)],
    ['a leaf of a complete subtree', (dir) => flip(dir, 0, 0, 5)],
    ['an entry of a full row', (dir) => flip(dir, -1, 1, 0)],
    ['a node that the root is made of', (dir) => flip(dir, 8, 0, 3)],
    ['the last node of each level', (dir) => [1, 2, 3, 4, 5, 6, 7, 8].forEach((level) => void flip(dir, level, 0, -1))],
    ['a node that was false when it was written', (dir) => flip(dir, 8, 0, 3, { isSummed: true })],
    ['a row that is gone', (dir) => changeTree(dir, (db) => db.exec('DELETE FROM tiles WHERE level = 0 AND tile = 1'))],
    ['half a row', (dir) => changeTree(dir, (db) => db.exec('UPDATE tiles SET hashes = substr(hashes, 1, 4096)'))],
    ['all rows that are gone', (dir) => changeTree(dir, (db) => db.exec('DELETE FROM tiles'))],
    ['another size', (dir) => changeTree(dir, (db) => db.exec('UPDATE extent SET size = size - 1'))],
  ];

  it.each(cases)('is made again where it is damaged, and nothing false is signed or served: %s', async (_, damage) => {
    const directory = await signedSite(1400, 1);
    damage(directory);
    expect(await verified(directory)).toEqual({ checkpoints: 'ok', tree: 'wrong' });
    const { isTrue, size } = published(directory);
    expect(isTrue).toBe(true);
    await appendTo(directory, one(20_000));
    const after = published(directory);
    expect([after.isTrue, after.size]).toEqual([true, size + 1]);
    expect(after.tiles).not.toContain(undefined);
    expect(await verified(directory)).toEqual({ checkpoints: 'ok', tree: 'ok' });
  });
});

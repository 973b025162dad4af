import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leafOf } from '#eventstore/leaf.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { HistoryDiffers, readCheckpoints } from '#node/tree/checkpoints.ts';
import { publicLogOf } from '#node/tree/public-log.ts';
import { TreeFile, type TreeSource, treeSchema } from '#node/tree/tree-file.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote, parseVerifier, verifiedKeys } from '#tlog/note.ts';
import { inclusionProof, leafHash, nodeHash, rootByInclusion, rootOf, type Subtrees, sameDigest } from '#tlog/tree.ts';
import { commit, event } from '../support/commits.ts';
import { siteOfPosts } from '../support/long-log.ts';
import { appendTo, directoryWith } from '../support/plain-log.ts';
import { openSigning } from '../support/signing.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const entryOf = (i: number) => Buffer.from(`entry ${i}`.padStart(32));

/** Hashes made from the entries each time. */
const plain: Subtrees = {
  hash(level, index) {
    if (level === 0) return leafHash(entryOf(index));
    return nodeHash(plain.hash(level - 1, 2 * index), plain.hash(level - 1, 2 * index + 1));
  },
};

/** What a tree over these entries is made of. */
const source: TreeSource = {
  entries: (from, to) => Array.from({ length: to - from }, (_, i) => entryOf(from + i)),
  hashAt: () => 'hash',
  onDamage: (what) => expect(what).toBe('nothing'),
};

describe('the file of a tree', () => {
  it('has the hashes of all subtrees, however it grew and whenever it was opened again', () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
      (steps) => {
        const path = join(temporaryDirectory(), 'tree.db');
        let size = 0;
        for (const step of steps) {
          const db = new DatabaseSync(path);
          db.exec(treeSchema);
          const tree = new TreeFile(db, source);
          expect(tree.size).toBe(size);
          tree.append(
            Array.from({ length: step }, (_, i) => entryOf(size + i)),
            'hash',
          );
          size += step;
          expect(sameDigest(rootOf(size, tree), rootOf(size, plain))).toBe(true);
          db.close();
        }
        const db = new DatabaseSync(path);
        const tree = new TreeFile(db, source);
        for (let earlier = 1; earlier <= size; earlier += 1 + (earlier >> 2)) {
          expect(sameDigest(rootOf(earlier, tree), rootOf(earlier, plain))).toBe(true);
        }
        expect(tree.tile(0, 0)).toHaveLength(32 * Math.min(size, 256));
        db.close();
      },
    );
    fc.assert(property, { numRuns: 15 });
  });
});

const some = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => commit([event(`note-${from + i}`, { type: 'Noted', data: '{}' })]));

describe('the tree of a log', () => {
  it('goes on after any number of steps, also within commits that are longer than one', async () => {
    const long = commit(
      Array.from({ length: 1200 }, (_, i) => event(`note-${i + 100}`, { type: 'Noted', data: '{}' })),
    );
    const directory = await directoryWith(...some(1, 3), long, ...some(700, 2));
    let [size, steps] = [0, 0];
    for (let more = true; more; steps++) {
      const { tree, close } = openSigning(directory);
      expect(tree.tree.size).toBe(size);
      more = tree.grow();
      size = tree.tree.size;
      close();
    }
    expect(size).toBe(1205);
    expect(steps).toBeGreaterThan(2);
  });

  it('proves each event under a checkpoint that verifies with the public key alone', async () => {
    const { tree, checkpoints, keys, log, close } = openSigning(await siteOfPosts(700));
    onTestFinished(close);
    checkpoints.make();
    const note = parseNote(checkpoints.latest?.note ?? '');
    expect(verifiedKeys(note, [parseVerifier(keys.verifiers[0] ?? '')])).toHaveLength(1);
    const { origin, size, root } = parseCheckpoint(note.text);
    expect([origin, size]).toEqual(['site.example', log.head().position]);
    for (const position of [1, 2, 257, size]) {
      const [found] = log.read({ from: position, limit: 1 });
      if (found === undefined) throw new Error('the log has no such event');
      const leaf = leafHash(leafOf(found));
      const proof = inclusionProof(position - 1, size, tree.tree);
      expect(rootByInclusion({ leaf, index: position - 1, size, proof })).toEqual(root);
      const other = leafHash(leafOf({ ...found, actor: 99 }));
      expect(rootByInclusion({ leaf: other, index: position - 1, size, proof })).not.toEqual(root);
    }
  });

  it('makes one checkpoint for each state of the log, and keeps them across starts', async () => {
    const directory = await directoryWith(...some(1, 3));
    const first = openSigning(directory);
    first.checkpoints.make();
    first.checkpoints.make();
    const key = first.keys.verifiers[0];
    first.close();
    await appendTo(directory, ...some(4, 2));
    const path = join(directory, 'checkpoints.jsonl');
    const second = openSigning(directory);
    second.checkpoints.make();
    expect(second.keys.verifiers[0]).toBe(key);
    second.close();
    const sizes = () => readCheckpoints(path).map(({ note }) => parseCheckpoint(parseNote(note).text).size);
    expect(sizes()).toEqual([3, 5]);
    expect(statSync(join(directory, 'checkpoint.key')).mode & 0o777).toBe(0o600);
    appendFileSync(path, '{"at":"2026-03-01T');
    expect(sizes()).toEqual([3, 5]);
    await appendTo(directory, ...some(6, 1));
    const third = openSigning(directory);
    third.checkpoints.make();
    third.close();
    expect(sizes()).toEqual([3, 5, 6]);
  });

  it('is made again when its file cannot be used, and is unavailable where its key is needed and damaged', async () => {
    const directory = await directoryWith(...some(1, 3));
    mkdirSync(join(directory, 'tree.db'));
    writeFileSync(join(directory, 'checkpoint.key'), 'no key');
    const opened = openSigning(directory);
    onTestFinished(opened.close);
    const open = publicLogOf({ dataDir: directory, ...opened });
    expect(open.checkpoint()).toBeNull();
    for (const ask of [open.verifier, open.witness, open.keys]) expect(ask).toThrow(LogUnavailable);
    expect(() => opened.checkpoints.make()).toThrow(`${join(directory, 'checkpoint.key')} cannot be used`);
    rmSync(join(directory, 'checkpoint.key'));
    opened.checkpoints.make();
    expect(open.tile({ level: 0, index: 0, width: 3 })).toHaveLength(3 * 32);
    expect(open.tile({ level: 'entries', index: 0, width: 3 })).toHaveLength(3 * 34);
  });

  it('shows nothing beyond the latest checkpoint, so that nobody counts the writes of a site', async () => {
    const directory = await directoryWith(...some(1, 3));
    const first = openSigning(directory);
    first.checkpoints.make();
    first.close();
    await appendTo(directory, ...some(4, 2));
    const opened = openSigning(directory);
    onTestFinished(opened.close);
    while (opened.tree.grow());
    const open = publicLogOf({ dataDir: directory, ...opened });
    const widths = () =>
      ([0, 'entries'] as const).map((level) =>
        [1, 2, 3, 4, 5, 6].filter((width) => open.tile({ level, index: 0, width }) !== null),
      );
    expect(widths()).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    opened.checkpoints.make();
    expect(widths()).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('copies its checkpoints to folders and addresses, and makes up for what could not be copied', async () => {
    const [directory, folder] = [await directoryWith(...some(1, 3)), temporaryDirectory()];
    const received: string[] = [];
    let status = 503;
    const keeper = createServer(async (request, response) => {
      if (status === 200) received.push(Buffer.concat(await Array.fromAsync(request)).toString());
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void keeper.close());
    await once(keeper, 'listening');
    const address = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}/`;
    const opened = openSigning(directory, [folder, address]);
    onTestFinished(opened.close);
    opened.checkpoints.make();
    await opened.publish();
    status = 200;
    for (let i = 0; i < 2; i++) await opened.publish();
    const { note = '' } = opened.checkpoints.latest ?? {};
    expect(received).toEqual([note]);
    expect(readCheckpoints(folder).map((one) => one.note)).toEqual([note]);
    expect(readCheckpoints(join(folder, '000000000003.checkpoint'))[0]?.note).toBe(note);
  });

  it('does not sign a log that was rewritten and chained again, or is shorter than what was signed', async () => {
    const directory = await directoryWith(...some(1, 3));
    const signed = openSigning(directory);
    signed.checkpoints.make();
    signed.close();
    for (const events of [[...some(1, 2), ...some(9, 2)], some(1, 2)]) {
      const other = await directoryWith(...events);
      for (const name of ['tree.db', 'checkpoints.jsonl', 'checkpoint.key'])
        copyFileSync(join(directory, name), join(other, name));
      const { checkpoints, close } = openSigning(other);
      onTestFinished(close);
      expect(() => checkpoints.make()).toThrow(HistoryDiffers);
      expect(readCheckpoints(join(other, 'checkpoints.jsonl'))).toHaveLength(1);
    }
  });
});

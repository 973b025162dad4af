import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { eraseEntry } from '#commands/erasure.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import type { Node } from '../../../src/node/node.ts';
import { someOrder } from '../../support/erasure-order.ts';
import { fullDiskFor } from '../../support/full-disk.ts';
import { admin, openTestNode, type TestOptions } from '../../support/node.ts';
import { eventually } from '../../support/patience.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openWireStore, quick, standInForTest } from '../../support/wire-store.ts';
import { filesWith } from './support.ts';

const SECRET = 'Hypatia';

/** A log that counts how often it is emptied, which every erasure begins with. */
function counting() {
  const counted = { times: 0 };
  const openLog = (path: string) => {
    const log = openSqliteStore({ path });
    const erase = (positions: readonly number[]) => {
      counted.times += 1;
      return log.erase(positions);
    };
    return { ...log, erase };
  };
  return { counted, openLog };
}

async function open(directory: string, options: TestOptions = {}): Promise<Node> {
  const { node } = await openTestNode(directory, options);
  onTestFinished(() => node.close());
  return node;
}

async function write(node: Node, title: string): Promise<number> {
  const fields = { title, slug: 'plain', content: title.repeat(50), status: 'publish' } as const;
  const { value } = await node.store.submit(admin, (session) => createEntry(session, kindOf('post'), fields));
  if (isRefusal(value)) throw new Error(value.code);
  return value;
}

/** Orders the erasure of an entry without carrying it out. */
async function order(node: Node, id: number): Promise<void> {
  await node.store.submit(admin, (session) => eraseEntry(session, id, someOrder));
}

describe('an erasure that was ordered', () => {
  it('is carried out after the next start if the server stopped before', async () => {
    const directory = temporaryDirectory();
    const { node } = await openTestNode(directory);
    await order(node, await write(node, SECRET));
    await node.close();
    expect(filesWith(directory, SECRET)).toContain('log.db');
    const again = await open(directory);
    again.start();
    await eventually(() => expect(filesWith(directory, SECRET)).toEqual([]));
  });

  it('is completed if only the log was emptied', async () => {
    const directory = temporaryDirectory();
    const { node } = await openTestNode(directory);
    await order(node, await write(node, SECRET));
    await node.log.erase([...node.log.read()].map(({ position }) => position));
    await node.close();
    const again = await open(directory);
    expect(await again.store.erasing.finish(30_000)).toBe(true);
    expect(filesWith(directory, SECRET)).toEqual([]);
  });

  it('is carried out once, and again only if the record of it is lost', async () => {
    const directory = temporaryDirectory();
    const { counted, openLog } = counting();
    const { node } = await openTestNode(directory, { openLog });
    await order(node, await write(node, SECRET));
    for (let times = 0; times < 2; times++) await node.store.erasing.finish(30_000);
    expect(counted.times).toBe(1);
    await node.close();
    rmSync(join(directory, 'erased.json'));
    const again = await open(directory, { openLog });
    await again.store.erasing.finish(30_000);
    expect(counted.times).toBe(2);
    expect(again.store.rebuilding.state.run).toBe(0);
  });

  it('is carried out once on a full disk; the missing record is reported once and written when there is space', async () => {
    const directory = temporaryDirectory();
    const warnings: string[] = [];
    const { counted, openLog } = counting();
    const node = await open(directory, { openLog, reporter: { warning: (message) => warnings.push(message) } });
    const path = join(directory, 'erased.json');
    const makeRoom = fullDiskFor(path);
    node.start();
    await order(node, await write(node, SECRET));
    for (let times = 0; times < 2; times++) await node.store.erasing.finish(30_000);
    const { times } = counted;
    await order(node, await write(node, 'Plotinus'));
    await node.store.erasing.finish(30_000);
    expect(filesWith(directory, SECRET)).toEqual([]);
    expect(counted.times).toBe(times + 1);
    expect(warnings).toEqual([expect.stringMatching(/erased.json cannot be written.* ENOSPC/)]);
    expect(existsSync(path)).toBe(false);
    makeRoom();
    await eventually(() => expect(existsSync(path)).toBe(true));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ position: node.log.head().position });
    expect(warnings).toHaveLength(1);
  });

  it('is carried out again if an earlier version with less coverage did it', async () => {
    const directory = temporaryDirectory();
    const { node } = await openTestNode(directory);
    await order(node, await write(node, SECRET));
    await node.store.erasing.finish(30_000);
    await node.close();
    const path = join(directory, 'erased.json');
    const { rules: _, ...older } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify(older));
    const { counted, openLog } = counting();
    const again = await open(directory, { openLog });
    await again.store.erasing.finish(30_000);
    expect(counted.times).toBe(1);
  });

  it('is carried out by all nodes of a shared log, and new nodes cannot read the erased texts', async () => {
    const standIn = await standInForTest();
    const options = { env: { EVENTSTORE_URL: standIn.url }, timings: quick };
    const directories = [temporaryDirectory(), temporaryDirectory()] as const;
    const one = await open(directories[0], options);
    const two = await open(directories[1], options);
    const [gone, stays] = [await write(one, SECRET), await write(one, 'Plotinus')];
    await eventually(() => expect(two.store.reader.entry(stays)).toBeDefined());
    expect(filesWith(directories[1], SECRET).length).toBeGreaterThan(0);
    two.start();
    await order(one, gone);
    expect(await one.store.erasing.finish(30_000)).toBe(true);
    expect(filesWith(directories[0], SECRET)).toEqual([]);
    await eventually(() => expect(filesWith(directories[1], SECRET)).toEqual([]));
    const late = await openWireStore(standIn, { stream: 'palimpsest-site' });
    const texts = (id: number) => [...late.read({ stream: `entry-${id}` })].map(({ sealed }) => sealed);
    expect(new Set(texts(gone))).toEqual(new Set([null]));
    expect(texts(stays)[0]).toContain('Plotinus');
    expect(late.head()).toEqual(one.log.head());
  });
});

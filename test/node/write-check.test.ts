import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { openServingStore } from '#eventstore/sqlite/store.ts';
import { healthOf } from '#ops/metrics/health.ts';
import { failingFile } from '../support/failing-file.ts';
import { admin, openTestNode, type TestOptions } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function servingNode(options: TestOptions = {}) {
  const { node, directory } = await openTestNode(undefined, options);
  node.start();
  const write = () => node.store.submit(admin, (session) => entries.createEntry(session, post, { title: 'Hello' }));
  const codes = () =>
    healthOf(node)
      .reasons()
      .map(({ code }) => code);
  return { node, directory, write, codes };
}

describe('a node is not ready', () => {
  it('while the log refuses appends, and recovers by itself', async () => {
    const disk = { full: false };
    const refuse = () => {
      if (disk.full) throw new LogUnavailable('The event log: database or disk is full');
    };
    const { node, write, codes } = await servingNode({
      openLog(path) {
        const log = openServingStore({ path });
        const append: typeof log.append = async (...given) => {
          refuse();
          return log.append(...given);
        };
        const probe = async () => {
          refuse();
          await log.probe?.();
        };
        return { ...log, append, probe };
      },
    });
    await eventually(() => expect(codes()).toEqual([]));
    disk.full = true;
    await expect(write()).rejects.toThrow(LogUnavailable);
    expect(healthOf(node).reasons()).toEqual([
      { code: 'store_unwritable', message: expect.stringContaining('database or disk is full') },
    ]);
    disk.full = false;
    await eventually(() => expect(codes()).toEqual([]));
    await write();
    await node.close();
  });

  it.each([
    ['the file of the log', (directory: string) => rmSync(join(directory, 'log.db'))],
    ['its write-ahead log', (directory: string) => rmSync(join(directory, 'log.db-wal'))],
    ['the folder', (directory: string) => rmSync(directory, { recursive: true })],
    ['the folder, moved elsewhere,', (directory: string) => renameSync(directory, join(temporaryDirectory(), 'moved'))],
  ])('once %s is no longer there, and acknowledges no write', async (_, remove) => {
    const { node, directory, write, codes } = await servingNode();
    await write();
    remove(directory);
    await expect(write()).rejects.toThrow('The event log');
    await eventually(() => expect(codes()).toEqual(['store_unwritable']));
    await node.close();
  });

  it('before the next write, if the log has gone meanwhile', async () => {
    const { node, directory, codes } = await servingNode();
    rmSync(directory, { recursive: true });
    await eventually(() => expect(codes()).toEqual(['store_unwritable']));
    await node.close();
  });

  it('while the projections cannot be written, although the write itself is acknowledged', async () => {
    const projections = failingFile('projections.db');
    const { node, write, codes } = await servingNode();
    projections.failing = true;
    await write();
    expect(codes()).toEqual(['store_unwritable']);
    projections.failing = false;
    await eventually(() => expect(codes()).toEqual([]));
    await node.close();
  });
});

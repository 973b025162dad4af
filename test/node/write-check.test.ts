import { describe, expect, it, vi } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { openServingStore } from '#eventstore/sqlite.ts';
import { healthOf } from '#ops/metrics/health.ts';
import { failingFile } from '../support/failing-file.ts';
import { admin, openTestNode, type TestOptions } from '../support/node.ts';

async function servingNode(options: TestOptions = {}) {
  const { node } = await openTestNode(undefined, options);
  node.start(() => undefined);
  const write = () => node.store.submit(admin, (session) => entries.createEntry(session, post, { title: 'Hello' }));
  const codes = () =>
    healthOf(node)
      .reasons()
      .map(({ code }) => code);
  return { node, write, codes };
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
    expect(codes()).toEqual([]);
    disk.full = true;
    await expect(write()).rejects.toThrow(LogUnavailable);
    expect(healthOf(node).reasons()).toEqual([
      { code: 'store_unwritable', message: expect.stringContaining('database or disk is full') },
    ]);
    disk.full = false;
    await vi.waitFor(() => expect(codes()).toEqual([]), { timeout: 10_000 });
    await write();
    await node.close();
  });

  it('while the projections cannot be written, although the write itself is acknowledged', async () => {
    const projections = failingFile('projections.db');
    const { node, write, codes } = await servingNode();
    projections.failing = true;
    await write();
    expect(codes()).toEqual(['store_unwritable']);
    projections.failing = false;
    await vi.waitFor(() => expect(codes()).toEqual([]), { timeout: 10_000 });
    await node.close();
  });
});

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { LogDamaged, LogInUse } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { admin, openTestNode } from '../support/node.ts';
import { startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const hello = { title: 'Hello', content: 'World', status: 'publish' as const };

describe('a full disk', () => {
  it('makes writes answer 503 with Retry-After while reads continue, and leaves nothing half done', async () => {
    const maxBytes = 256 * 1024;
    const site = await startSite({ openLog: (path) => openSqliteStore({ path, maxBytes }) });
    const text = 'x'.repeat(20_000);
    let refused: Awaited<ReturnType<typeof site.call>> | undefined;
    let stored = 0;
    for (let i = 0; i < 40 && refused === undefined; i++) {
      const answer = await site.call('editor', 'POST /posts', { title: `Post ${i}`, content: text, status: 'publish' });
      if (answer.status === 201) stored += 1;
      else refused = answer;
    }
    expect([refused?.status, refused?.body.code]).toEqual([503, 'rest_store_unavailable']);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const list = await site.call('anonymous', 'GET /posts?per_page=1');
    expect(list.headers.get('x-cms-total')).toBe(String(stored));
    expect((await site.call('editor', 'POST /posts', { title: 'Small' })).status).toBe(201);
    await site.close();
  });
});

describe('damaged files', () => {
  async function withPosts(directory: string): Promise<void> {
    const { node } = await openTestNode(directory);
    for (let i = 0; i < 50; i++) {
      await node.store.submit(admin, (session) => entries.createEntry(session, post, { ...hello, title: `Post ${i}` }));
    }
    await node.close();
  }

  function overwrite(path: string, at: number, bytes: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, at);
    closeSync(file);
  }

  it.each([
    ['its head', 0, 100],
    ['a page in its middle', 4096 * 3, 4096],
    ['most of it', 4096, 4096 * 20],
  ])('of projections are rebuilt after damage to %s', async (_, at, bytes) => {
    const directory = temporaryDirectory();
    await withPosts(directory);
    overwrite(join(directory, 'projections.db'), at, bytes);
    const { node } = await openTestNode(directory);
    expect(
      node.store.reader.find({
        kind: 'post',
        statuses: [{ status: 'publish' }],
        orderBy: 'id',
        order: 'asc',
        offset: 0,
        limit: 1,
      }).total,
    ).toBe(50);
    expect(node.store.reader.entry(50)?.contentJson).toContain('World');
    await node.close();
  });

  it('of the log stop the start with LogDamaged and are not changed', async () => {
    const directory = temporaryDirectory();
    await withPosts(directory);
    const path = join(directory, 'log.db');
    overwrite(path, 8192, 8192 * 4);
    const before = readFileSync(path);
    await expect(openTestNode(directory)).rejects.toThrow(LogDamaged);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('of projections from another log stop the start', async () => {
    const [directory, other] = [temporaryDirectory(), temporaryDirectory()];
    await withPosts(directory);
    await withPosts(other);
    const { copyFileSync } = await import('node:fs');
    copyFileSync(join(other, 'projections.db'), join(directory, 'projections.db'));
    await expect(openTestNode(directory)).rejects.toThrow(/the projections have seen/);
  });
});

describe('a data directory', () => {
  it('is used by one process at a time', async () => {
    const { node, directory } = await openTestNode();
    await expect(openTestNode(directory)).rejects.toThrow(LogInUse);
    await node.close();
    const again = await openTestNode(directory);
    await again.node.close();
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../support/patience.ts';
import { serverProcess } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { threadOf } from '../support/thread-of.ts';

const forEver = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

async function siteWith(code: string) {
  const site = await startSite({
    readers: { pause: 0, deadline: 5000, onFault: () => undefined, file: threadOf(code) },
  });
  onTestFinished(() => site.close());
  const content = `<!-- wp:paragraph --><p>${'word '.repeat(12_000)}</p><!-- /wp:paragraph -->`;
  const id = await site.make('editor', '/posts', { title: 'Long', content, status: 'publish' });
  return { site, id };
}

/** Reads that take long: a list, a long text, a page. */
async function readAll({ site, id }: Awaited<ReturnType<typeof siteWith>>, n: number): Promise<void> {
  const list = await site.call('editor', `GET /posts?per_page=100&_embed&_=${n}`);
  expect([list.status, list.body.length]).toEqual([200, 1]);
  const text = await site.call('editor', `GET /posts/${id}?context=edit&_=${n}`);
  expect([text.status, text.body.content.rendered]).toEqual([200, expect.stringContaining('word word')]);
  expect(await (await fetch(`http://127.0.0.1:${site.port}/?_=${n}`)).text()).toContain('Long');
}

describe('a long read', () => {
  it('is answered while its thread starts, however long that takes', async () => {
    const opened = await siteWith(forEver);
    for (const n of [1, 2]) {
      await readAll(opened, n);
      opened.site.readers?.publish(null);
    }
    expect(opened.site.readers?.isReady).toBe(false);
  });

  it('is answered by the main thread if the thread never answers, and others do not wait for it', async () => {
    const opened = await siteWith(
      `parentPort.on('message', () => { ${forEver} }); parentPort.postMessage({ kind: 'ready' });`,
    );
    const { site } = opened;
    site.readers?.wake();
    await eventually(() => expect(site.readers?.isReady).toBe(true));
    const hangs = site.call('editor', 'GET /posts?per_page=100&_embed');
    await readAll(opened, 3);
    const { status, body } = await hangs;
    expect([status, body.length]).toEqual([200, 1]);
  });
});

describe('a read whose client has gone', () => {
  it('is not made by the main thread in place of a reader thread', async () => {
    const later = "setTimeout(() => parentPort.postMessage({ kind: 'answer', answer: null }), 300)";
    const { site } = await siteWith(
      `parentPort.on('message', ({ kind }) => kind === 'ask' && ${later}); parentPort.postMessage({ kind: 'ready' });`,
    );
    site.readers?.wake();
    await eventually(() => expect(site.readers?.isReady).toBe(true));
    const find = vi.spyOn(site.node.store.reader, 'find');
    const leaving = new AbortController();
    const url = `http://127.0.0.1:${site.port}/cms-json/cms/v2/posts?per_page=50`;
    const gone = fetch(url, { signal: leaving.signal }).catch(() => null);
    await sleep(50);
    leaving.abort();
    await gone;
    const { status } = await site.call('anonymous', 'GET /posts?per_page=50&_=1');
    expect([status, find.mock.calls.length]).toEqual([200, 1]);
  });
});

describe('a server whose threads never get ready', () => {
  it('answers, and stops with 0', async () => {
    const directory = temporaryDirectory();
    const plugin = join(directory, 'hangs.mjs');
    const code = `import { isMainThread } from 'node:worker_threads';
import { definePlugin } from 'palimpsest/plugin';
if (!isMainThread) ${forEver}
export const plugin = definePlugin({ name: 'hangs', namespaces: [] });`;
    writeFileSync(plugin, code);
    const server = await serverProcess(join(directory, 'data'), { READERS: '2', PLUGINS: plugin });
    onTestFinished(() => server.kill());
    await server.start();
    const list = await fetch(`${server.url}/cms-json/cms/v2/posts?per_page=100&_embed`);
    expect([list.status, await list.json()]).toEqual([200, expect.any(Array)]);
    await server.stop();
    expect(server.exitCode()).toBe(0);
  });
});

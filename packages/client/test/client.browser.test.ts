import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../test/support/browser.ts';
import { type Site, startSite } from '../../../test/support/site.ts';
import { build, sourcesOf } from '../../../tools/build.ts';
import type * as client from '../src/index.ts';

/** What a page, or a worker of it, does with the client: the same program in both. */
async function program({ createClient, StaleError }: typeof client, [root = '', login = '', password = '']: string[]) {
  const cms = createClient(root, { login, password });
  const form = new FormData();
  form.set('title', 'Uploaded');
  form.set('file', new Blob(['Words'], { type: 'text/plain' }), 'words.txt');
  const upload = (await cms.post('/cms/v2/media', { body: form })).data as { title: { raw: string } };
  const made = await cms.post('/cms/v2/posts', { body: { title: 'From a page', status: 'publish' } });
  const path = { id: (made.data as { id: number }).id };
  const feed = cms.changes({ since: (made.position ?? 0) - 1 });
  const { value: commit } = await feed.next();
  await feed.return(undefined);
  const read = await cms.get('/cms/v2/posts/{id}', { path });
  await cms.patch('/cms/v2/posts/{id}', { path, body: { title: 'Changed' }, ifMatch: read });
  const stale = await cms.patch('/cms/v2/posts/{id}', { path, body: { title: 'Lost' }, ifMatch: read }).then(
    () => false,
    (error) => error instanceof StaleError,
  );
  let listed = 0;
  for await (const _ of cms.each('/cms/v2/posts')) listed += 1;
  await cms.delete('/cms/v2/posts/{id}', { path, body: { force: true } });
  return { upload: upload.title.raw, commit: commit?.position === made.position, stale, listed };
}

describe.skipIf(chromiumPath === undefined)('the client, in a browser', () => {
  const built = mkdtempSync(join(tmpdir(), 'client-'));
  let site: Site;
  let browser: Browser;
  let pages: Server;
  const origin = () => `http://localhost:${(pages.address() as AddressInfo).port}`;

  beforeAll(async () => {
    build(built, sourcesOf('packages/client'));
    pages = createServer(({ url = '' }, answer) => {
      const isScript = /^\/\w+\.js$/.test(url);
      answer.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      answer.end(isScript ? readFileSync(join(built, url)) : '<title>A page</title>');
    });
    await new Promise<void>((done) => void pages.listen(0, done));
    site = await startSite({ corsOrigins: [origin()] });
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    pages?.close();
    rmSync(built, { recursive: true });
  });

  it.each(['a page', 'a worker'])('works in %s of another origin, as in Node', async (where) => {
    const page = await browser.newPage();
    await page.goto(origin());
    const [login = '', password = ''] = atob(site.authorization('editor').slice('Basic '.length)).split(':');
    const given = JSON.stringify([`http://127.0.0.1:${site.port}/cms-json`, login, password]);
    const call = `import('${origin()}/index.js').then((client) => (${program})(client, ${given}))`;
    const script = `${call}.then((done) => postMessage(done), (error) => postMessage(String(error)))`;
    const inWorker = `new Promise((done) => {
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}], { type: 'text/javascript' })), { type: 'module' });
      worker.onmessage = ({ data }) => done(data);
    })`;
    const done = await page.evaluate(where === 'a page' ? call : inWorker);
    expect(done).toEqual({ upload: 'Uploaded', commit: true, stale: true, listed: 1 });
    await page.close();
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { type Site, startSite } from '../support/site.ts';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The part of an answer that a script of the page can read. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

describe.skipIf(chromiumPath === undefined)('a page of another origin, in a browser', () => {
  let site: Site;
  let browser: Browser;
  let pages: Server;
  let post: number;
  /** Two origins on other sites than that of the server. */
  const named = () => `http://localhost:${(pages.address() as AddressInfo).port}`;
  const foreign = () => `http://foreign.localhost:${(pages.address() as AddressInfo).port}`;

  beforeAll(async () => {
    pages = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<title>Elsewhere</title>'));
    await new Promise<void>((done) => void pages.listen(0, done));
    site = await startSite({ corsOrigins: [named()], env: { POSITION_WAIT: '0' } });
    post = await site.make('editor', '/posts', { title: 'Mine', status: 'publish' });
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    pages?.close();
  });

  async function at(origin: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(origin);
    return page;
  }

  /** Resolves to null when the browser hides the answer from the script. */
  function ask(page: Page, path: string, sent: Sent = {}): Promise<Seen | null> {
    const address = `http://127.0.0.1:${site.port}/cms-json/cms/v2${path}`;
    return page.evaluate(
      async ([url, options]) => {
        const answer = await fetch(url, { cache: 'no-store', ...options }).catch(() => null);
        if (answer === null) return null;
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
      },
      [address, sent] as const,
    );
  }

  it('reads public data with entity tag and totals, and can send conditional requests', async () => {
    const page = await at(foreign());
    const list = await ask(page, '/posts');
    expect(list).toMatchObject({ status: 200, headers: { 'x-cms-total': '1', 'x-cms-totalpages': '1' } });
    const etag = list?.headers['etag'] ?? '';
    expect(etag).not.toBe('');
    expect(list?.headers['x-correlation-id']).not.toBeUndefined();
    expect(await ask(page, '/posts', { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 304 });
    const ahead = await ask(page, '/posts', { headers: { 'X-CMS-Position': '999999' } });
    expect(ahead).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    await page.close();
  });

  it('cannot write with the credentials of a user unless its origin is allowed', async () => {
    const page = await at(foreign());
    const headers = { authorization: site.authorization('editor'), 'content-type': 'application/json' };
    const before = site.position();
    const refused = await ask(page, `/posts/${post}`, { method: 'POST', headers, body: '{"title":"Theirs"}' });
    expect([null, 403]).toContain(refused === null ? null : refused.status);
    expect(site.position()).toBe(before);
    await page.close();
  });

  it('can write with If-Match and Idempotency-Key when its origin is allowed, and read the position', async () => {
    const page = await at(named());
    const authorization = site.authorization('editor');
    const headers = { authorization, 'content-type': 'application/json', 'Idempotency-Key': 'one' };
    const write = { method: 'POST', headers, body: '{"title":"New","status":"publish"}' };
    const made = await ask(page, '/posts', write);
    const { id } = JSON.parse(made?.body ?? '{}');
    const position = made?.headers['x-cms-position'] ?? '';
    expect(made).toMatchObject({ status: 201, headers: { location: expect.stringMatching(`/posts/${id}$`) } });
    expect(position).toBe(String(site.position()));
    expect((await ask(page, '/posts', write))?.body).toBe(made?.body);
    const seen = await ask(page, `/posts/${id}`, { headers: { 'X-CMS-Position': position } });
    const conditions = { authorization, 'content-type': 'application/json', 'If-Match': seen?.headers['etag'] ?? '' };
    const change = { method: 'PATCH', headers: conditions, body: '{"title":"Newer"}' };
    expect(await ask(page, `/posts/${id}`, change)).toMatchObject({ status: 200 });
    expect(await ask(page, `/posts/${id}`, change)).toMatchObject({ status: 412 });
    const feed = await ask(page, '/changes?wait=0', { headers: { authorization, 'Last-Event-ID': position } });
    expect(feed?.status).toBe(200);
    await page.close();
  });
});

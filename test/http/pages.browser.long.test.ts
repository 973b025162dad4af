import axe from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { SITE, type Site, startSite } from '../support/site.ts';
import { uploadBody } from '../support/uploads.ts';
import { blockSheet, postSheet } from './pages/block-sheet.ts';

describe.skipIf(chromiumPath === undefined)('the public pages in a browser', () => {
  let site: Site;
  let browser: Browser;
  let port = 0;

  beforeAll(async () => {
    site = await startSite({ env: { VISITOR_COMMENTS: '9' } });
    const post = { status: 'publish', content: '<h2>Part</h2><pre>a long line</pre><p>Words</p>' };
    for (const title of ['One', 'Two', 'Three']) await site.make('editor', '/posts', { ...post, title });
    const [{ id: two }] = (await site.call('editor', 'GET /posts?slug=two')).body;
    const said = { post: two, status: 'approved', author_name: 'Ada', author_email: 'ada@example.net' };
    const parent = await site.make('administrator', '/comments', {
      ...said,
      content: 'Words',
      author_url: 'https://a.example/',
    });
    await site.make('administrator', '/comments', { ...said, parent, content: 'An answer' });
    await site.make('editor', '/posts', { ...post, title: 'Locked', password: 'x' });
    const about = await site.make('editor', '/pages', { ...post, title: 'About' });
    await site.make('editor', '/pages', { ...post, title: 'Team', parent: about });
    await site.make('editor', '/pages', { ...post, title: 'Write us', template: 'contact-form' });
    const [{ id: one }] = (await site.call('editor', 'GET /posts?slug=one')).body;
    for (let n = 0; n < 51; n += 1) {
      site.clock.now += 60_000;
      await site.make('administrator', '/comments', { ...said, post: one, content: `Comment ${n}` });
    }
    const pixels = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#7a5230' } })
      .png()
      .toBuffer();
    const picture = await uploadBody(site, 'editor', { name: 'leaf.png', type: 'image/png', bytes: pixels });
    const file = await uploadBody(site, 'editor', { name: 'notes.txt', type: 'text/plain', bytes: 'notes' });
    await site.make('editor', '/posts', {
      ...{ title: 'Sheet', status: 'publish', featured_media: picture.body.id },
      content: blockSheet(`/uploads/${picture.body.source_url.split('/uploads/')[1]}`, file.body.source_url),
    });
    const parts = await site.make('editor', '/posts', {
      ...{ title: 'Parts', status: 'publish', featured_media: picture.body.id, content: postSheet },
    });
    await site.make('administrator', '/comments', { ...said, post: parts, content: 'A remark' });
    port = site.port;
    const named = `--host-resolver-rules=MAP ${new URL(SITE).hostname}:80 127.0.0.1:${port}`;
    // The pages come from this process alone, and not every machine offers the sandbox of the browser.
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', named] });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('have no accessibility violations in %s mode, %i pixels wide', async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    // Avatars are linked by the URL of the site.
    await context.route(`${SITE}/avatar/**`, (route) =>
      route.continue({ url: route.request().url().replace(SITE, `http://127.0.0.1:${port}`) }),
    );
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (!message.location().url.endsWith('/nowhere/')) complaints.push(message.text());
    });
    for (const path of [
      '/',
      '/two/',
      '/two/?replytocom=1',
      '/locked/',
      '/one/',
      '/one/comment-page-1/',
      '/write-us/?message=sent',
      '/about/team/',
      '/?s=words',
      '/author/editor/',
      '/sheet/',
      '/parts/',
      '/leaf/',
      '/notes/',
      '/nowhere/',
    ]) {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
      const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${path} ${id}: ${target}`));
      expect(faults).toEqual([]);
      const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, scrollWidth <= width]).toEqual([path, true]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('send a style sheet of at most 20 kB', async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/sheet/`)).text();
    const [sheet = ''] = /<style>.*?<\/style>/s.exec(text) ?? [];
    expect(sheet.length).toBeGreaterThan(0);
    expect(sheet.length).toBeLessThanOrEqual(20_000);
  });

  it('put columns side by side, and below each other on a phone', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/sheet/`);
    const tops = () =>
      page
        .locator('.wp-block-column')
        .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);
    expect(await tops()).toBe(1);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await tops()).toBe(3);
    await page.close();
  });

  it('have all parts of their main column below each other', async () => {
    const page = await browser.newPage();
    for (const path of ['/?p=1&preview=true', '/nowhere/', '/three/']) {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      const edges = await page
        .locator('main > *')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      expect([path, new Set(edges).size]).toEqual([path, 1]);
    }
    await page.close();
  });

  it('print only what is there to be read', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/three/`);
    await page.emulateMedia({ media: 'print' });
    expect((await page.evaluate<string>('document.body.innerText')).split(/\n+/)).toEqual([
      ...['Palimpsest', 'Three', expect.stringContaining('by editor'), 'Part', 'a long line', 'Words'],
      'Categories: Uncategorized',
    ]);
    await page.close();
  });

  it('have no accessibility violations in any theme', async () => {
    const activate = async (verb: string, body: object) =>
      fetch(`http://127.0.0.1:${port}/cms-json/host-easy-onboarding/v1/${verb}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { authorization: site.authorization('administrator'), 'content-type': 'application/json' },
      });
    await activate('install-ai-theme', {});
    const faults: string[] = [];
    for (const theme of ['wide', 'book', 'host-ai-theme', 'plain']) {
      expect((await activate('activate-theme', { theme_slug: theme })).status).toBe(200);
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme });
        for (const path of ['/', '/sheet/']) {
          await page.goto(`http://127.0.0.1:${port}${path}`);
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
          faults.push(
            ...violations.map(({ id, nodes }) => `${theme} ${colorScheme} ${path} ${id}: ${nodes[0]?.target}`),
          );
        }
        await page.close();
      }
    }
    expect(faults).toEqual([]);
  });

  it('page through comments and accept messages without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${SITE}/one/`);
    expect(await page.locator('.comments li').count()).toBe(1);
    await page.getByRole('link', { name: 'Older comments' }).click();
    expect(await page.locator('.comments li').count()).toBe(50);
    await page.getByRole('link', { name: 'Newer comments' }).click();
    expect(await page.locator('.comments').getByText('Comment 50', { exact: true }).count()).toBe(1);
    await page.goto(`${SITE}/write-us/`);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.net');
    await page.getByLabel('Message').fill('When may I see it?');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Thank you');
    await context.close();
  });

  it('can be searched with the keyboard', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByLabel('Search').fill('words');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?s=words');
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
    await page.close();
  });

  it('link to the documentation, which finds routes and sends GET requests', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${port}/`);
    const address = await page.getByRole('link', { name: 'For developers' }).getAttribute('href');
    await page.goto((address ?? '').replace(SITE, `http://127.0.0.1:${port}`));
    for (const [word, route] of [
      ['schedule', 'POST /cms/v2/posts'],
      ['future', 'GET /cms/v2/posts'],
      ['modified_after', 'GET /cms/v2/posts'],
    ] as const) {
      await page.getByLabel('Find a route').fill(word);
      const shown = await page.locator('main details:visible h3').allTextContents();
      expect([word, shown.includes(route), shown.length < 400]).toEqual([word, true, true]);
    }
    await page.getByLabel('Find a route').fill('get posts/{id} show');
    const route = page.locator('details[data-get="/cms/v2/posts/{id}"]');
    expect(await page.locator('main details:visible').count()).toBeLessThan(10);
    const [{ id }] = (await site.call('editor', 'GET /posts?slug=locked')).body;
    await route.locator('summary').click();
    await route.getByLabel('id', { exact: true }).fill(String(id));
    await route.getByLabel('context', { exact: true }).fill('edit');
    const answer = route.getByRole('region', { name: 'Answer' });
    await route.getByRole('button', { name: 'Send' }).click();
    await answer.getByText('"rest_forbidden_context"').waitFor();
    const [login = '', ...password] = Buffer.from(site.authorization('editor').slice(6), 'base64')
      .toString()
      .split(':');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Application password').fill(password.join(':'));
    await route.getByRole('button', { name: 'Send' }).click();
    await answer.getByText('"raw": "Locked"').waitFor();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes[0]?.target])).toEqual([]);
    // The browser logs the 401.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await page.close();
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { found } from '../support/patience.ts';
import { type StartedServer, startServer } from '../support/server.ts';

/** The front end of the examples that has a framework, installed and built from a copy as its guide says, for a server of its own. */

const root = join(import.meta.dirname, '../..');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the example of a front end with a framework', () => {
  const place = mkdtempSync(join(tmpdir(), 'front-'));
  const folder = join(place, 'examples/astro');
  let server: StartedServer;
  let store = '';
  let address = '';
  let image: { id: number; source_url: string };
  let stop: () => void = () => undefined;

  beforeAll(async () => {
    const filter = (path: string) => !['node_modules', 'dist', '.astro'].includes(basename(path));
    cpSync(join(root, 'examples/astro'), folder, { recursive: true, filter });
    cpSync(join(root, 'packages/client'), join(place, 'packages/client'), { recursive: true, filter });
    const port = await freePort();
    address = `http://localhost:${port}`;
    server = await startServer(join(place, 'data'), root, {
      FRONT_URL: address,
      MENU_LOCATIONS: 'header=Header',
      PREVIEW_URL: `${address}/preview/{type}/{id}?preview={token}`,
    });
    store = new URL(server.root).origin;
    // As a newcomer's shell: not that of a test.
    const env = { ...process.env, NODE_ENV: undefined, STORE: store, FRONT_URL: address, PORT: String(port) };
    const options = { cwd: folder, env, detached: true, stdio: 'pipe' } as const;
    const installing = spawn('npm', ['ci'], options);
    installing.stdout.resume();
    installing.stderr.pipe(process.stderr);
    expect((await once(installing, 'exit'))[0]).toBe(0);
    const serving = spawn('npm', ['start'], options);
    serving.stderr.pipe(process.stderr);
    stop = () => process.kill(-Number(serving.pid));
    await found(() =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    image = await uploaded();
  }, 600_000);
  afterAll(async () => {
    stop();
    await server?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  const authorization = () => `Basic ${Buffer.from(`admin:${server.password}`).toString('base64')}`;
  async function uploaded(): Promise<typeof image> {
    const body = new FormData();
    body.append('file', new Blob([readFileSync(join(root, 'docs/manuscript.jpg'))]), 'sea.jpg');
    const headers = { authorization: authorization() };
    return (await (
      await fetch(`${server.root}cms/v2/media`, { method: 'POST', headers, body })
    ).json()) as typeof image;
  }
  // biome-ignore lint/suspicious/noExplicitAny: each test reads different members of an answer
  async function call(request: string, body?: object): Promise<any> {
    const [method = '', path = ''] = request.split(' ');
    const headers = { authorization: authorization(), 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${server.root}cms/v2${path}`, { method, headers, ...sent });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${request}: ${JSON.stringify(said)}`);
    return said;
  }
  const make = (path: string, title: string, more: object = {}) =>
    call(`POST ${path}`, { title, status: 'publish', ...more });
  async function visit(path: string) {
    const { status, headers, text } = await fetch(address + path, { redirect: 'manual' }).then(async (answer) => ({
      ...{ status: answer.status, headers: answer.headers, text: await answer.text() },
    }));
    return { status, headers, text, location: headers.get('location') };
  }
  const nav = (text: string) => /<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0] ?? '';
  const hrefs = (text: string) => [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
  const illustrated = () => `${paragraph('Red links.')}

<!-- wp:paragraph {"style":{"elements":{"link":{"color":{"text":"#c00000"}}}}} -->
<p class="has-link-color">To <a href="${store.replace('127.0.0.1', 'localhost')}/about/">the store</a>, <a href="${address}/about/#x">the front</a>, <a href="https://elsewhere.example/about/">elsewhere</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading">Where it is &amp; <em>was</em></h2>
<!-- /wp:heading -->

<!-- wp:heading {"style":{"color":{"text":"#0000c0"}}} -->
<h2 class="wp-block-heading has-text-color" style="color:#0000c0">In blue</h2>
<!-- /wp:heading -->

<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column -->
<div class="wp-block-column">${paragraph('Left')}</div>
<!-- /wp:column -->

<!-- wp:column -->
<div class="wp-block-column">${paragraph('Right')}</div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:image {"id":${image.id},"sizeSlug":"large"} -->
<figure class="wp-block-image size-large"><img src="${image.source_url}" alt="A manuscript" class="wp-image-${image.id}"/><figcaption class="wp-element-caption">One <em>leaf</em></figcaption></figure>
<!-- /wp:image -->

<!-- wp:quote -->
<blockquote class="wp-block-quote">${paragraph('Three fingers write.')}<cite>A scribe</cite></blockquote>
<!-- /wp:quote -->`;

  it('shows a post by its blocks, with the rules for its classes, and links that stay within it', async () => {
    await make('/pages', 'About', { slug: 'about' });
    const { id } = await make('/posts', 'Ink & gold', { slug: 'ink', content: illustrated() });
    const { status, headers, text } = await visit('/ink/');
    expect([status, headers.get('cache-control')]).toEqual([200, null]);
    expect(text).toContain('<h1>Ink &#038; gold</h1>');
    expect(hrefs(/<p class="has-link-color.*?<\/p>/s.exec(text)?.[0] ?? '')).toEqual([
      '/about/',
      '/about/#x',
      'https://elsewhere.example/about/',
    ]);
    expect(text).toContain('<h2 id="where-it-is-was">');
    expect(text).toMatch(/<h2 class="wp-block-heading has-text-color" style="color:#0000c0">In blue<\/h2>/);
    expect(text).toMatch(/<blockquote>\s*<p[^>]*>Three fingers write\.<\/p>\s*<\/blockquote>/);
    expect(text).toContain('<figcaption>One <em>leaf</em></figcaption>');
    const { content } = await call(`GET /posts/${id}?_fields=content.styles`);
    expect(text).toContain(`<style>${content.styles}</style>`);
    for (const name of ['wp-elements', 'wp-container-core-columns']) {
      const used = new RegExp(`class="[^"]*(${name}[\\w-]*)`).exec(text)?.[1];
      expect(content.styles).toContain(`.${used}`);
    }
  });

  it('sends visitors of a former name or another form of an address on, and tells them of what is not there', async () => {
    const { id } = await make('/posts', 'Renamed', { slug: 'formerly' });
    await call(`PUT /posts/${id}`, { slug: '日本' });
    // As the store writes it.
    const slug = encodeURIComponent('日本').toLowerCase();
    expect(await visit('/formerly/')).toMatchObject({ status: 301, location: `/${slug}/` });
    expect(await visit(`/?p=${id}`)).toMatchObject({ status: 301, location: `/${slug}/` });
    expect(await visit('/about')).toMatchObject({ status: 301, location: '/about/' });
    expect((await visit(`/${slug}/`)).text).toContain('<h1>Renamed</h1>');
    for (const path of ['/nothing/', '/page/99/', '/preview/posts/x?preview=y', '/preview/users%2Fme/1?preview=y']) {
      const { status, text } = await visit(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('<h1>Not found</h1>');
    }
  });

  it('shows the posts of the site, a term or an author in pages', async () => {
    const { id } = await make('/categories', '', { name: 'Colophons' });
    const titles = Array.from({ length: 12 }, (_, index) => `Colophon ${index + 1}`);
    for (const title of titles) await make('/posts', title, { categories: [id] });
    const first = await visit('/category/colophons/');
    expect(first.text).toContain('<h1>Colophons</h1>');
    expect(first.text).toContain('Page 1 of 2');
    expect(hrefs(first.text)).toContain('/category/colophons/page/2/');
    const second = await visit('/category/colophons/page/2/');
    const shown = [first, second].map(({ text }) => titles.filter((title) => text.includes(`>${title}</a>`)));
    expect(shown.map(({ length }) => length)).toEqual([10, 2]);
    expect(shown.flat().toSorted()).toEqual(titles.toSorted());
    expect(hrefs(second.text)).toContain('/category/colophons/');
    expect((await visit('/author/admin/')).text).toContain('<h1>admin</h1>');
    expect((await visit('/')).text).toContain('>Colophon 12</a>');
  });

  it('shows the menu of a location, and the pages at the top level without one', async () => {
    const { id: parent } = await make('/pages', 'Scribes', { slug: 'scribes' });
    await make('/pages', 'Below', { parent });
    const instead = hrefs(nav((await visit('/')).text));
    expect(instead).toEqual(expect.arrayContaining(['/about/', '/scribes/']));
    expect(instead).not.toContain('/scribes/below/');
    const { id: menus } = await call('POST /menus', { name: 'Main', locations: ['header'] });
    const item = (title: string, more: object) => make('/menu-items', title, { menus, ...more });
    const top = await item('The scribes', { type: 'post_type', object: 'page', object_id: parent, menu_order: 1 });
    await item('Here', { url: `${address}/about/`, parent: top.id, menu_order: 2 });
    await item('Elsewhere', { url: 'https://elsewhere.example/', menu_order: 3 });
    const { text } = await visit('/scribes/');
    expect(nav(text)).toMatch(
      /<ul><li><a href="\/scribes\/" aria-current="page">The scribes<\/a>\s*<ul><li><a href="\/about\/">Here<\/a>/,
    );
    expect(hrefs(nav(text))).toEqual(['/scribes/', '/about/', 'https://elsewhere.example/']);
  });

  it('shows a draft to those who have the link of its preview, and tells nobody else', async () => {
    const { id } = await make('/posts', 'Draft', { status: 'draft' });
    const words = `<p>Unsaid, see <a href="${address}/about/">this</a>.</p>`;
    const { preview_link: link } = await call(`POST /posts/${id}/autosaves`, { content: words });
    expect(link).toMatch(new RegExp(`^${address}/preview/posts/${id}\\?preview=`));
    const path = link.slice(address.length);
    const { status, headers, text } = await visit(path);
    expect(status).toBe(200);
    expect(text).toContain('This is a preview.');
    expect(text).toContain('Unsaid');
    const query = path.slice(path.indexOf('?'));
    const within = hrefs(text).filter((href) => href?.startsWith('/'));
    expect(within).toContain(`/about/${query}`);
    expect(within.every((href) => href?.endsWith(query))).toBe(true);
    for (const answered of [
      headers,
      (await visit(`/about/${query}`)).headers,
      (await visit(`/about${query}`)).headers,
    ]) {
      expect([answered.get('cache-control'), answered.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    }
    for (const other of [`/preview/posts/${id}`, `/?p=${id}`]) expect((await visit(other)).status).toBe(404);
  });

  describe.skipIf(chromiumPath === undefined)('in a browser', () => {
    it('puts columns beside each other, colours links, takes a picture that fits, and is accessible', async () => {
      const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
      onTestFinished(() => browser.close());
      const page = await browser.newPage({ viewport: { width: 300, height: 800 } });
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(String(error)));
      const open = (path: string) => page.goto(address + path, { waitUntil: 'networkidle' });

      await open('/ink/');
      await page.getByRole('img', { name: 'A manuscript' }).scrollIntoViewIfNeeded();
      const inPage = 'document.querySelector("figure img")';
      await found(() => page.evaluate(`${inPage}.complete && ${inPage}.naturalWidth > 0`));
      expect(await page.evaluate(`${inPage}.currentSrc`)).toMatch(/\/uploads\/.*\?w=\d+&fm=webp$/);

      await page.setViewportSize({ width: 1100, height: 800 });
      await open('/ink/');
      const boxes = ['Left', 'Right'].map((text) => page.getByText(text, { exact: true }).boundingBox());
      const [left, right] = await Promise.all(boxes);
      expect(left?.y).toBe(right?.y);
      expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0));
      const colour = 'getComputedStyle(document.querySelector(".has-link-color a")).color';
      expect(await page.evaluate(colour)).toBe('rgb(192, 0, 0)');

      for (const path of ['/ink/', '/', '/category/colophons/page/2/']) {
        await open(path);
        await page.evaluate(axe);
        expect(await page.evaluate('axe.run().then(({ violations }) => violations)')).toEqual([]);
      }
      expect(errors).toEqual([]);
    });
  });

  it('says so while the store does not answer', async () => {
    await server.stop();
    const { status, text } = await visit('/ink/');
    expect(status).toBe(503);
    expect(text).toContain('The store does not answer');
  });
});

function paragraph(words: string): string {
  return `<!-- wp:paragraph -->\n<p>${words}</p>\n<!-- /wp:paragraph -->`;
}

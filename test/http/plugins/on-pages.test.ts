import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { admin } from '../../support/node.ts';
import { eventually } from '../../support/patience.ts';
import { carryOut } from '../../support/place.ts';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeEach(async () => {
  site = await startPluginSite('A');
});
afterEach(() => site.close());

const page = async (path: string) => pageOf(site, path);
const pageOf = async ({ port }: Site, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
const style = (key: string, color: string) => ({ key, values: [{ selector: `.${key}`, styles: { color } }] });
const save = async (as: As, page_id: unknown, options: readonly object[]) =>
  (await callPlugin(site, as, 'POST /theme-blocks/v1/update-styles', { page_id, options })).body.status;

describe('block styles', () => {
  it('apply to the page they were saved for, as long as it contains the block', async () => {
    const content = '<p class="one">x</p>';
    const id = await site.make('author', '/posts', { title: 'Styled', content, status: 'publish' });
    await site.make('author', '/posts', { title: 'Other', content, status: 'publish' });
    expect(await save('author', id, [style('one', 'teal'), style('gone', 'navy')])).toBe('success');
    expect(await page('/styled/')).toContain('.content .one { color: teal; }');
    expect(await page('/styled/')).not.toContain('navy');
    expect(await page('/other/')).not.toContain('teal');
  });

  it('of templates apply to the page of every entry', async () => {
    await site.make('author', '/posts', { title: 'Any', status: 'publish' });
    expect(await save('administrator', 'template', [style('x', 'olive')])).toBe('success');
    expect(await page('/any/')).toContain('.content .x { color: olive; }');
  });

  it('of widgets apply to header and footer of every page', async () => {
    await site.make('author', '/posts', { title: 'Any', status: 'publish' });
    expect(await save('administrator', 'widget', [style('name', 'maroon')])).toBe('success');
    const rule = ':is(body > header, body > footer) .name { color: maroon; }';
    for (const path of ['/', '/any/', '/nowhere/']) expect(await page(path)).toContain(rule);
  });

  it('are changed by users who may edit the page, those of templates and widgets by administrators only', async () => {
    const own = await site.make('contributor', '/posts', { title: 'Mine' });
    const others = await site.make('administrator', '/pages', { title: 'Theirs', status: 'publish' });
    const places = [own, others, 'template', 'widget'];
    const tries = places.map((place) => save('contributor', place, [style('x', 'red')]));
    expect(await Promise.all(tries)).toEqual(['success', 'error', 'error', 'error']);
    expect(await save('editor', others, [style('x', 'red')])).toBe('success');
  });
});

describe('page assets made by the cache service', () => {
  const send = async (kind: 'ccss' | 'vpi', link: string, data: unknown) => {
    const items = [{ request_url: link, queue_k: `desktop ${link}`, [`data_${kind}`]: data }];
    return (await callback(site, `/cache/v1/notify_${kind}`, { data: items })).body.count;
  };

  it('are on the page until it changes, for the screen width of their variant', async () => {
    const id = await site.make('editor', '/posts', { title: 'Fast', content: 'x', status: 'publish' });
    await send('ccss', 'http://site.example/fast/', 'h1{color:plum}');
    expect(await page('/fast/')).toContain('@media (width >= 48rem) { h1{color:plum} }');
    await site.call('editor', `PUT /posts/${id}`, { content: 'y' });
    expect(await page('/fast/')).not.toContain('plum');
  });

  it('cannot break out of the style element', async () => {
    await site.make('editor', '/posts', { title: 'Fast', content: 'x', status: 'publish' });
    for (const css of ['a{}</style><b>', 'a{', '} b{}', '/* none */', '@import "x";']) {
      await site.call('editor', 'PUT /posts/1', { content: css.length.toString() });
      expect(await send('ccss', 'http://site.example/fast/', css)).toBe(1);
      expect((await page('/fast/')).match(/<style>/g)).toHaveLength(1);
    }
  });

  it('load visible images first', async () => {
    const content = '<img src="http://a.example/1.png?a=1&amp;b=2" loading="lazy"><img src="http://a.example/2.png">';
    await site.make('editor', '/posts', { title: 'Pictures', content, status: 'publish' });
    await send('vpi', 'http://site.example/pictures/', [encodeURIComponent('http://a.example/1.png?a=1&b=2')]);
    const images = (await page('/pictures/')).match(/<img [^>]*a\.example[^>]*>/g) ?? [];
    expect(images.map((image) => [image.includes('fetchpriority="high"'), image.includes('lazy')])).toEqual([
      [true, false],
      [false, expect.anything()],
    ]);
  });
});

describe('the active theme', () => {
  it('determines the look of the pages', async () => {
    const choose = (theme_slug: string) =>
      callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', { theme_slug });
    expect(await page('/')).toContain('--width: 42rem');
    await choose('wide');
    expect(await page('/')).toContain('--width: 60rem');
    await callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/install-ai-theme');
    await choose('host-ai-theme');
    expect(await page('/')).toContain('--font: Lora, Georgia, serif');
  });
});

describe('the themes', () => {
  it('that the server brings along can be activated without settings, one after its installation', async () => {
    const bare = await startSite({ env: { DEPLOYMENT: 'B' } });
    const choose = async (theme_slug: string) =>
      (await callPlugin(bare, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', { theme_slug })).status;
    const look = async () => /--width: (\w+);[^{}]*\}\n<\/style>\n<\/head>/.exec(await pageOf(bare, '/'))?.[1];
    expect([await choose('wide'), await look()]).toEqual([200, '60rem']);
    expect([await choose('book'), await look()]).toEqual([200, '38rem']);
    expect(await choose('host-ai-theme')).toBe(400);
    await callPlugin(bare, 'administrator', 'POST /host-easy-onboarding/v1/install-ai-theme');
    expect([await choose('host-ai-theme'), await look()]).toEqual([200, '46rem']);
    await bare.close();
  });

  it('include one that is in use because the settings list it first', async () => {
    await site.close();
    site = await startPluginSite('B', { themes: [{ slug: 'book', name: 'Book', fonts: [] }] });
    expect(await page('/')).toContain('--width: 38rem');
    expect(await page('/nowhere/')).toContain('--width: 38rem');
  });
});

describe('the fonts of a theme', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-fonts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [upright, slanted] = ['wOF2 one', 'wOF2 two'].map((text) => Buffer.from(text));
  const faces = [
    { family: 'Own Face', file: join(folder, 'own.woff2'), weight: '100 900' },
    { family: 'Own Face', file: join(folder, 'slanted.woff2'), style: 'italic' },
  ];
  const themes = [
    { slug: 'plain', name: 'Plain', fonts: ['system-ui'] },
    { slug: 'ours', name: 'Ours', fonts: [...faces, 'Inter'] },
  ];
  beforeEach(async () => {
    await site.close();
    for (const [index, bytes] of [upright, slanted].entries()) writeFileSync(faces[index]?.file ?? '', bytes ?? '');
    site = await startPluginSite('B', { themes });
  });

  it('are served by the server itself to pages of that theme', async () => {
    const visit = (path: string, headers = {}) => fetch(`http://127.0.0.1:${site.port}${path}`, { headers });
    expect(await page('/')).not.toContain('@font-face');
    const choice = { theme_slug: 'ours' };
    await callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', choice);
    const home = await visit('/');
    expect(home.headers.get('content-security-policy')).toContain("font-src 'self'");
    const text = await home.text();
    expect(text).toMatch(/:root \{ --font: "Own Face", .*serif; \}/);
    const rules = [...text.matchAll(/@font-face \{ (.*?)url\("([^"]+)"\)/g)];
    expect(rules.map(([, rule]) => rule)).toEqual([
      'font-family: "Own Face"; font-weight: 100 900; font-style: normal; font-display: swap; src: ',
      'font-family: "Own Face"; font-weight: 400; font-style: italic; font-display: swap; src: ',
    ]);
    for (const [index, bytes] of [upright, slanted].entries()) {
      const path = rules[index]?.[2] ?? '';
      const sent = await visit(path);
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'font/woff2']);
      expect(Buffer.from(await sent.arrayBuffer())).toEqual(bytes);
      expect((await visit(path, { 'if-none-match': sent.headers.get('etag') ?? '' })).status).toBe(304);
    }
    const { body } = await callPlugin(site, 'contributor', 'GET /builder/v3/get_theme_fonts');
    expect(body).toEqual(['Own Face', 'Inter']);
  });

  it('are included in the export of pages', async () => {
    const choice = { theme_slug: 'ours' };
    await callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', choice);
    const target = join(temporaryDirectory(), 'site');
    const env = { PLUGIN_SETTINGS: JSON.stringify({ themes }), DEPLOYMENT: 'B' };
    expect(await carryOut(site.directory, 'export', { pages: target }, { env })).toMatchObject({ kind: 'done' });
    const [, path = ''] = /url\("(fonts\/[^"]+)"\)/.exec(readFileSync(join(target, 'index.html'), 'utf8')) ?? [];
    expect(readFileSync(join(target, path))).toEqual(upright);
  });

  it('stop the start with a message when a file is missing or invalid', async () => {
    for (const [file, what] of [
      [join(folder, 'none.woff2'), 'is not there'],
      [new URL(import.meta.url).pathname, 'is no WOFF2 file'],
    ] as const) {
      const fonts = [{ family: 'Own Face', file }];
      const starting = startPluginSite('B', { themes: [{ slug: 'ours', name: 'Ours', fonts }] });
      await expect(starting).rejects.toThrow(`PLUGIN_SETTINGS: the font ${file} ${what}`);
    }
  });
});

describe('the CDN', () => {
  const cdn = 'https://cdn.example/site';
  const own = 'http://site.example';
  let delivered: Site;
  beforeEach(async () => {
    delivered = await startPluginSite('A', { cdn: `${cdn}/` });
  });
  afterEach(() => delivered.close());

  it('is active only while the service says so', async () => {
    const seen: boolean[] = [];
    for (const cloud_activated of ['cdn', 'linked', 'cdn', 'deleted']) {
      await callback(site, '/cache/v3/cdn_status', { cloud_activated });
      seen.push((await callPlugin(site, 'administrator', 'GET /cache/v1/cloud')).body.cdn);
    }
    expect(seen).toEqual([true, false, true, false]);
  });

  it('delivers media while it is active: in records, also cached ones, and on pages', async () => {
    const file = { name: 'seen.png', type: 'image/png', bytes: pngOf(2, 2) };
    const { id, source_url } = (await uploadBody(delivered, 'author', file)).body;
    const path = source_url.slice(own.length);
    const content = `<img src="${source_url}"> <img src="${cdn}${path}">`;
    await delivered.make('editor', '/posts', { title: 'Delivered', content, status: 'publish', featured_media: id });
    const addresses = async (): Promise<readonly unknown[]> => {
      for (let i = 0; i < 3; i++) await delivered.call('anonymous', `GET /media/${id}`);
      const { body } = await delivered.call('anonymous', `GET /media/${id}`);
      const response = await fetch(`http://127.0.0.1:${delivered.port}/delivered/`);
      const hosts = (await response.text()).match(/[a-z:/.]+(?:\/site)?\/uploads\//g);
      return [body.source_url, new Set(hosts)];
    };
    expect(await addresses()).toEqual([own + path, new Set([`${own}/uploads/`])]);
    await callback(delivered, '/cache/v3/cdn_status', { cloud_activated: 'cdn' });
    expect(await addresses()).toEqual([cdn + path, new Set([`${cdn}/uploads/`])]);
    await callback(delivered, '/cache/v3/cdn_status', { cloud_activated: 'deleted' });
    expect(await addresses()).toEqual([own + path, new Set([`${own}/uploads/`])]);
  });

  it('delivers no private files', async () => {
    await callback(delivered, '/cache/v3/cdn_status', { cloud_activated: 'cdn' });
    const file = { name: 'own.png', type: 'image/png', bytes: pngOf(2, 2) };
    const { body } = await uploadBody(delivered, 'author', file, { query: 'status=private' });
    expect(body.source_url).toMatch(/^http:\/\/site\.example\/uploads\//);
  });
});

describe('crawlers', () => {
  const toggle = (crawler_id: number) =>
    callPlugin(site, 'administrator', 'POST /cache/v1/toggle_crawler_state', { crawler_id });
  const crawl = async () => {
    site.clock.now += 12_000;
    while (site.crawler.step()) await new Promise((resolve) => setImmediate(resolve));
  };
  const made = async () => {
    const { body } = await callPlugin(site, 'administrator', 'GET /cache/v1/cloud');
    return body.crawlers.map((one: { name: string; active: boolean; made: number }) => [
      one.name,
      one.active,
      one.made > 0,
    ]);
  };

  it('render pages and answers in idle time, compressed for the first visitor', async () => {
    await site.make('editor', '/posts', { title: 'Ahead', content: 'words '.repeat(500), status: 'publish' });
    expect(site.crawler.step()).toBe(false);
    await crawl();
    expect(await made()).toEqual([
      ['pages', true, true],
      ['answers', true, true],
    ]);
    for (const path of ['/ahead/', '/cms-json/cms/v2/posts/1']) {
      const address = `http://127.0.0.1:${site.port}${path}`;
      await eventually(async () => {
        const response = await fetch(address, { headers: { 'accept-encoding': 'br' } });
        await response.text();
        expect([path, response.headers.get('content-encoding')]).toEqual([path, 'br']);
      });
    }
  });

  it('wait during writes', async () => {
    await crawl();
    const write = () =>
      site.node.store.submit(admin, (session) =>
        entries.createEntry(session, post, { title: 'By another node', content: 'x', status: 'publish' }),
      );
    for (let i = 0; i < 3; i++) {
      await write();
      site.clock.now += 6000;
      expect(site.crawler.step()).toBe(false);
    }
    site.clock.now += 6000;
    expect(site.crawler.step()).toBe(true);
  });

  it('render changed pages again, but not while they are paused', async () => {
    await toggle(0);
    await site.make('editor', '/posts', { title: 'Ahead', content: 'x', status: 'publish' });
    await crawl();
    expect(await made()).toEqual([
      ['pages', false, false],
      ['answers', true, true],
    ]);
    await toggle(0);
    await crawl();
    expect((await made())[0]).toEqual(['pages', true, true]);
  });
});

describe('a server without compression', () => {
  it('reports that to the cache service', async () => {
    const plain = await startPluginSite('A', {}, { env: { COMPRESS: 'off' } });
    const { body } = await callback(plain, '/cache/v3/ping', { funcs: ['gzip', 'brotli', 'avif'] });
    await plain.close();
    expect([body.gzip, body.brotli, body.avif]).toEqual(['n', 'n', 'y']);
  });
});

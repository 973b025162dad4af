import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderReader } from '#http/server/target.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

const SITE = 'https://example.org/blog';
let site: Site;
let id = 0;
let file = '';

beforeAll(async () => {
  site = await startSite({ env: { SITE_URL: SITE } });
  id = await site.make('editor', '/posts', { title: 'Blog', slug: 'words', content: 'x', status: 'publish' });
  const { body } = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(40, 30) });
  file = body.source_url;
});
afterAll(() => site.close());

/** Requests an address of the site through a proxy that keeps the path of the folder or strips it. */
function ask(address: string, strips: boolean, init: RequestInit = {}) {
  const path = address.slice((strips ? SITE : new URL(SITE).origin).length);
  return fetch(`http://127.0.0.1:${site.port}${path || '/'}`, { redirect: 'manual', ...init });
}

describe.each([
  ['hands it on', false],
  ['leaves it out', true],
])('a site in a folder, behind a proxy that %s', (_, strips) => {
  const get = (address: string) => ask(address, strips);

  it('takes uploads in pieces at the address that it names', async () => {
    const headers = { authorization: site.authorization('author'), 'tus-resumable': '1.0.0', 'upload-offset': '0' };
    const begun = await ask(`${SITE}/cms-json/cms/v2/media/resumable`, strips, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '4', 'upload-metadata': `filename ${btoa(`${strips}.txt`)}` },
    });
    const at = new URL(begun.headers.get('location') ?? '', SITE).href;
    const type = { 'content-type': 'application/offset+octet-stream' };
    const { status } = await ask(at, strips, { method: 'PATCH', headers: { ...headers, ...type }, body: 'text' });
    expect([at.startsWith(`${SITE}/cms-json/`), status]).toEqual([true, 204]);
  });

  it('serves everything below the folder, and all links lead there', async () => {
    const headers = { authorization: site.authorization('administrator') };
    const audit = await ask(`${SITE}/cms-audit/health`, strips, { headers });
    expect([audit.status, (await audit.text()).includes('Head')]).toEqual([200, true]);
    const found = [SITE, `${SITE}/`, `${SITE}/words/`, `${SITE}/words/embed/`, file, `${SITE}/author/editor/`];
    const interfaces = ['/', '/docs', '/openapi.json', '/cms/v2/posts', `/cms/v2/posts/${id}`, '/cms/v2/changes'];
    const addresses = [...found, ...interfaces.map((path) => `${SITE}/cms-json${path}`)];
    addresses.push(`${SITE}/?rest_route=/cms/v2/posts/${id}`);
    for (const address of addresses) {
      const answer = await get(address);
      expect([address, answer.status]).toEqual([address, 200]);
      const text = `${address === file ? '' : await answer.text()} ${answer.headers.get('link')}`.replaceAll(
        '\\/',
        '/',
      );
      const links = text.match(/https:\/\/example\.org[^"'<>\s\\)]*/g) ?? [];
      expect([address, links.filter((link) => !link.startsWith(SITE))]).toEqual([address, []]);
    }
    expect((await get(`${SITE}/nothing/`)).status).toBe(404);
  });

  it('keeps all links of a post record below the folder', async () => {
    const { body } = await site.call('anonymous', `GET /posts/${id}`);
    const links = Object.values(body._links as Record<string, { href: string }[]>).flat();
    const own = [body.link, ...links.map(({ href }) => href)].filter((href) => !href.includes('{'));
    for (const href of own) {
      expect(href.startsWith(`${SITE}/`)).toBe(true);
      const { status } = await get(href);
      // Links to protected or missing resources answer with the usual error.
      expect([href, status]).toEqual([href, expect.toBeOneOf([200, 401, 404])]);
    }
    expect((await get(body.link)).status).toBe(200);
  });

  it('returns Location and redirects with the folder', async () => {
    const headers = { authorization: site.authorization('editor'), 'content-type': 'application/json' };
    const made = await ask(`${SITE}/cms-json/cms/v2/posts`, strips, {
      method: 'POST',
      headers,
      body: '{"title":"New"}',
    });
    expect(made.headers.get('location')).toMatch(/^https:\/\/example\.org\/blog\/cms-json\/cms\/v2\/posts\/\d+$/);
    const audit = await get(`${SITE}/cms-audit`);
    expect(new URL(audit.headers.get('location') ?? '', `${SITE}/cms-audit`).href).toBe(`${SITE}/cms-audit/`);
    const plain = await get(`${SITE}/?p=${id}`);
    expect([200, 301]).toContain(plain.status);
    if (plain.status === 301) expect(plain.headers.get('location')).toBe(`${SITE}/words/`);
  });

  it('describes its own URLs by oEmbed, and no others of the host', async () => {
    const card = (url: string) => get(`${SITE}/cms-json/oembed/1.0/embed?url=${encodeURIComponent(url)}`);
    expect(await (await card(`${SITE}/words/`)).json()).toMatchObject({ title: 'Blog', provider_url: SITE });
    for (const url of [
      'https://example.org/words/',
      'https://example.org/blogwords/',
      'https://example.org/blogs/words/',
    ]) {
      expect([url, (await card(url)).status]).toEqual([url, 404]);
    }
  });
});

describe('the path below the folder', () => {
  const read = createFolderReader(() => SITE);

  it.each([
    ['/blog', '/'],
    ['/blog/', '/'],
    ['/blog?p=1', '/?p=1'],
    ['/blog/words/?x=1', '/words/?x=1'],
    ['/words/', '/words/'],
    ['/blogger/', '/blogger/'],
    ['/', '/'],
  ])('of %s is %s', (target, path) => expect(read(target)).toBe(path));

  it('is the whole path for a site at the root', () => {
    expect(createFolderReader(() => 'http://localhost:8080')('/blog/x')).toBe('/blog/x');
  });
});

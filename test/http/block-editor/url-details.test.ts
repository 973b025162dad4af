import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Outside, PUBLIC, startOutside } from '../../outgoing/support.ts';
import { patience } from '../../support/patience.ts';
import { type As, SITE, type Site, startSite } from '../../support/site.ts';
import { uploadBody } from '../../support/uploads.ts';

const HOUR = 60 * 60 * 1000;
let site: Site;
let outside: Outside;
let listener: RequestListener;
let requests = 0;

beforeAll(async () => {
  outside = await startOutside(
    (request, response) => {
      requests += 1;
      listener(request, response);
    },
    { 'page.example': [PUBLIC], 'inner.example': ['10.0.0.1'] },
    { deadline: patience },
  );
  site = await startSite({ outgoing: outside.outgoing });
});
afterAll(async () => {
  await site.close();
  await outside.close();
});
beforeEach(() => {
  requests = 0;
});

let fresh = 0;
const says = (markup: string, status = 200) => {
  listener = (_, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(markup);
  fresh += 1;
  return `http://page.example/${fresh}/below/`;
};
const ask = (url: string, as: As = 'contributor') =>
  site.call(as, `GET /cms-json/cms-block-editor/v1/url-details?url=${encodeURIComponent(url)}`);
const details = async (markup: string) => (await ask(says(markup))).body;
const none = { title: '', icon: '', description: '', image: '' };

describe('the details of a URL', () => {
  it('are the title, description, image and icon in the head of the page', async () => {
    const head = `<title> A &amp; <b>B</b>
 </title><meta content='Some "words"' name=description><meta property="og:image:url" content="/p.png?a=1&amp;b=2">
<link rel="shortcut icon" href="icon.svg">`;
    const expected = {
      title: 'A & B',
      description: 'Some "words"',
      image: 'http://page.example/p.png?a=1&b=2',
      icon: 'http://page.example/icon.svg',
    };
    expect(await details(`<html><head>${head}</head><body><title>Other</title></body></html>`)).toEqual(expected);
    expect(await details(head)).toEqual(expected);
  });

  it.each([
    ['no more than the head counts', '<head></head><title>Below</title>', none],
    ['the first of each counts', '<title>1</title><title>2</title>', { ...none, title: '1' }],
    ['what is hidden does not count', '<!-- <meta name="description" content="x"> -->', none],
    ['other names do not count', '<meta name="descriptions" content="x"><link rel="icons" href="x">', none],
    [
      'data is taken as it is',
      '<link rel=icon href="data:image/png;base64,AA">',
      { ...none, icon: 'data:image/png;base64,AA' },
    ],
    [
      'text is text',
      '<meta name="description" content="&lt;script&gt;x&lt;/script&gt;y">',
      { ...none, description: 'y' },
    ],
  ])('%s', async (_, markup, expected) => {
    expect(await details(markup)).toEqual(expected);
  });

  it('are read from the first part of the page only', async () => {
    const title = '<title>T</title>';
    expect(await details(`${title}${'x'.repeat(200_000)}<meta name="description" content="far">`)).toEqual({
      ...none,
      title: 'T',
    });
  });

  it('are cached for an hour; failures are not cached', async () => {
    const url = says('<title>Old</title>');
    await ask(url);
    listener = (_, response) => response.end('<title>New</title>');
    expect((await ask(url)).body.title).toBe('Old');
    expect(requests).toBe(1);
    site.clock.now += HOUR + 1;
    expect((await ask(url)).body.title).toBe('New');
    const gone = says('', 404);
    for (const _ of [1, 2]) expect((await ask(gone)).body.code).toBe('no_response');
    expect(requests).toBe(4);
  });

  it('of this site’s own pages show what the public sees, and are read without the network', async () => {
    await site.make('author', '/posts', { title: 'Mine & yours', content: 'Words', status: 'publish', slug: 'mine' });
    expect((await ask(`${SITE}/mine/`)).body.title).toContain('Mine & yours');
    expect((await ask(`${SITE}/nowhere/`)).body.code).toBe('no_response');
    const file = { name: 'page.txt', type: 'text/plain', bytes: `${'filler '.repeat(900)}<title>File</title>` };
    const { body } = await uploadBody(site, 'author', file);
    expect((await ask(body.source_url)).body.title).toBe('File');
    await site.call('author', `PUT /media/${body.id}`, { status: 'private' });
    expect((await ask(body.source_url)).body.code).toBe('no_response');
    expect(requests).toBe(0);
  });
});

describe('a URL', () => {
  it.each([
    ['', 'nonsense', '/relative', 'ftp://page.example/', 'http://u:p@page.example/'],
    ['http://127.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/', 'http://10.1.2.3/', 'http://page.example:81/'],
    ['http://unknown.example/', 'http://inner.example/'],
  ])('that may not be fetched is refused: %s, …', async (...urls) => {
    for (const url of urls) {
      const { status, body } = await ask(url);
      expect([url, status, body.code, body.data.details]).toEqual([url, 400, 'rest_invalid_param', {}]);
    }
    expect(requests).toBe(0);
  });

  it('without content or response is refused', async () => {
    expect(await ask(says('', 200))).toMatchObject({ status: 404, body: { code: 'no_content' } });
    expect(await ask(says('x', 500))).toMatchObject({ status: 404, body: { code: 'no_response' } });
    listener = (request) => request.destroy();
    expect(await ask('http://page.example/broken')).toMatchObject({ status: 404, body: { code: 'no_response' } });
  });

  it('is refused to users who may not write posts', async () => {
    const url = says('<title>T</title>');
    expect(await ask(url, 'subscriber')).toMatchObject({ status: 403, body: { code: 'rest_cannot_view_url_details' } });
    expect(await ask(url, 'anonymous')).toMatchObject({ status: 401, body: { code: 'rest_cannot_view_url_details' } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, pngOf, uploadBody, uploadForm } from '../../support/uploads.ts';

const content = 'abcdefghijklmnopqrstuvwxyz';
let site: Site;
let address: string;
beforeAll(async () => {
  site = await startSite();
  address = await addressOf('letters.txt', content);
});
afterAll(() => site.close());

async function addressOf(name: string, bytes: Uint8Array | string): Promise<string> {
  const { status, body } = await uploadBody(site, 'editor', { name, type: 'application/octet-stream', bytes });
  expect(status).toBe(201);
  return body.source_url;
}

const get = (headers: Record<string, string> = {}, method = 'GET') => fetchFile(site, address, { method, headers });

describe('an uploaded file', () => {
  it('is served with length, type and immutable caching', async () => {
    const response = await get();
    expect(await response.text()).toBe(content);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '26',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['bytes=0-3', 'abcd', 'bytes 0-3/26'],
    ['bytes=23-', 'xyz', 'bytes 23-25/26'],
    ['bytes=-2', 'yz', 'bytes 24-25/26'],
    ['bytes=20-99', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-99', content, 'bytes 0-25/26'],
    ['BYTES= 1 - 1 ', 'b', 'bytes 1-1/26'],
  ])('is served in part for the range %s', async (range, part, place) => {
    const response = await get({ range });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([206, part, place]);
    expect(response.headers.get('content-length')).toBe(String(part.length));
  });

  it.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])('answers 416 for the range %s', async (range) => {
    const response = await get({ range });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      416,
      '',
      'bytes */26',
    ]);
  });

  it.each(['bytes=3-1', 'bytes=a-b', 'bytes=-', 'bytes=0-1,4-5', 'lines=0-1'])(
    'is served whole for invalid or multiple ranges: %s',
    async (range) => {
      const response = await get({ range });
      expect([response.status, await response.text()]).toEqual([200, content]);
    },
  );

  it('answers 304 to a matching entity tag', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    const again = await get({ 'if-none-match': tag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await get({ 'if-none-match': `"other", W/${tag}` })).status).toBe(304);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is continued only if If-Range matches', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    expect((await get({ range: 'bytes=5-', 'if-range': tag })).status).toBe(206);
    expect((await get({ range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200);
    expect((await get({ range: 'bytes=5-', 'if-range': new Date().toUTCString() })).status).toBe(200);
  });

  it('is described by HEAD', async () => {
    const response = await get({}, 'HEAD');
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '26', '']);
  });

  it('accepts no writes at its URL', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get({}, method)).status).toBe(404);
    expect(await (await get()).text()).toBe(content);
  });

  it.each([
    '',
    '2026/03/',
    '2026/03/none.txt',

    '%2e%2e%2flog.db',
    '..%2flog.db',
    '%zz',
    '2026/03/LETTERS.TXT',
  ])('is not found at /uploads/%s', async (path) => {
    const response = await fetch(`http://127.0.0.1:${site.port}/uploads/${path}`, { headers: { connection: 'close' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=UTF-8']);
  });

  it('of a single byte can be read by range', async () => {
    const small = await fetchFile(site, await addressOf('one.txt', 'x'), { headers: { range: 'bytes=0-0' } });
    expect([small.status, await small.text()]).toEqual([206, 'x']);
  });

  it('is served again after a restart and after a rebuild', async () => {
    await site.restart();
    expect(await (await get()).text()).toBe(content);
    await site.rebuild();
    expect(await (await get()).text()).toBe(content);
  });
});

describe('uploads never execute', () => {
  const headersOf = async (name: string, bytes: Uint8Array | string) => {
    const { headers } = await fetchFile(site, await addressOf(name, bytes), { method: 'HEAD' });
    return ['content-type', 'content-security-policy', 'content-disposition'].map((header) => headers.get(header));
  };
  const inert = expect.stringContaining('sandbox');

  it('images and text are shown in a sandbox', async () => {
    expect(await headersOf('a.png', pngOf(2, 1))).toEqual(['image/png', inert, null]);
    expect(await headersOf('a.txt', 'a <b>b</b>')).toEqual(['text/plain; charset=utf-8', inert, null]);
  });

  it('types that browsers do not display are downloads', async () => {
    expect(await headersOf('a.css', 'a { color: red }')).toEqual(['text/css; charset=utf-8', inert, 'attachment']);
    expect(await headersOf('a.csv', 'a,b')).toEqual(['text/csv; charset=utf-8', inert, 'attachment']);
    const archive = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
    expect(await headersOf('a.zip', archive)).toEqual(['application/zip', inert, 'attachment']);
  });

  it('documents and videos are left to the viewer of the browser', async () => {
    expect(await headersOf('a.pdf', '%PDF-1.4\n%x')).toEqual(['application/pdf', null, null]);
    const film = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
    expect(await headersOf('a.mp4', film)).toEqual(['video/mp4', null, null]);
  });
});

describe('a file name with several combining marks', () => {
  it.each(['e\u0301\u0302.txt', '\u00fc\u0308.txt', 'u\u0308.txt', '\u1e17.txt'])(
    'is served in every normalisation form (%j)',
    async (name) => {
      const sent = await uploadForm(site, 'editor', { name, type: 'text/plain', bytes: `marks of ${name}` });
      const { pathname } = new URL(sent.body.source_url);
      const written = decodeURIComponent(pathname);
      for (const form of [written, written.normalize('NFC'), written.normalize('NFD')]) {
        const response = await fetch(`http://127.0.0.1:${site.port}${encodeURI(form)}`, {
          headers: { connection: 'close' },
        });
        expect([response.status, await response.text()]).toEqual([200, `marks of ${name}`]);
      }
    },
  );
});

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import got from 'got';
import { Agent, interceptors, request as undiciRequest } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { uploadBody } from '../support/uploads.ts';

const content = `<p>${'Some words of a long text. '.repeat(100)}</p>`;
const paths = {
  'an item': '/cms-json/cms/v2/posts/POST',
  'a list': '/cms-json/cms/v2/posts',
  'a search': '/cms-json/cms/v2/posts?search=words',
  'the index': '/cms-json/',
  'a page': '/cached/',
  'the front page': '/',
  'the feed': '/feed/',
  'the Atom feed': '/feed/atom/',
  'a sitemap': '/sitemap-posts-1.xml',
  'a file': '/uploads/FILE',
};
const surfaces = Object.keys(paths) as (keyof typeof paths)[];
const decoded = {
  identity: (body: Buffer) => body,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
const encodings = Object.keys(decoded) as (keyof typeof decoded)[];

let site: Site;
let root: string;
let post = 0;
let file = '';
beforeAll(async () => {
  site = await startSite();
  root = `http://127.0.0.1:${site.port}`;
  post = await site.make('editor', '/posts', { title: 'Cached', content, status: 'publish' });
  // So that the sitemap is long enough.
  for (let n = 0; n < 15; n++) await site.make('editor', '/posts', { title: `Another ${n}`, status: 'publish' });
  const words = { name: 'words.txt', type: 'text/plain', bytes: Buffer.from('word '.repeat(1000)) };
  const { body } = await uploadBody(site, 'author', words);
  file = new URL(body.source_url).pathname.replace('/uploads/', '');
});
afterAll(() => site.close());

const addressOf = (surface: keyof typeof paths) =>
  `${root}${paths[surface].replace('POST', String(post)).replace('FILE', file)}`;

/** Without the decoding of `fetch`. */
async function ask(address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { statusCode, headers: given, body } = await undiciRequest(address, { method, headers });
  const bytes = Buffer.from(await body.arrayBuffer());
  const one = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  return { status: statusCode, header: one, bytes };
}

describe.each(surfaces)('%s', (surface) => {
  const isFile = surface === 'a file';
  it.each(encodings)('is the same in %s, also when it is revalidated until that form is kept', async (encoding) => {
    const plain = await ask(addressOf(surface));
    const headers = { 'accept-encoding': encoding };
    const first = await ask(addressOf(surface), headers);
    const used = (first.header('content-encoding') ?? 'identity') as keyof typeof decoded;
    expect(used).toBe(isFile ? 'identity' : encoding);
    expect(decoded[used](first.bytes).equals(plain.bytes)).toBe(true);
    const tag = first.header('etag') ?? '';
    expect(used === 'identity' || tag !== plain.header('etag')).toBe(true);
    const seen = new Map([[tag, first.bytes]]);
    for (let i = 0; i < 8; i++) {
      await ask(addressOf(surface), { 'accept-encoding': encodings[i % 4] ?? '' });
      for (const held of [tag, plain.header('etag') ?? '']) {
        const again = await ask(addressOf(surface), { ...headers, 'if-none-match': held });
        expect([again.status, again.header('etag'), again.bytes.length]).toEqual([304, held, 0]);
        for (const name of ['content-encoding', 'content-type']) expect(again.header(name)).toBeUndefined();
      }
      // What is read often gets other bytes, compressed better, and with them another tag.
      const [before, head, after] = [
        await ask(addressOf(surface), headers),
        await ask(addressOf(surface), headers, 'HEAD'),
        await ask(addressOf(surface), headers),
      ];
      const about = ({ header }: typeof head) => ['etag', 'content-length', 'content-encoding'].map(header);
      expect([about(before), about(after)]).toContainEqual(about(head));
      for (const { header, bytes } of [before, after]) {
        const known = seen.get(String(header('etag'))) ?? bytes;
        expect(bytes.equals(known)).toBe(true);
        seen.set(String(header('etag')), known);
      }
    }
  });

  it('has one tag in all spellings of proxies, and says what it varies by', async () => {
    const { header } = await ask(addressOf(surface));
    const bare = (header('etag') ?? '').slice(1, -1);
    for (const spelling of ['-gzip', '-br', '-zstd', ';gzip', '--gzip', '~gzip']) {
      for (const held of [`"${bare}${spelling}"`, `W/"${bare}${spelling}"`, `W/"${bare}"`]) {
        const { status, header: own } = await ask(addressOf(surface), { 'if-none-match': `"x", ${held}` });
        expect([held, status, own('etag')]).toEqual([held, 304, held]);
      }
    }
    expect((await ask(addressOf(surface), { 'if-none-match': `"${bare}-x"` })).status).toBe(200);
    if (isFile) return;
    for (const accepted of ['identity', 'gzip']) {
      const { header: own } = await ask(addressOf(surface), { 'accept-encoding': accepted });
      expect([own('vary')?.includes('Accept-Encoding'), own('cache-control')]).toEqual([true, 'no-cache']);
    }
  });

  it.each([
    ['gzip;q=0.1, identity;q=1', undefined],
    ['gzip;q=0, br;q=0.2', 'br'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['*;q=0', undefined],
    ['identity;q=0.5, zstd', 'zstd'],
    ['deflate', undefined],
  ])('takes the weights of "%s" seriously', async (accepted, expected) => {
    const { header } = await ask(addressOf(surface), { 'accept-encoding': accepted });
    expect(header('content-encoding')).toBe(isFile ? undefined : expected);
  });

  it('is always right in the cache of got', async () => {
    const cache = new Map();
    for (let i = 0; i < 6; i++) {
      const [cached, fresh] = [await got(addressOf(surface), { cache }).text(), await got(addressOf(surface)).text()];
      expect(cached).toBe(fresh);
      if (i === 3) await site.call('editor', `PUT /posts/${post}`, { content: `${content} got ${surface}` });
    }
  });

  it('is always right in the cache of undici', async () => {
    const dispatcher = new Agent().compose(interceptors.cache(), interceptors.decompress({ skipStatusCodes: [304] }));
    for (let i = 0; i < 6; i++) {
      const { body } = await undiciRequest(addressOf(surface), { dispatcher, headers: { 'accept-encoding': 'gzip' } });
      const { body: fresh } = await undiciRequest(addressOf(surface));
      expect(await body.text()).toBe(await fresh.text());
      if (i === 3) await site.call('editor', `PUT /posts/${post}`, { content: `${content} undici ${surface}` });
    }
    await dispatcher.close();
  });
});

it('a 304 says of caching what the answer says', async () => {
  for (const path of ['/cms-json/cms/v2/changes?since=0&limit=1', '/cms-json/cms/v2/posts', '/', '/feed/']) {
    const whole = await ask(root + path);
    const again = await ask(root + path, { 'if-none-match': whole.header('etag') ?? '*' });
    expect([path, again.status, again.header('cache-control')]).toEqual([path, 304, whole.header('cache-control')]);
  }
});

describe('what an editor reads', () => {
  it('is compressed at the first reading', async () => {
    const headers = { authorization: site.authorization('editor'), 'accept-encoding': 'gzip, br' };
    const { header, bytes } = await ask(`${addressOf('an item')}?context=edit&first=1`, headers);
    expect([header('content-encoding'), bytes.length < 3000]).toEqual(['br', true]);
  });
});

describe('If-Match', () => {
  it.each(['', '-gzip', ';gzip', '--gzip', '-zstd', '~br'])('knows the tag with "%s"', async (suffix) => {
    for (const weak of ['', 'W/']) {
      const { header } = await ask(addressOf('an item'));
      const held = `${weak}${header('etag')?.slice(0, -1)}${suffix}"`;
      const { status } = await site.call(
        'editor',
        `PUT /posts/${post}`,
        { title: `Cached ${held}` },
        { headers: { 'if-match': held } },
      );
      expect([held, status]).toEqual([held, 200]);
    }
  });
});

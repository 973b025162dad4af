import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identicon } from '#http/avatars/server.ts';
import { SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`, { headers, method });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return [format, width, height];
};
const UNKNOWN = 'ab'.repeat(32);

describe('an avatar', () => {
  it('has the URL and size given in records of users and comments', async () => {
    const { body: user } = await site.call('author', 'GET /users/me');
    const post = await site.make('editor', '/posts', { title: 'P', status: 'publish' });
    const comment = await site.make('administrator', '/comments', {
      post,
      content: 'Words',
      author_name: 'V',
      status: 'approved',
      author_email: 'v@example.org',
    });
    const { body: record } = await site.call('anonymous', `GET /comments/${comment}`);
    for (const urls of [user.avatar_urls, record.author_avatar_urls]) {
      for (const size of [24, 48, 96]) {
        const { status, headers, bytes } = await get(String(urls[size]).slice(SITE.length));
        expect([status, headers.get('content-type'), ...(await sizeOf(bytes))]).toEqual([
          200,
          'image/png',
          'png',
          size,
          size,
        ]);
      }
    }
  });

  it('never changes: it is immutable in caches and across restarts', async () => {
    const { headers, bytes } = await get(`/avatar/${UNKNOWN}?s=40`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const tag = headers.get('etag') ?? '';
    const again = await get(`/avatar/${UNKNOWN.toUpperCase()}?s=40&d=mp`, { 'if-none-match': tag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await get(`/avatar/${UNKNOWN}?s=40`, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    await site.restart();
    expect((await get(`/avatar/${UNKNOWN}?s=40`)).bytes).toEqual(bytes);
  });

  it('exists for every digest, so that it does not reveal who has an account', async () => {
    const { body: user } = await site.call('author', 'GET /users/me');
    const known = await get(String(user.avatar_urls[96]).slice(SITE.length));
    const unknown = await get(`/avatar/${UNKNOWN}?s=96`);
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].sort();
    expect([unknown.status, names(unknown)]).toEqual([known.status, names(known)]);
    expect((await get(`/avatar/${'0f'.repeat(16)}?d=404`)).status).toBe(200);
  });

  it.each([
    ['', 80],
    ['?size=200', 200],
    ['?s=1', 1],
    ['?s=5000', 512],
    ['?s=0', 80],
    ['?s=-3', 80],
    ['?s[]=9', 80],
    ['?s=1e3', 80],
    ['?s[toString]=9', 80],
  ])('with the query %j is %i pixels wide', async (query, side) => {
    const { bytes } = await get(`/avatar/${UNKNOWN}${query}`);
    expect(await sizeOf(bytes)).toEqual(['png', side, side]);
  });

  it('has no other addresses', async () => {
    for (const path of ['/avatar/x', '/avatar/', `/avatar/${UNKNOWN}0`, `/avatar/${UNKNOWN}/x`]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('is symmetrical, in two colours, and not empty', async () => {
    const pixels = async (text: string) => {
      const { data, info } = await sharp(identicon(text, 60)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const colour = (x: number, y: number) => data.readUIntBE((y * info.width + x) * info.channels, 3);
      return { colour, colours: new Set(Array.from({ length: 3600 }, (_, i) => colour(i % 60, Math.floor(i / 60)))) };
    };
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 20 }), async (text) => {
        const { colour, colours } = await pixels(text);
        expect(colours.size).toBe(2);
        for (let y = 0; y < 60; y += 7) for (let x = 0; x < 30; x += 3) expect(colour(x, y)).toBe(colour(59 - x, y));
      }),
      { numRuns: 20 },
    );
  });
});

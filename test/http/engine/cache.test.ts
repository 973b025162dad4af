import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous } from '#domain/user/roles.ts';
import { createAnswerCache } from '#http/engine/cache.ts';
import { eventually } from '../../support/patience.ts';
import { asOther, asOwner, createSite, type Site } from './support.ts';

let site: Site;
const LIST = '/cms-json/notes/v1/notes';
const ITEM = `${LIST}/1`;
const json = { 'content-type': 'application/json' };

beforeEach(async () => {
  site = createSite();
  await change('POST', LIST, 'One');
});

const change = (method: 'POST' | 'PUT', url: string, title: string) =>
  site.app.inject({ method, url, payload: JSON.stringify({ title }), headers: { ...json, ...asOwner } });
const get = (url: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url, headers: { 'x-correlation-id': 'same', ...headers } });
const asked = (name: string) => site.asked.get(name) ?? 0;

describe('cached answers', () => {
  it('are used for GET and HEAD from the third request on', async () => {
    const first = await get(ITEM);
    await get(ITEM);
    const second = await get(ITEM);
    const head = await site.app.inject({ method: 'HEAD', url: ITEM, headers: { 'x-correlation-id': 'same' } });
    expect(asked('item')).toBe(2);
    expect([second.body, second.headers]).toEqual([first.body, first.headers]);
    expect([head.body, head.headers]).toEqual(['', first.headers]);
  });

  it('are invalidated by every change they depend on', async () => {
    for (let i = 0; i < 2; i += 1) await Promise.all([get(ITEM), get(LIST)]);
    await change('PUT', ITEM, 'Two');
    expect((await get(ITEM)).json().title.rendered).toBe('Two');
    expect((await get(LIST)).json()[0].title.rendered).toBe('Two');
  });

  it('stay valid when something else changes', async () => {
    await get(ITEM);
    await get(ITEM);
    await change('POST', LIST, 'Another');
    await get(ITEM);
    expect(asked('item')).toBe(2);
  });

  it('are not shared between users', async () => {
    const allows = [await get(ITEM), await get(ITEM, asOwner), await get(ITEM, asOther)].map(
      ({ headers }) => headers.allow,
    );
    await get(ITEM);
    const again = [await get(ITEM), await get(ITEM, asOwner), await get(ITEM, asOther)].map(
      ({ headers }) => headers.allow,
    );
    expect(allows).toEqual(['GET', 'GET, POST, PUT, PATCH, DELETE', 'GET']);
    expect(again).toEqual(allows);
    expect(asked('item')).toBe(4);
  });

  it('depend on embedded resources', async () => {
    await change('POST', LIST, 'Two');
    expect((await get(`${ITEM}?_embed=twin`)).json()._embedded.twin[0].title.rendered).toBe('Two');
    await change('PUT', `${LIST}/2`, 'Changed');
    expect((await get(`${ITEM}?_embed=twin`)).json()._embedded.twin[0].title.rendered).toBe('Changed');
  });

  it('depend on the address of the site', async () => {
    await get(LIST);
    site.siteUrl = 'http://moved.example';
    expect((await get(LIST)).headers.link).toContain('http://moved.example/cms-json/');
  });

  it.each([
    ['what a header makes another method', ITEM, { 'x-http-method-override': 'HEAD' }],
    ['what a parameter makes another method', `${ITEM}?_method=HEAD`, {}],
    ['what names a moment', `${ITEM}?as_of=1`, {}],
  ])('are not made for %s', async (_, url, headers) => {
    await change('POST', LIST, 'Two');
    await get(url, headers);
    await get(url, headers);
    expect(asked('item')).toBe(2);
  });

  it('are not made for errors', async () => {
    expect((await get(`${LIST}/2`)).statusCode).toBe(404);
    await change('POST', LIST, 'Two');
    expect((await get(`${LIST}/2`)).statusCode).toBe(200);
  });

  it('are not made when the cache has no room', async () => {
    const small = createSite({ cacheBytes: 0 });
    await small.app.inject({ method: 'POST', url: LIST, payload: '{"title":"x"}', headers: { ...json, ...asOwner } });
    await small.app.inject({ url: ITEM });
    await small.app.inject({ url: ITEM });
    expect(small.asked.get('item')).toBe(2);
  });

  it('carry the CORS headers of each request', async () => {
    await get(ITEM, { origin: 'http://a.example' });
    expect((await get(ITEM, { origin: 'http://b.example' })).headers['access-control-allow-origin']).toBe(
      'http://b.example',
    );
    expect((await get(ITEM)).headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('compression', () => {
  const many = async (url: string, headers: Record<string, string>) => {
    for (let i = 0; i < 10; i += 1) await get(url, headers);
  };

  it('is applied to frequent answers for clients that accept it', async () => {
    await change('PUT', ITEM, 'long '.repeat(400));
    const plain = await get(ITEM);
    await many(ITEM, { 'accept-encoding': 'gzip, deflate' });
    const packed = await eventually(async () => {
      const answer = await get(ITEM, { 'accept-encoding': 'gzip, deflate' });
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' });
      return answer;
    });
    expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length));
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    for (const none of [{}, { 'accept-encoding': 'gzip;q=0, deflate' }]) {
      expect((await get(ITEM, none)).headers).not.toHaveProperty('content-encoding');
    }
    const known = { 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers.etag) };
    const unchanged = await get(ITEM, known);
    expect([unchanged.statusCode, unchanged.headers['vary']]).toEqual([304, 'Origin, Accept-Encoding']);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['zstd', 'zstd'],
    ['*;q=0.1, gzip;q=0', 'br'],
  ])('uses the encoding that the client prefers: %s', async (accepted, encoding) => {
    await change('PUT', ITEM, 'long '.repeat(400));
    const { body } = await get(ITEM);
    await many(ITEM, { 'accept-encoding': accepted });
    const packed = await eventually(async () => {
      const answer = await get(ITEM, { 'accept-encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(encoding);
      return answer;
    });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }[encoding];
    expect(unpack?.(packed.rawPayload).toString()).toBe(body);
    const head = await site.app.inject({ method: 'HEAD', url: ITEM, headers: { 'accept-encoding': accepted } });
    expect([head.headers['content-encoding'], head.headers.etag]).toEqual([encoding, packed.headers.etag]);
  });

  it('can be disabled', async () => {
    const off = createSite({ compress: false });
    const title = 'long '.repeat(400);
    await off.app.inject({ method: 'POST', url: LIST, payload: { title }, headers: { ...json, ...asOwner } });
    const headers = { 'accept-encoding': 'gzip' };
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect((await off.app.inject({ url: ITEM, headers })).headers).not.toHaveProperty('content-encoding');
    }
  });

  it.each([
    ['a text', {}, 'text/html; charset=UTF-8', ['br']],
    ['secrets', { isSecret: true }, 'application/json', []],
    ['what is compressed already', {}, 'image/png', []],
  ])('applies to some kinds of answers: %s', async (_, more, type, forms) => {
    const cache = createAnswerCache({ cacheVersion: () => 0, addresses: () => '' }, { maxBytes: 1e6, compress: true });
    const reply = { status: 200, head: ['Content-Type', type], body: Buffer.alloc(5000), tag: '"t"' };
    cache.keep('/x', anonymous, { reply, route: 'r', versions: [], ...more });
    const seen = () => cache.find('/x', anonymous, 'br')?.reply.head.filter((value) => value === 'br');
    for (let i = 0; i < 5; i += 1) seen();
    if (forms.length > 0) await eventually(() => expect(seen()).toEqual(forms));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen()).toEqual(forms);
  });

  it('is not applied to short answers', async () => {
    await many(ITEM, { 'accept-encoding': 'gzip' });
    expect((await get(ITEM, { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding');
  });
});

describe('conditional reads', () => {
  it.each([ITEM, LIST, '/cms-json/', `${ITEM}?_envelope`, `${ITEM}?_jsonp=f`, `${ITEM}?_embed=owner`])(
    '%s answers 304 to a matching tag',
    async (url) => {
      for (const round of ['made', 'kept']) {
        const { headers } = await get(url);
        const tag = String(headers.etag);
        const known = await get(url, { 'if-none-match': `"x", W/${tag}` });
        expect([round, known.statusCode, known.body, known.headers.etag]).toEqual([round, 304, '', `W/${tag}`]);
        expect((await get(url, { 'if-none-match': '*' })).statusCode).toBe(304);
        expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
      }
    },
  );

  it('answer in full after a change', async () => {
    const { headers } = await get(ITEM);
    await change('PUT', ITEM, 'Two');
    expect((await get(ITEM, { 'if-none-match': String(headers.etag) })).statusCode).toBe(200);
  });

  it('keep answers to users out of shared caches', async () => {
    const { headers } = await get(ITEM, asOwner);
    const known = await get(ITEM, { ...asOwner, 'if-none-match': String(headers.etag) });
    expect([known.statusCode, known.headers['cache-control']]).toEqual([304, headers['cache-control']]);
  });

  it.each([`${LIST}/99`, '/cms-json/notes/v1/fails'])('%s has no entity tag', async (url) => {
    expect((await get(url)).headers).not.toHaveProperty('etag');
  });
});

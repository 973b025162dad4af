import { beforeEach, describe, expect, it } from 'vitest';
import { asOwner, BASE, createSite, type Site } from './support.ts';

let site: Site;
const LIST = '/cms-json/notes/v1/notes';

beforeEach(async () => {
  site = createSite();
  for (const title of ['a', 'b', 'c', 'd', 'e']) {
    await site.app.inject({
      method: 'POST',
      url: LIST,
      payload: JSON.stringify({ title }),
      headers: { 'content-type': 'application/json', ...asOwner },
    });
  }
});

const headersOf = async (url: string, headers: Record<string, string> = {}) =>
  (await site.app.inject({ url, headers })).headers;

describe('the headers of every answer', () => {
  it.each([LIST, `${LIST}/99`, '/cms-json/nowhere', '/cms-json/notes/v1/fails', '/elsewhere', '/cms-json/%'])(
    '%s',
    async (url) => {
      expect(await headersOf(url)).toMatchObject({
        'content-type': 'application/json; charset=UTF-8',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'access-control-expose-headers': 'X-CMS-Total, X-CMS-TotalPages, Link',
        'access-control-allow-headers': 'Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type',
        vary: expect.stringMatching(/^Origin(?:, Accept-Encoding)?$/),
        'content-length': expect.any(String),
        link: `<${BASE}/>; rel="https://rels.palimpsest.example/index"`,
      });
    },
  );

  it('allow foreign origins', async () => {
    expect(await headersOf(LIST, { origin: 'http://other.example' })).toMatchObject({
      'access-control-allow-origin': 'http://other.example',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-credentials': 'true',
    });
  });

  it('let foreign origins use conditional requests and retries', async () => {
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = 'http://other.example';
    const read = await fetch(`${address}${LIST}`, { headers: { origin } });
    expect(read.headers.get('access-control-expose-headers')).toBe(
      'X-CMS-Total, X-CMS-TotalPages, Link, ETag, X-CMS-Position, X-CMS-Age, X-CMS-Auth, X-CMS-Truncated, X-CMS-Ignored, X-CMS-Repeated, Retry-After, Location, X-Correlation-Id',
    );
    expect(read.headers.get('access-control-max-age')).toBeNull();
    const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'if-match' };
    const { headers } = await fetch(`${address}${LIST}`, { method: 'OPTIONS', headers: preflight });
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match, Idempotency-Key, ' +
        'X-CMS-Position, Last-Event-ID, X-Correlation-Id, traceparent',
    );
    expect(headers.get('access-control-max-age')).toBe('600');
    await site.app.close();
  });

  it('keep answers to users out of caches', async () => {
    expect(await headersOf(LIST, asOwner)).toMatchObject({
      'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
      expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
    });
    expect(await headersOf(LIST)).toMatchObject({ 'cache-control': 'no-cache' });
  });

  it('contain the content type of answers that are not JSON', async () => {
    const answer = await site.app.inject({ url: '/cms-json/notes/v1/feed' });
    expect([answer.headers['content-type'], answer.body]).toEqual(['text/xml; charset=UTF-8', '<é/>']);
  });

  it('contain the link of the answer instead of the general one', async () => {
    expect((await headersOf(`${LIST}/1`)).link).toBe('<http://notes.example/note>; rel="alternate"; type=text/html');
  });
});

describe('pages of a collection', () => {
  const page = async (query: string) => {
    const { link, 'x-cms-total': total, 'x-cms-totalpages': pages } = await headersOf(`${LIST}?${query}`);
    const links = String(link)
      .split(', ')
      .filter((one) => !one.includes('/index'));
    return [total, pages, ...links];
  };
  const to = (query: string, rel: string) => `<${BASE}/notes/v1/notes?${query}>; rel="${rel}"`;

  it.each([
    ['', ['5', '1']],
    ['per_page=2', ['5', '3', to('per_page=2&page=2', 'next')]],
    ['page=2&per_page=2', ['5', '3', to('per_page=2&page=1', 'prev'), to('per_page=2&page=3', 'next')]],
    ['page=3&per_page=2', ['5', '3', to('per_page=2&page=2', 'prev')]],
    ['per_page=%202%20', ['5', '3', to('per_page=2&page=2', 'next')]],
    [
      'per_page=2&include=1,2 3',
      ['3', '2', to('per_page=2&include%5B0%5D=1&include%5B1%5D=2&include%5B2%5D=3&page=2', 'next')],
    ],
    ['per_page=2&hidden=TRUE', ['5', '3', to('per_page=2&hidden=1&page=2', 'next')]],
    ['per_page=2&hidden=0&x=', ['5', '3', to('per_page=2&hidden&x&page=2', 'next')]],
    ['per_page=2&x[a b]=ü!&y=a+b', ['5', '3', to('per_page=2&x%5Ba+b%5D=%C3%BC%21&y=a+b&page=2', 'next')]],
    ['include=99&page=2', ['0', '0', to('include%5B0%5D=99&page=0', 'prev')]],
  ])('%s', async (query, expected) => {
    expect(await page(query)).toEqual(expected);
  });

  it('are reported to HEAD as well', async () => {
    const { headers } = await site.app.inject({ method: 'HEAD', url: `${LIST}?per_page=2` });
    expect(headers).toMatchObject({ 'x-cms-total': '5', 'x-cms-totalpages': '3' });
  });

  it('beyond the last are refused by the route', async () => {
    const answer = await site.app.inject({ url: `${LIST}?page=9` });
    expect(answer.json()).toMatchObject({ code: 'rest_post_invalid_page_number', data: { status: 400 } });
  });
});

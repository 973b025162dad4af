import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asOther, asOwner, createSite } from './support.ts';

const LIST = '/cms-json/notes/v1/notes';
const ECHO = '/cms-json/notes/v1/echo';
const json = { 'content-type': 'application/json' };

const word = fc.oneof(
  fc.constantFrom(
    'notes',
    'v1',
    '1',
    '2',
    '0',
    'people',
    'need',
    'word',
    'shelf',
    'reset',
    'spot',
    'later',
    'feed',
    'null',
    '',
    '.',
    '..',
    '%00',
    '%ff',
    '%2F',
    '%',
    'é',
  ),
  fc.string({ maxLength: 8 }).map(encodeURIComponent),
);
const path = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((parts) => `/cms-json/${parts.join('/')}`),
  fc.constantFrom(LIST, `${LIST}/1`, `${LIST}/2`, '/cms-json/notes/v1/need', ECHO),
);
const name = fc.constantFrom(
  'context',
  'page',
  'per_page',
  'search',
  'include',
  'include[]',
  'include[x]',
  'hidden',
  'kind',
  'as_of',
  'id',
  'title',
  'stamp',
  'tags',
  'meta',
  'url',
  'force',
  '_fields',
  '_fields[]',
  '_embed',
  '_embed[]',
  '_envelope',
  '_method',
  '_jsonp',
  '_locale',
  '__proto__',
  'constructor',
  '[',
  ']',
  'a[b][c][]',
  'a[',
);
const value = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '1,2',
    '1 2',
    'true',
    'view',
    'edit',
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    '%',
    '%00',
    '%ed%a0%80',
    '2015-07-02T00:00:00',
    'http://x',
    'title.raw',
    '_links.self,_embedded',
  ),
  fc.string({ maxLength: 12 }).map((text) => encodeURIComponent(text)),
  fc.string({ maxLength: 12, unit: 'binary-ascii' }),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((pairs) => pairs.map(([key, one]) => `${key}=${one}`).join('&'));
const member = fc.oneof(
  fc.constantFrom(null, true, 5, '', '1,2', [], {}, [1, 'x'], { raw: 'x' }, { 0: 1 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const document = fc.dictionary(
  fc.constantFrom(
    'id',
    'title',
    'hidden',
    'stamp',
    'tags',
    'meta',
    'force',
    'url',
    '_fields',
    '_method',
    '__proto__',
    'context',
    'page',
  ),
  member,
);
const body = fc.oneof(
  fc.constant({ payload: '', headers: {} }),
  document.map((value) => ({ payload: JSON.stringify(value), headers: json })),
  fc.string({ unit: 'binary', maxLength: 40 }).map((payload) => ({ payload, headers: json })),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ payload: Buffer.from(bytes), headers: json })),
  query.map((payload) => ({ payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
  fc.string({ maxLength: 60 }).map((text) => ({
    payload: `--b\r\n${text}\r\n--b--`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })),
  fc.constant({ payload: 'x', headers: { 'content-type': 'multipart/form-data; boundary=' } }),
);
const headers = fc.record(
  {
    authorization: fc.constantFrom(asOwner.authorization, asOther.authorization, 'Basic', 'Bearer x', 'Basic %%%'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"', ',', '"1.x"'),
    'if-match': fc.constantFrom('*', '"1"', '', '"'),
    'accept-encoding': fc.constantFrom('gzip', 'gzip;q=0', ''),
    origin: fc.constantFrom('http://x', 'null', ''),
    'x-http-method-override': fc.constantFrom('PUT', 'delete', 'BREW', ''),
    'x-correlation-id': fc.string({ maxLength: 10, unit: 'grapheme-ascii' }),
  },
  { requiredKeys: [] },
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');

/** Asserts what is true of every answer. */
function expectAnswer(
  answer: { statusCode: number; body: string; rawPayload: Buffer; headers: Record<string, unknown> },
  head: boolean,
): void {
  expect(answer.statusCode).toBeLessThan(502);
  expect([500, 503]).not.toContain(answer.statusCode);
  if (head || answer.statusCode === 304) expect(answer.body).toBe('');
  else if (String(answer.headers['content-type']).startsWith('application/json')) {
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    const value = JSON.parse(isPacked ? gunzipSync(answer.rawPayload).toString() : answer.body);
    if (answer.statusCode >= 400)
      expect(value).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
        data: { status: answer.statusCode },
      });
  }
}

describe('any request', () => {
  it('is answered, and never with a fault', async () => {
    const site = createSite();
    await fc.assert(
      fc.asyncProperty(method, path, query, body, headers, async (verb, url, search, sent, more) => {
        const target = search === '' ? url : `${url}?${search}`;
        // The bytes allowed in a request line.
        const printable = target.replace(/[^\x21-\x7e]/g, '_');
        const answer = await site.app.inject({
          method: verb,
          url: printable,
          payload: sent.payload,
          headers: { ...more, ...sent.headers },
        });
        expectAnswer(answer, verb === 'HEAD');
      }),
      { numRuns: 1500 },
    );
  });

  it('to read has the same answer with and without the cache', async () => {
    const kept = createSite();
    const made = createSite({ cacheBytes: 0 });
    for (const { app } of [kept, made]) {
      for (const title of ['One', 'Two']) {
        await app.inject({
          method: 'POST',
          url: LIST,
          payload: JSON.stringify({ title }),
          headers: { ...json, ...asOwner },
        });
      }
    }
    const plain = headers.map(({ 'if-match': _, 'x-http-method-override': __, ...rest }) => rest);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'HEAD'), path, query, plain, async (verb, url, search, more) => {
        const request = {
          method: verb,
          url: `${url}?${search.replace(/_method/g, 'x')}`.replace(/[^\x21-\x7e]/g, '_'),
          headers: more,
        };
        const [a, again, b] = [
          await kept.app.inject(request),
          await kept.app.inject(request),
          await made.app.inject(request),
        ];
        for (const one of [a, again])
          expect([one.statusCode, one.body, one.headers.etag, one.headers.allow]).toEqual([
            b.statusCode,
            b.body,
            b.headers.etag,
            b.headers.allow,
          ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('hostile bodies', () => {
  const site = createSite();
  const post = (payload: string | Buffer, url = ECHO) =>
    site.app.inject({ method: 'POST', url, payload, headers: { ...json, ...asOwner } });

  it.each([100, 512])('with %d levels of nesting are read', async (depth) => {
    const answer = await post(`{"title":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`, LIST);
    expect(answer.json().code).toBe('empty_content');
  });

  it.each([513, 100_000, 2_000_000])('with %d levels of nesting are refused', async (depth) => {
    const closed = await post('['.repeat(depth) + ']'.repeat(depth));
    expect([closed.statusCode, closed.json().code]).toEqual([400, 'rest_invalid_json']);
    const open = await post('{"a":'.repeat(depth));
    expect([open.statusCode, open.json().code]).toEqual([400, 'rest_invalid_json']);
  });

  it('preserve NUL and characters of every plane', async () => {
    const title = 'a\u0000b\u007f\u0080\uffff😀';
    const answer = await post(JSON.stringify({ title }), `${LIST}?_fields=title`);
    expect(answer.json()).toEqual({ title: { rendered: title } });
    expect(answer.rawPayload.every((byte) => byte < 0x80)).toBe(true);
  });

  it('with lone surrogates are refused as JSON; forms have them replaced', async () => {
    expect((await post('{"title":"\\ud800"}', LIST)).json().code).toBe('rest_invalid_json');
    const form = await site.app.inject({
      method: 'POST',
      url: ECHO,
      payload: 'a=%ed%a0%80',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.json().params.a).toBe('\ufffd\ufffd\ufffd');
  });

  it('of ten mebibytes are read, one byte more is refused', async () => {
    const fits = `{"a":"${'x'.repeat(10 * 1024 * 1024 - 8)}"}`;
    expect((await post(fits)).json().bytes).toBe(10 * 1024 * 1024);
    expect((await post(`${fits} `)).statusCode).toBe(413);
  });

  it('are limited in number and length of parameters, as are queries', async () => {
    const statusOf = async (query: string) => (await site.app.inject({ url: `${LIST}?${query}` })).statusCode;
    const many = (count: number) => Array.from({ length: count }, (_, i) => `include[]=${i}`).join('&');
    expect([await statusOf(`search=${'x'.repeat(60_000)}`), await statusOf(many(4000))]).toEqual([200, 200]);
    expect([await statusOf(`search=${'x'.repeat(70_000)}`), await statusOf(many(10_000))]).toEqual([413, 413]);
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')}}`;
    expect([(await post(keys(10_000))).statusCode, (await post(keys(100_000))).statusCode]).toEqual([200, 413]);
  });
});

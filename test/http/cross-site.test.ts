import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, SITE, type Site, startSite } from '../support/site.ts';

const FRIEND = 'https://app.example.org';
const FOREIGN = 'https://evil.example';

let site: Site;
let post: number;

beforeAll(async () => {
  site = await startSite({ corsOrigins: [FRIEND] });
  post = await site.make('editor', '/posts', { title: 'Mine', status: 'publish' });
});

afterAll(() => site.close());

type Sent = Readonly<Record<string, string>>;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const foreign: readonly (readonly [string, Sent])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sister of the site', { 'sec-fetch-site': 'same-site' }],
  ['another site, by its origin', { origin: FOREIGN }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['another site, by the page that linked', { referer: `${FOREIGN}/page` }],
  ['another site that calls itself by both', { origin: FOREIGN, 'sec-fetch-site': 'cross-site' }],
  ['the site without TLS', { origin: SITE.replace('http:', 'https:'), host: 'site.example' }],
];

const ask = async (request: string, headers: Sent, as: As = 'administrator', body?: string) => {
  const answer = await raw(
    request,
    { ...(as === 'anonymous' ? {} : { authorization: site.authorization(as) }), ...headers },
    body,
  );
  return answer;
};

/** Browsers send headers that `fetch` does not allow. */
async function raw(request: string, headers: Sent, body = '') {
  const [method = '', path = ''] = request.split(' ');
  const { request: send } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>(
    (resolve, reject) => {
      const url = `http://127.0.0.1:${site.port}/cms-json/cms/v2${path}`;
      const sent = send(
        url,
        { method, headers: { ...headers, ...(body === '' ? {} : { 'content-length': body.length }) } },
        (got) => {
          let text = '';
          got.setEncoding('utf8').on('data', (piece) => {
            text += piece;
          });
          got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, text }));
        },
      );
      sent.on('error', reject).end(body);
    },
  );
}

describe('a page of another site', () => {
  describe.each(foreign)('%s', (_, headers) => {
    it.each([
      ['POST /posts', { ...form }, 'title=x&status=publish'],
      ['POST /posts', { 'content-type': 'application/json' }, '{"title":"x"}'],
      ['POST /posts', { 'content-type': 'text/plain' }, '{"title":"x"}'],
      ['DELETE /posts/:id?force=true', {}, ''],
      ['GET /posts/:id?_method=DELETE&force=true', {}, ''],
      ['GET /posts/:id', { 'x-http-method-override': 'DELETE' }, ''],
      ['GET /users/me?_jsonp=take', {}, ''],
    ])('cannot send %s with the credentials of its visitor (%j)', async (request, more, body) => {
      const before = site.position();
      const { status, text } = await ask(
        request.replace(':id', String(post)),
        { ...headers, ...more },
        'administrator',
        body,
      );
      expect([status, JSON.parse(text)]).toEqual([
        403,
        expect.objectContaining({ code: 'rest_cross_site_request', data: { status: 403 } }),
      ]);
      expect(site.position()).toBe(before);
    });

    it('may not read answers to requests with credentials', async () => {
      const { status, headers: got } = await ask('GET /users/me', headers);
      expect([status, got['access-control-allow-credentials']]).toEqual([200, undefined]);
    });

    it('cannot load a cached answer of a user as a script', async () => {
      const url = `GET /posts/${post}?_jsonp=take`;
      for (let i = 0; i < 3; i++) expect((await ask(url, {})).status).toBe(200);
      expect((await ask(url, headers)).status).toBe(403);
    });
  });

  it('cannot cause effects with GET requests that write', async () => {
    const { port } = site;
    const answer = await fetch(`http://127.0.0.1:${port}/cms-json/host-tools-plugin/v1/regenerate-bypass-code`, {
      headers: { authorization: site.authorization('administrator'), origin: FOREIGN },
    });
    expect(answer.status).toBe(403);
  });

  it('reads public data', async () => {
    const { status, headers } = await ask(
      `GET /posts/${post}`,
      { origin: FOREIGN, 'sec-fetch-site': 'cross-site' },
      'anonymous',
    );
    expect([status, headers['access-control-allow-origin']]).toEqual([200, FOREIGN]);
    const script = await ask(`GET /posts/${post}?_jsonp=take`, { 'sec-fetch-site': 'cross-site' }, 'anonymous');
    expect([script.status, script.text.startsWith('/**/take(')]).toEqual([200, true]);
  });

  it('is not allowed credentials by the preflight', async () => {
    const asks = { origin: FOREIGN, 'access-control-request-method': 'POST' };
    const { headers } = await ask('OPTIONS /posts', asks, 'anonymous');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('credentials are accepted', () => {
  it.each([
    ['pages of an origin that is named', { origin: FRIEND, 'sec-fetch-site': 'cross-site' }],
    ['pages of the site', { origin: SITE, 'sec-fetch-site': 'same-origin' }],
    [
      'pages of the site by the name that it was reached by',
      { origin: 'http://other.example:81', host: 'other.example:81' },
    ],
    ['what a person typed in', { 'sec-fetch-site': 'none' }],
    ['programs, which say nothing of it', {}],
  ])('from %s', async (_, headers) => {
    const { status } = await ask('POST /posts', { ...headers, ...form }, 'editor', 'title=y');
    expect(status).toBe(201);
  });

  it('with answers readable by pages of an allowed origin', async () => {
    for (const request of ['GET /users/me', 'OPTIONS /posts']) {
      const { headers } = await ask(request, { origin: FRIEND });
      expect(headers['access-control-allow-origin']).toBe(FRIEND);
      expect(headers['access-control-allow-credentials']).toBe('true');
    }
  });
});

import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/http/app/app.ts';
import { eventually, patience } from '../support/patience.ts';
import { asOwner, createSite, type Site } from './engine/support.ts';

const LIST = '/cms-json/notes/v1/notes';
const ECHO = '/cms-json/notes/v1/echo';
const json = { 'content-type': 'application/json' };

let site: Site;
let port: number;
let address: string;

beforeEach(async () => {
  site = createSite({ bodyLimit: 100_000 });
  await site.app.listen({ port: 0, host: '127.0.0.1' });
  port = (site.app.server.address() as AddressInfo).port;
  address = `http://127.0.0.1:${port}`;
});
afterEach(() => site.app.close());

/** Returns the response to bytes that no client library would send. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.setTimeout(patience, () => {
      socket.destroy();
      resolve(answer);
    });
  });
}

describe('the server over the network', () => {
  it('writes and reads', async () => {
    const made = await fetch(address + LIST, {
      method: 'POST',
      body: '{"title":"Grüße 👋"}',
      headers: { ...json, ...asOwner },
    });
    expect([made.status, made.headers.get('x-cms-position')]).toEqual([201, '1']);
    const text = await (await fetch(`${address}${LIST}/1?_fields=title`)).text();
    expect(text).toBe('{"title":{"rendered":"Gr\\u00fc\\u00dfe \\ud83d\\udc4b"}}');
    const head = await fetch(`${address}${LIST}/1?_fields=title`, { method: 'HEAD' });
    expect([await head.text(), head.headers.get('content-length')]).toEqual(['', String(text.length)]);
  });

  it('answers consecutive requests on one connection, also after a 304 and a refused body', async () => {
    const tag = (await fetch(address + LIST)).headers.get('etag') ?? '';
    const statuses: number[] = [];
    for (const request of [
      { headers: { 'if-none-match': tag } },
      { method: 'POST', body: 'x'.repeat(200_000), headers: asOwner },
      { method: 'POST', body: '{', headers: json },
      {},
    ])
      statuses.push((await fetch(address + LIST, request)).status);
    expect(statuses).toEqual([304, 413, 400, 200]);
  });

  it('refuses bodies over the limit with the usual error object', async () => {
    for (const body of ['x'.repeat(100_001), 'x'.repeat(700_000), new Blob(['x'.repeat(300_000)]).stream()]) {
      const answer = await fetch(address + ECHO, {
        method: 'POST',
        body,
        headers: asOwner,
        duplex: 'half',
      } as RequestInit);
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { code: 'rest_request_too_large', message: expect.any(String), data: { status: 413 } },
      ]);
    }
    const fits = await fetch(address + ECHO, { method: 'POST', body: 'x'.repeat(100_000), headers: asOwner });
    expect(await fits.json()).toMatchObject({ bytes: 100_000 });
  });

  it('survives clients that disconnect in the middle of a body', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf`);
    await new Promise((done) => setTimeout(done, 20));
    socket.destroy();
    expect((await fetch(address + LIST)).status).toBe(200);
  });

  it.each([
    ['a header section without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['what is not HTTP', 'hello\r\n\r\n', 400],
    ['a length that is no number', `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n`, 400],
  ])('answers %s with the usual error object', async (_, text, status) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ data: { status } });
  });

  it.each(['PROPFIND', 'PURGE', 'TRACE'])('has no route for %s', async (method) => {
    expect(await raw(`${method} ${LIST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 404 [\s\S]*rest_no_route/,
    );
  });
});

describe('URLs', () => {
  const status = async (url: string) => (await site.app.inject({ url })).statusCode;
  it.each([
    ['/cms-json', 200],
    ['/cms-json/', 200],
    [`${LIST}/`, 200],
    ['/cms-json/notes/v1/%6Eotes', 200],
    ['/CMS-JSON/notes/v1/notes', 404],
    ['/cms-jsonx', 404],
    ['/cms-json//notes/v1/notes', 404],
    ['/cms-json/notes%2Fv1/notes', 200],
    ['/cms-json/notes/v1/notes%00', 404],
    ['/?rest_route=/notes/v1/notes', 200],
    ['/?rest_route=%2Fnotes%2Fv1%2Fnotes%2F&per_page=1', 200],
    ['/?rest_route=notes/v1/notes', 404],
    ['/?rest_route[]=/', 404],
    ['/', 404],
    ['/other?rest_route=/', 404],
  ])('%s answers %d', async (url, expected) => {
    expect(await status(url)).toBe(expected);
  });

  it('do not pass rest_route on as a parameter', async () => {
    const answer = await site.app.inject({ method: 'POST', url: '/?rest_route=/notes/v1/echo&a=1' });
    expect(answer.json().params).toEqual({ a: '1' });
  });
});

describe('the nonce header', () => {
  it('is always refused without a login, because none is issued then', async () => {
    const answer = await site.app.inject({ url: LIST, headers: { 'x-cms-nonce': 'abc' } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'rest_cookie_invalid_nonce']);
    expect(answer.headers).not.toHaveProperty('allow');
  });
});

describe('the request log', () => {
  it('has one line per request', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    const app = buildApp({ host: site.host, routes: [], logger });
    await app.inject({ url: '/cms-json/nowhere', headers: asOwner });
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 30,
        method: 'GET',
        path: '/cms-json/nowhere',
        route: null,
        status: 404,
        bytes: expect.any(Number),
        user: 1,
        ms: expect.any(Number),
        correlationId: expect.any(String),
        msg: 'request',
      }),
    ]);
    expect(Object.keys(lines[0] ?? {})).not.toContain('address');
  });

  /** Returns the log lines of a read, a write and a failed login. */
  async function logged(options: { logRequests?: 'all' | 'writes' | 'slow' | 'none'; slowRequest?: number }) {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const app = buildApp({ host: site.host, routes: [], logger, ...options });
    const wrong = { authorization: `Basic ${Buffer.from('owner:wrong').toString('base64')}` };
    await app.inject({ url: '/cms-json/a?password=geheim', headers: asOwner });
    await app.inject({ url: '/cms-json/b', method: 'POST', headers: asOwner });
    await app.inject({ url: '/cms-json/c', headers: wrong });
    await app.close();
    return lines.filter(({ msg }) => String(msg).includes('request'));
  }

  it('never contains the query, and names the client address of a failed login', async () => {
    const lines = await logged({});
    expect(lines.map(({ path, address }) => [path, address])).toEqual([
      ['/cms-json/a', undefined],
      ['/cms-json/b', undefined],
      ['/cms-json/c', '127.0.0.1'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('geheim');
  });

  it('can be limited to writes, to slow requests, or to nothing', async () => {
    const paths = async (options: Parameters<typeof logged>[0]) =>
      (await logged(options)).map(({ path, msg }) => [path, msg]);
    expect(await paths({ logRequests: 'writes' })).toEqual([['/cms-json/b', 'request']]);
    expect(await paths({ logRequests: 'slow' })).toEqual([]);
    expect(await paths({ logRequests: 'slow', slowRequest: 0 })).toHaveLength(3);
    expect(await paths({ logRequests: 'none', slowRequest: 0 })).toEqual([]);
    expect((await paths({ slowRequest: 0 })).map(([, msg]) => msg)).toEqual(Array(3).fill('slow request'));
  });
});

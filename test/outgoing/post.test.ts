import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OutgoingPlace } from '#outgoing/place.ts';
import { createPoster, type PosterOptions } from '#outgoing/post.ts';
import { OTHER, PUBLIC } from './support.ts';

type Names = Readonly<Record<string, readonly string[]>>;

/** A poster whose connections all end at a server on this machine. */
async function outside(server: ReturnType<typeof createTcpServer>, names: Names, options: PosterOptions = {}) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const places: OutgoingPlace[] = [];
  const sockets: Socket[] = [];
  const known = { ...names };
  const poster = createPoster({
    resolve: async (host) => known[host] ?? Promise.reject(new Error(host)),
    connect: (place) => {
      places.push(place);
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      return socket;
    },
    ...options,
  });
  onTestFinished(() => {
    poster.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { signal } = new AbortController();
  const post = (address: string, body = 'x') => poster.post(address, { headers: {}, body, signal });
  return { poster, post, places, names: known };
}

const speaking = (listener: RequestListener) => createServer(listener);
const saying = (answer: string) =>
  createTcpServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(answer));
  });
const site = { 'hook.example': [PUBLIC] };

describe('a message', () => {
  it('is sent to the address that was checked, with its headers, and returns the status', async () => {
    const seen: { readonly request: IncomingMessage; readonly body: string }[] = [];
    const server = speaking(async (request, response) => {
      seen.push({ request, body: await text(request) });
      response.writeHead(429, { 'Retry-After': '120' }).end('later');
    });
    const { poster, places } = await outside(server, site);
    const sent = { headers: { 'webhook-id': 'a' }, body: 'gr\u00fc\u00dfe', signal: new AbortController().signal };
    const answer = await poster.post('http://hook.example:8080/take?x=1#y', sent);
    expect(answer).toEqual({ ok: true, status: 429, retryAfter: 120 });
    expect(places).toEqual([{ address: PUBLIC, port: 8080, host: 'hook.example', secure: false }]);
    const [{ request, body } = { request: null, body: '' }] = seen;
    expect([request?.method, request?.url, request?.headers.host, request?.headers['webhook-id'], body]).toEqual([
      ...['POST', '/take?x=1', 'hook.example:8080', 'a', 'gr\u00fc\u00dfe'],
    ]);
  });

  it('does not follow redirects', async () => {
    const server = speaking((_, response) => void response.writeHead(307, { Location: 'http://127.0.0.1/' }).end());
    const { post, places } = await outside(server, site);
    expect([await post('http://hook.example/'), places.length]).toEqual([{ ok: true, status: 307, retryAfter: 0 }, 1]);
  });

  it.each(['soon', '-1', '1e9', 'Sun, 01 Mar 2026 11:00:00 GMT', '99999999999999'])(
    'ignores a Retry-After of %j',
    async (after) => {
      const server = speaking((_, response) => void response.writeHead(503, { 'Retry-After': after }).end());
      const { post } = await outside(server, site);
      expect(await post('http://hook.example/')).toEqual({ ok: true, status: 503, retryAfter: 0 });
    },
  );

  it('is sent again if the other side has closed a kept-alive connection', async () => {
    const bodies: string[] = [];
    const open: Socket[] = [];
    const server = speaking(async (request, response) => {
      bodies.push(await text(request));
      response.end('ok');
    });
    server.on('connection', (socket) => open.push(socket));
    const { post } = await outside(server, site);
    expect(await post('http://hook.example/', 'first')).toMatchObject({ ok: true });
    for (const socket of open) socket.resetAndDestroy();
    expect(await post('http://hook.example/', 'second')).toMatchObject({ ok: true, status: 200 });
    expect(bodies).toEqual(['first', 'second']);
  });
});

describe('nothing is connected to', () => {
  const nobody = { ok: false, why: 'not public' };

  it.each([
    ...[
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://10.0.0.1/',
    ],
    ...[
      'http://169.254.169.254/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0/',
      'http://[fd00::1]/',
      'http://[64:ff9b::7f00:1]/',
    ],
    ...['http://inner.example/', 'http://mixed.example/', 'http://hook.example:25/', 'http://hook.example:6379/'],
    ...[
      'ftp://hook.example/',
      'file:///etc/passwd',
      'http://user:word@hook.example/',
      'no address',
      `http://hook.example/${'x'.repeat(3000)}`,
    ],
  ])('for %s', async (address) => {
    const names = { ...site, 'inner.example': ['10.0.0.1'], 'mixed.example': [PUBLIC, '::1'] };
    const { post, places } = await outside(
      speaking(() => undefined),
      names,
    );
    expect([await post(address), places]).toEqual([nobody, []]);
  });

  it('for a name that now has a private address: each connection looks it up again', async () => {
    const server = speaking((_, response) => void response.writeHead(200, { Connection: 'close' }).end());
    const { post, places, names } = await outside(server, site);
    expect(await post('http://hook.example/')).toMatchObject({ ok: true });
    Object.assign(names, { 'hook.example': ['192.168.0.1'] });
    expect([await post('http://hook.example/'), places.length]).toEqual([nobody, 1]);
  });

  it('for an unknown host name', async () => {
    const { post } = await outside(
      speaking(() => undefined),
      site,
    );
    expect(await post('http://nobody.example/')).toEqual({ ok: false, why: 'unknown host' });
  });
});

describe('networks that are allowed', () => {
  const networks = ['10.0.0.0/8', 'fd00::/8'];

  it('are reached at any port, by address or name; the rules for others are unchanged', async () => {
    const names = {
      ...site,
      'inner.example': ['10.1.2.3'],
      'both.example': ['10.1.2.3', PUBLIC],
      'off.example': ['11.0.0.1'],
    };
    const server = speaking((_, response) => void response.end());
    const { post } = await outside(server, names, { networks });
    const outcome = async (address: string) => {
      const answer = await post(address);
      return answer.ok ? answer.status : answer.why;
    };
    const reached = [
      'http://10.0.0.1:9000/',
      'http://[fd00::1]:81/',
      'http://inner.example:5000/',
      'http://both.example/',
    ];
    expect(await Promise.all(reached.map(outcome))).toEqual(reached.map(() => 200));
    const refused = [
      'http://both.example:5000/',
      'http://127.0.0.1:9000/',
      'http://off.example:5000/',
      'http://hook.example:5000/',
    ];
    expect(await Promise.all(refused.map(outcome))).toEqual(refused.map(() => 'not public'));
  });

  it('are used to tell in advance which URLs cannot be reached', () => {
    const { mayReach, close } = createPoster({ networks });
    onTestFinished(close);
    const reached = [
      'http://10.0.0.1:9000/',
      'https://inner.example:5000/',
      `http://[${OTHER}]/`,
      `http://${PUBLIC}:443/`,
    ];
    const refused = ['http://11.0.0.1:9000/', 'http://127.0.0.1/', 'http://[::1]:80/', 'ftp://10.0.0.1/', 'x'];
    expect([...reached, ...refused].map(mayReach)).toEqual([...reached.map(() => true), ...refused.map(() => false)]);
    const without = createPoster();
    onTestFinished(without.close);
    expect(['https://inner.example:5000/', 'https://inner.example/'].map(without.mayReach)).toEqual([false, true]);
  });
});

describe('an answer', () => {
  it('without an end counts by its status, and its connection is not reused', async () => {
    const server = speaking((_, response) => {
      const more = () => void (response.destroyed || response.write('x'.repeat(50_000), () => setImmediate(more)));
      more();
    });
    const { post, places } = await outside(server, site);
    expect(await post('http://hook.example/')).toMatchObject({ ok: true, status: 200 });
    expect(await post('http://hook.example/')).toMatchObject({ ok: true, status: 200 });
    expect(places).toHaveLength(2);
  });

  it.each([
    ['headers without an end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
    ['a header of any length', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['another length than it says', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n'],
    ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('with %s counts as unreachable', async (_, answer) => {
    const { post } = await outside(saying(answer), site);
    expect(await post('http://hook.example/')).toEqual({ ok: false, why: 'unreachable' });
  });

  it.each([
    ['does not come', ''],
    ['only announces itself, again and again', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['stops in its midst', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'],
  ])('that %s is abandoned at the deadline', async (_, answer) => {
    const { post } = await outside(saying(answer), site, { deadline: 200 });
    expect(await post('http://hook.example/')).toEqual({ ok: false, why: 'too slow' });
  });

  it('is not waited for after an abort', async () => {
    const { poster } = await outside(saying(''), site);
    const ending = new AbortController();
    const sent = poster.post('http://hook.example/', { headers: {}, body: 'x', signal: ending.signal });
    await wait(20);
    ending.abort();
    expect(await sent).toMatchObject({ ok: false });
  });

  it('is not waited for when looking up the name takes too long', async () => {
    const resolve = () => wait(60_000, [], { ref: false });
    const { post, places } = await outside(
      speaking(() => undefined),
      site,
      { resolve, deadline: 100 },
    );
    expect([await post('http://hook.example/'), places]).toEqual([{ ok: false, why: 'too slow' }, []]);
  });
});

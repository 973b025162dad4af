import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutgoing, type OutgoingOptions } from '#outgoing/fetch.ts';
import { OTHER, type Outside, PUBLIC, startOutside } from './support.ts';

const WANTED = { accept: 'text/plain', maxBytes: 1000 };
const names = {
  'public.example': [PUBLIC],
  'other.example': [OTHER, PUBLIC],
  'inner.example': ['10.1.2.3'],
  'half.example': [PUBLIC, '192.168.1.1'],
  'nowhere.example': [],
};

let outside: Outside | undefined;
afterEach(() => outside?.close());

async function start(listener: RequestListener, options: OutgoingOptions & { names?: object } = {}) {
  outside = await startOutside(listener, { ...names, ...options.names }, options);
  return outside;
}

const hello: RequestListener = (_, response) => response.end('hello');
const sendTo =
  (location: string): RequestListener =>
  (request, response) =>
    request.url === '/' ? response.writeHead(302, { location }).end() : response.end('arrived');

describe('a request to a public server', () => {
  it('returns the response', async () => {
    const { outgoing, places } = await start((request, response) => {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.end(JSON.stringify([request.method, request.url, request.headers.host, request.headers.accept]));
    });
    const answer = await outgoing.get('http://public.example/a?b=c#d', WANTED);
    expect(answer).toMatchObject({ ok: true, status: 200, type: 'text/plain; charset=utf-8' });
    expect(answer.ok && JSON.parse(answer.body.toString())).toEqual(['GET', '/a?b=c', 'public.example', 'text/plain']);
    expect(places).toEqual([{ address: PUBLIC, port: 80, host: 'public.example', secure: false }]);
  });

  it('connects to the address that was checked, with the given host name, and with TLS for https', async () => {
    const { outgoing, places } = await start(hello);
    await outgoing.get('https://other.example/', WANTED);
    await outgoing.get(`https://[${OTHER}]:8080/`, WANTED);
    expect(places).toEqual([
      { address: OTHER, port: 443, host: 'other.example', secure: true },
      { address: OTHER, port: 8080, host: OTHER, secure: true },
    ]);
  });

  it('carries no credentials and accepts nothing compressed', async () => {
    const { outgoing } = await start((request, response) => response.end(JSON.stringify(request.headers)));
    const answer = await outgoing.get('http://public.example/', WANTED);
    const headers = answer.ok ? JSON.parse(answer.body.toString()) : {};
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(Object.keys(headers)).not.toContain('authorization');
    expect(Object.keys(headers)).not.toContain('cookie');
  });

  it('returns an error status as a result', async () => {
    const { outgoing } = await start((_, response) => response.writeHead(404).end('gone'));
    expect(await outgoing.get('http://public.example/', WANTED)).toMatchObject({ ok: true, status: 404 });
  });
});

describe('a request does not reach', () => {
  it.each([
    ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0177.0.0.1/'],
    ...['http://0.0.0.0/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'http://[::1]/'],
    ...[
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[::]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
    ],
    ...['http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://１２７.0.0.1/', 'http://127。0。0。1/'],
    ...['http://inner.example/', 'http://half.example/', 'http://nowhere.example/'],
    ...['http://public.example:22/', 'http://public.example:6379/', 'http://user:secret@public.example/'],
    ...['ftp://public.example/', 'file:///etc/hosts', 'gopher://public.example/', 'data:text/plain,x', '//x', 'x', ''],
    `http://public.example/${'x'.repeat(3000)}`,
  ])('%s', async (address) => {
    const { outgoing, places } = await start(hello);
    expect(await outgoing.get(address, WANTED)).toEqual({ ok: false, why: 'not public' });
    expect(places).toEqual([]);
  });

  it.each([
    ...['http://127.0.0.1/', 'http://[::1]/', 'http://[::ffff:10.0.0.1]/', 'http://inner.example/', '//10.0.0.1/'],
    ...[
      'http://half.example/',
      'https://169.254.169.254/',
      'http://public.example:25/',
      'file:///etc/hosts',
      'http://:x',
    ],
  ])('%s by a redirect', async (location) => {
    const { outgoing, places } = await start(sendTo(location));
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual({ ok: false, why: 'not public' });
    expect(places.map(({ address }) => address)).toEqual([PUBLIC]);
  });

  it('a private address whose name was public at the previous look-up', async () => {
    const turns = [[PUBLIC], ['127.0.0.1']];
    const { outgoing, places, asked } = await start(sendTo('/again'), {
      names: { 'rebinding.example': () => turns.shift() ?? [] },
    });
    expect(await outgoing.get('http://rebinding.example/', WANTED)).toEqual({ ok: false, why: 'not public' });
    expect(places.map(({ address }) => address)).toEqual([PUBLIC]);
    expect(asked).toEqual(['rebinding.example', 'rebinding.example']);
  });

  it('anything but the address found by the only look-up of the connection', async () => {
    const turns = [[PUBLIC], ['127.0.0.1'], ['127.0.0.1']];
    const { outgoing, places, asked } = await start(hello, {
      names: { 'rebinding.example': () => turns.shift() ?? [] },
    });
    expect(await outgoing.get('http://rebinding.example/', WANTED)).toMatchObject({ ok: true });
    expect([asked.length, places.map(({ address }) => address)]).toEqual([1, [PUBLIC]]);
  });
});

describe('redirects', () => {
  it('are followed, also relative ones, and the final address is returned', async () => {
    const { outgoing } = await start(sendTo('//other.example/there?x=1#y'));
    const answer = await outgoing.get('http://public.example/', WANTED);
    expect(answer.ok && [answer.url.href, answer.body.toString()]).toEqual([
      'http://other.example/there?x=1',
      'arrived',
    ]);
  });

  it.each([301, 302, 303, 307, 308])('with status %d are redirects', async (status) => {
    const { outgoing } = await start((request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/b' }).end('x'.repeat(5000));
      else response.end('arrived');
    });
    const answer = await outgoing.get('http://public.example/', WANTED);
    expect(answer.ok && answer.body.toString()).toBe('arrived');
  });

  it('are limited to three', async () => {
    const { outgoing, places } = await start((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual({ ok: false, why: 'too many redirects' });
    expect(places).toHaveLength(4);
  });
});

describe('the body of a response', () => {
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (response.write('x'.repeat(500)));
    };
    response.on('drain', more);
    more();
  };

  it('is refused when longer than the limit, also without an announced length', async () => {
    const { outgoing } = await start(endless);
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual({ ok: false, why: 'too large' });
  });

  it('is cut at the limit if the beginning suffices', async () => {
    const { outgoing } = await start(endless);
    const answer = await outgoing.get('http://public.example/', { ...WANTED, cut: true });
    expect(answer.ok && answer.body.length).toBe(1000);
  });

  it('may be exactly as long as the limit', async () => {
    const { outgoing } = await start((_, response) => response.end('x'.repeat(1000)));
    expect(await outgoing.get('http://public.example/', WANTED)).toMatchObject({ ok: true });
  });
});

describe('the deadline ends', () => {
  const hurried = { deadline: 60 };
  const slow = { ok: false, why: 'too slow' };

  it('a look-up that takes too long', async () => {
    const { outgoing } = await start(hello, { ...hurried, resolve: () => new Promise(() => undefined) });
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual(slow);
  });

  it('a request that is not answered', async () => {
    const { outgoing } = await start(() => undefined, hurried);
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual(slow);
  });

  it('a response that trickles in', async () => {
    const { outgoing } = await start((_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    }, hurried);
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual(slow);
  });

  it('a chain of redirects that is too slow in total', async () => {
    const { outgoing } = await start(async (request, response) => {
      await sleep(35);
      response.writeHead(302, { location: `${request.url}x` }).end();
    }, hurried);
    expect(await outgoing.get('http://public.example/', WANTED)).toEqual(slow);
  });
});

describe('a failure is a value', () => {
  it.each([
    ['the other side hangs up', 'http://public.example/', (request: { destroy(): void }) => request.destroy()],
    [
      'the answer breaks off',
      'http://public.example/',
      ((_, response) => {
        response.writeHead(200, { 'Content-Length': '500' }).write('x');
        setTimeout(() => response.destroy(), 20);
      }) as RequestListener,
    ],
  ])('when %s', async (_, address, listener) => {
    const { outgoing } = await start(listener as RequestListener);
    expect(await outgoing.get(address, WANTED)).toEqual({ ok: false, why: 'unreachable' });
  });

  it('when the host name is unknown', async () => {
    const { outgoing } = await start(hello);
    expect(await outgoing.get('http://unknown.example/', WANTED)).toEqual({ ok: false, why: 'unknown host' });
  });

  it('when too many requests run at once, until they are over', async () => {
    const { outgoing } = await start(
      async (_, response) => {
        await sleep(50);
        response.end();
      },
      { atOnce: 2 },
    );
    const asked = [1, 2, 3].map(() => outgoing.get('http://public.example/', WANTED));
    const answers = await Promise.all(asked);
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.why))).toEqual(['ok', 'ok', 'busy']);
    expect(await outgoing.get('http://public.example/', WANTED)).toMatchObject({ ok: true });
  });
});

describe('with default options', () => {
  it('requests cannot reach the machine itself', async () => {
    const outgoing = createOutgoing();
    for (const address of ['http://127.0.0.1:80/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]:8080/']) {
      expect(await outgoing.get(address, WANTED)).toEqual({ ok: false, why: 'not public' });
    }
  });
});

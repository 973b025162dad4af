import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const list = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

let site: Site;
const sockets: Socket[] = [];

/** Sends the head of a request on a socket of its own; `length` is its Content-Length. */
function open(as: As, line: string, { type = JSON_TYPE, length = 0 }: { type?: string; length?: number }): Socket {
  const socket = connect(site.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const credentials = site.authorization(as);
  const login = credentials === '' ? '' : `Authorization: ${credentials}\r\n`;
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${type}\r\n${login}Content-Length: ${length}\r\n\r\n`);
  return socket;
}

async function answerOn(socket: Socket): Promise<{ status: number; head: string; code: string }> {
  let text = '';
  while (!/\r\n\r\n[\s\S]*[}\]]/.test(text)) {
    const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])])) as [unknown];
    if (chunk === null) break;
    text += String(chunk);
  }
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, code: /"code":"(\w+)"/.exec(body)?.[1] ?? '' };
}

async function send(as: As, line: string, body: string, type = JSON_TYPE) {
  const socket = open(as, line, { type, length: Buffer.byteLength(body) });
  socket.write(body);
  const answer = await answerOn(socket);
  return [answer.status, answer.code];
}

beforeAll(async () => {
  site = await startSite({ app: { bodyTimeout: 3000, bodiesLimit: 12 * 1024 * 1024 } });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => site.close());

describe('parameters of a read', () => {
  it.each<As>(['anonymous', 'author'])('are limited to 64 KiB, for %s', async (as) => {
    const categories = JSON.stringify({ categories: list(1_000_000) });
    expect(await send(as, 'GET /cms-json/cms/v2/posts', categories)).toEqual([413, 'rest_request_too_large']);
    expect(await send(as, 'OPTIONS /cms-json/cms/v2/posts', categories)).toEqual([413, 'rest_request_too_large']);
    expect(await send(as, 'GET /cms-json/cms/v2/posts', JSON.stringify({ include: list(1500) }))).toEqual([200, '']);
  });

  it('are limited as well when the request line has another method', async () => {
    const body = JSON.stringify({ search: 'x'.repeat(100_000) });
    expect(await send('author', 'POST /cms-json/cms/v2/posts?_method=GET', body)).toEqual([
      413,
      'rest_request_too_large',
    ]);
  });
});

describe('a list', () => {
  it.each(['include', 'exclude', 'categories', 'tags_exclude', 'slug', 'status', 'author'])(
    'of 2001 items in %s is refused',
    async (name) => {
      const items = name === 'status' ? Array(2001).fill('publish') : list(2001);
      for (const value of [items, items.join(',')]) {
        const sent = JSON.stringify({ [name]: value });
        expect(await send('anonymous', 'GET /cms-json/cms/v2/posts', sent)).toEqual([400, 'rest_invalid_param']);
      }
    },
  );

  it('in a large body is refused, as text or as JSON', async () => {
    const answer = await send('contributor', 'POST /cms-json/cms/v2/posts', `{"tags":"${'1,'.repeat(4_000_000)}"}`);
    expect(answer).toEqual([413, 'rest_text_too_long']);
    const tags = JSON.stringify({ title: 'x', tags: list(1_000_000) });
    expect(await send('contributor', 'POST /cms-json/cms/v2/posts', tags)).toEqual([413, 'rest_request_too_large']);
  });
});

describe('parameters of a write', () => {
  it.each([
    ['fields to show', { title: 'x', _fields: `id,${'a.'.repeat(2_000_000)}` }],
    ['a long name of a form', `title=x&${'['.repeat(9_000_000)}=1`],
  ])('are accepted, however long: %s', async (_, body) => {
    const answer =
      typeof body === 'string'
        ? send('contributor', 'POST /cms-json/cms/v2/posts', body, FORM_TYPE)
        : send('contributor', 'POST /cms-json/cms/v2/posts', JSON.stringify(body));
    expect(await answer).toEqual([201, '']);
  });
});

describe('a write without a login', () => {
  it('is refused before its body is read', async () => {
    const answers = await Promise.all(
      ['POST /cms-json/cms/v2/posts', 'DELETE /cms-json/cms/v2/posts/1', 'POST /cms-json/cms/v2/media'].map((line) =>
        answerOn(open('anonymous', line, { length: 9_500_000 })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('has the small limit if it needs no rights', async () => {
    const answer = await answerOn(open('anonymous', 'POST /cms-json/batch/v1', { length: 9_500_000 }));
    expect([answer.status, answer.code]).toEqual([413, 'rest_request_too_large']);
  });
});

describe('a body', () => {
  it('that stops arriving is answered with 408', async () => {
    const socket = open('author', 'POST /cms-json/cms/v2/posts', { length: 1000 });
    socket.write('{"title":');
    const answer = await answerOn(socket);
    expect([answer.status, answer.code]).toEqual([408, 'rest_request_timeout']);
    expect(answer.head).toMatch(/connection: close/i);
  });

  it('beyond the memory limit is refused with 503, until others are finished', async () => {
    const half = Buffer.alloc(5 * 1024 * 1024, 0x20);
    const begin = () => {
      const socket = open('author', 'POST /cms-json/cms/v2/posts', { length: 2 * half.length });
      socket.write(half);
      return socket;
    };
    const answers = await Promise.all([begin(), begin(), begin()].map(answerOn));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: 'rest_too_many_bodies', head: expect.stringMatching(/retry-after: \d/i) });
    const whole = JSON.stringify({ title: 'x', content: 'y'.repeat(900_000) });
    expect(await send('author', 'POST /cms-json/cms/v2/posts', whole)).toEqual([201, '']);
  });
});

describe('a parameter of unexpected shape', () => {
  it.each(['/posts', '/users', '/users/me', '/media', '/revisions', '/autosaves'])(
    'is refused at %s: null as context',
    async (path) => {
      const id = await site.make('editor', '/posts', { title: 'x', status: 'publish' });
      const whole = path === '/revisions' || path === '/autosaves' ? `/posts/${id}${path}` : path;
      const answer = await send('editor', `GET /cms-json/cms/v2${whole}`, '{"context":null}');
      expect(answer).toEqual([400, 'rest_invalid_param']);
    },
  );

  it.each(['namespace[toString]=x', 'namespace[]=x'])('is refused at an index: %s', async (query) => {
    expect(await send('anonymous', `GET /cms-json/cms/v2?${query}`, '')).toEqual([400, 'rest_invalid_param']);
  });
});

import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SendBuffer } from '#http/server/sending.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ app: { answerLimit: 250_000 } });
  for (const title of ['One', 'Two', 'Three']) {
    const content = `<p>${title}</p>`.repeat(10_000);
    await site.make('editor', '/posts', { title, content, status: 'publish' });
  }
});
afterAll(() => site.close());

describe('a list that is too large', () => {
  it.each(['', '&_embed', '&context=edit', '&_envelope'])(
    'is refused, but answered in smaller parts%s',
    async (more) => {
      const { status, body } = await site.call('editor', `GET /posts?per_page=3${more}`);
      const refused = more === '&_envelope' ? body.body : body;
      expect([status, refused.code]).toEqual([more === '&_envelope' ? 200 : 400, 'rest_answer_too_large']);
      const { body: one } = await site.call('editor', `GET /posts?per_page=1${more}`);
      expect(more === '&_envelope' ? one.body : one).toHaveLength(1);
      const { body: some } = await site.call('editor', `GET /posts?per_page=3&_fields=id,title${more}`);
      expect(more === '&_envelope' ? some.body : some).toHaveLength(3);
    },
  );
});

it.each([
  ['title', 16_384],
  ['excerpt', 65_535],
] as const)('refuses a %s longer than %i characters, in creates, updates and autosaves', async (name, most) => {
  const id = await site.make('author', '/posts', { title: 'Short' });
  for (const request of ['POST /posts', `PATCH /posts/${id}`, `POST /posts/${id}/autosaves`]) {
    const { status, body } = await site.call('author', request, { [name]: 'ü'.repeat(most + 1) });
    expect([request, status, body.code]).toEqual([request, 400, 'db_insert_error']);
    expect(body.message).toBe(`The ${name} has more than ${most} characters.`);
  }
  expect((await site.call('author', `PATCH /posts/${id}`, { [name]: 'ü'.repeat(most) })).status).toBe(200);
});

it('refuses descriptions of terms, and what users say of themselves, that are too long', async () => {
  const [max, tooLong] = ['ü'.repeat(65_535), 'ü'.repeat(65_536)];
  const id = await site.make('editor', '/tags', { name: 'Described' });
  const menu = await site.make('administrator', '/menus', { name: 'Menu' });
  const places = [`PATCH /tags/${id}`, `PATCH /menus/${menu}`, 'PATCH /users/me'];
  for (const request of places) {
    const { status, body } = await site.call('administrator', request, { description: tooLong });
    expect([request, status, body.code]).toEqual([request, 400, 'db_insert_error']);
    expect((await site.call('administrator', request, { description: max })).status).toBe(200);
  }
  const huge = 'y'.repeat(1_000_000);
  const own = [{ first_name: huge }, { name: huge }, { nickname: huge }, { url: `https://site.example/${huge}` }];
  for (const sent of [...own, { meta: { persisted_preferences: { 'core/edit-post': { open: huge } } } }]) {
    const { status, body } = await site.call('subscriber', 'PATCH /users/me', sent);
    expect([Object.keys(sent), status, body.code]).toEqual([Object.keys(sent), 400, 'db_insert_error']);
  }
});

it('undoes only the request of a batch whose text is too long', async () => {
  const requests = ['One', 'x'.repeat(16_385), 'Two'].map((title) => ({ path: '/cms/v2/posts', body: { title } }));
  const { body } = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
  expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 400, 201]);
});

describe('long answers that clients have not read yet', () => {
  const body = () => Buffer.alloc(1 << 20);
  const response = () => new EventEmitter() as ServerResponse;
  const read = { isWrite: false };

  it('share one limit until their connections close', () => {
    const sending = new SendBuffer(2.5 * 2 ** 20);
    const [first, second] = [response(), response()];
    expect([sending.take(body(), first, read), sending.take(body(), second, read)]).toEqual([true, true]);
    expect(sending.take(body(), response(), read)).toBe(false);
    first.emit('close');
    expect(sending.take(body(), response(), read)).toBe(true);
  });

  it('need no room for clients that have gone, who do not say so again', () => {
    const sending = new SendBuffer(2 ** 20);
    const gone = Object.assign(response(), { destroyed: true });
    expect(sending.take(body(), gone, { isWrite: true })).toBe(true);
    expect(sending.take(body(), response(), read)).toBe(true);
  });

  it('count once for all clients that receive the same; answers to writes are exempt', () => {
    const sending = new SendBuffer(2 ** 20);
    const shared = body();
    expect([response(), response()].map((to) => sending.take(shared, to, read))).toEqual([true, true]);
    expect(sending.take(body(), response(), read)).toBe(false);
    expect(sending.take(body(), response(), { isWrite: true })).toBe(true);
  });
});

it('answers a request whose target is an absolute URL, as proxies send it', async () => {
  const ask = async (target: string) => {
    const socket = connect(site.port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return Number(String(chunk).split(' ')[1]);
  };
  const targets = ['http://x/cms-json/', 'HTTP://x:80/cms-json/cms/v2/posts?per_page=1', 'http://x', 'http://x?a=b'];
  expect(await Promise.all(targets.map(ask))).toEqual([200, 200, 200, 200]);
  expect(await ask('http://x/cms-json/nothing')).toBe(404);
});

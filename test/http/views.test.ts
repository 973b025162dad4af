import { cpSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

describe('ready answers', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const makeReady = () => {
    while (site.node.work());
  };
  /** The same request in a form that no ready answer matches. */
  const asked = (path: string) =>
    site.call('anonymous', `GET ${path}${path.includes('?') ? '&' : '?'}excerpt_length=55&_=${Math.random()}`);

  it('equal rendered answers after any change of entries and terms', async () => {
    const category = await site.make('editor', '/categories', { name: 'Shown' });
    const ids = [
      await site.make('editor', '/posts', {
        title: 'First',
        content: 'Text',
        status: 'publish',
        categories: [category],
      }),
    ];
    const act = fc.oneof(
      fc.record({
        method: fc.constant('POST'),
        path: fc.constant('/posts'),
        body: fc.record({ title: fc.string(), status: fc.constantFrom('publish', 'draft', 'private') }),
      }),
      fc.record({
        method: fc.constant('PUT'),
        path: fc.constant('entry'),
        body: fc.record(
          {
            title: fc.string({ minLength: 1 }),
            status: fc.constantFrom('publish', 'draft'),
            password: fc.constantFrom('', 'p'),
            categories: fc.constantFrom([], [1], [category]),
          },
          { requiredKeys: [] },
        ),
      }),
      fc.record({
        method: fc.constant('PUT'),
        path: fc.constant(`/categories/${category}`),
        body: fc.record({ slug: fc.stringMatching(/^[a-z]{3,8}$/) }),
      }),
      fc.record({
        method: fc.constant('DELETE'),
        path: fc.constant('entry'),
        body: fc.record({ force: fc.boolean() }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(act, fc.nat(), fc.boolean(), async ({ method, path, body }, pick, ready) => {
        const id = ids[pick % ids.length];
        const { body: made } = await site.call('editor', `${method} ${path === 'entry' ? `/posts/${id}` : path}`, body);
        if (method === 'POST' && made.id !== undefined) ids.push(made.id);
        if (ready) makeReady();
        for (const one of ids.slice(-8)) {
          const [kept, fresh] = [await site.call('anonymous', `GET /posts/${one}`), await asked(`/posts/${one}`)];
          expect([kept.status, kept.body, kept.headers.get('link'), kept.headers.get('allow')]).toEqual([
            fresh.status,
            fresh.body,
            fresh.headers.get('link'),
            fresh.headers.get('allow'),
          ]);
        }
        const list = '/posts?per_page=100';
        expect((await site.call('anonymous', `GET ${list}`)).body).toEqual((await asked(list)).body);
      }),
      { numRuns: 60 },
    );
  });

  it('change their entity tag with their content, alone and in a list', async () => {
    const id = await site.make('editor', '/posts', { title: 'Tagged', status: 'publish' });
    const tags = async () => {
      makeReady();
      const [item, list] = [
        await site.call('anonymous', `GET /posts/${id}`),
        await site.call('anonymous', `GET /posts?include=${id}`),
      ];
      return [item.headers.get('etag'), list.headers.get('etag')];
    };
    const before = await tags();
    expect(await tags()).toEqual(before);
    await site.call('editor', `PUT /posts/${id}`, { title: 'Changed' });
    const after = await tags();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('have entity tags that work in If-Match', async () => {
    const id = await site.make('editor', '/posts', { title: 'Matched', status: 'publish' });
    makeReady();
    const headers = { 'if-match': (await site.call('anonymous', `GET /posts/${id}`)).headers.get('etag') ?? '' };
    expect((await site.call('editor', `PUT /posts/${id}`, { title: 'x' }, { headers })).status).toBe(200);
    expect((await site.call('editor', `PUT /posts/${id}`, { title: 'y' }, { headers })).status).toBe(412);
  });

  it('are not served after a restart if something changed since', async () => {
    const id = await site.make('editor', '/posts', { title: 'Before', status: 'publish' });
    makeReady();
    await site.call('editor', `PUT /posts/${id}`, { title: 'After' });
    await site.restart();
    expect((await site.call('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('After');
  });

  it('survive a restart', async () => {
    const id = await site.make('editor', '/posts', { title: 'Kept', status: 'publish' });
    makeReady();
    const before = (await site.call('anonymous', `GET /posts/${id}`)).headers.get('etag');
    await site.restart();
    expect((await site.call('anonymous', `GET /posts/${id}`)).headers.get('etag')).toBe(before);
  });

  it.each([
    ['cut off', (path: string) => truncateSync(path, 100)],
    ['something else', (path: string) => writeFileSync(path, 'views 1\n{}\n')],
    ['gone', (path: string) => rmSync(path)],
  ])('are rebuilt when a file is %s', async (_, damage) => {
    const id = await site.make('editor', '/posts', { title: 'Sound', status: 'publish' });
    for (const name of ['slots', '0.views']) {
      makeReady();
      await site.restart(() => damage(join(site.directory, 'views', name)));
      expect((await site.call('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('Sound');
      makeReady();
      expect((await site.call('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('Sound');
    }
  });

  it('do not bring back deleted entries when old files return', async () => {
    const id = await site.make('editor', '/posts', { title: 'Gone', status: 'publish' });
    makeReady();
    await site.restart();
    const views = join(site.directory, 'views');
    const aside = join(site.directory, 'aside');
    cpSync(views, aside, { recursive: true });
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    await site.restart(() => {
      rmSync(views, { recursive: true });
      renameSync(aside, views);
    });
    expect((await site.call('anonymous', `GET /posts/${id}`)).status).toBe(404);
  });

  it('reach slow readers unchanged while others are served', async () => {
    for (let i = 0; i < 40; i += 1) {
      await site.make('editor', '/posts', { title: `Slow ${i}`, content: `${i} `.repeat(3000), status: 'publish' });
    }
    makeReady();
    const lists = Array.from({ length: 200 }, (_, i) => `/posts?search=slow&per_page=10&page=${1 + (i % 4)}&_=${i}`);
    // Far more than the operating system buffers for a reader that does not read.
    const socket = connect(site.port, '127.0.0.1').pause();
    const ask = (path: string, i: number) =>
      `GET /cms-json/cms/v2${path} HTTP/1.1\r\nHost: site.example\r\nConnection: ${i === 199 ? 'close' : 'keep-alive'}\r\n\r\n`;
    socket.write(lists.map(ask).join(''));
    const plain = [];
    for (const path of lists.slice(0, 4)) plain.push(await asked(path));
    for (const path of lists) await site.call('anonymous', `GET ${path}&other=1`);
    const answers = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString('latin1');
    const bodies = answers.split(/HTTP\/1\.1 200 OK[\s\S]*?\r\n\r\n/).slice(1);
    expect(bodies).toHaveLength(200);
    for (const [i, body] of bodies.entries()) expect(JSON.parse(body)).toEqual(plain[i % 4]?.body);
  });

  it('match phrases like the texts themselves, also after a change', async () => {
    const write = (content: string) => site.make('editor', '/posts', { title: 'Phrase', content, status: 'publish' });
    const [has, hasNot] = [await write('Überm Moor flog, der Reiher'), await write('der Moor Reiher flog überm')];
    const find = async (text: string) =>
      (await site.call('anonymous', `GET /posts?search=${encodeURIComponent(text)}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    const searches = ['"uberm moor"', '"flog, der"', '"moor reiher" flog', '"moor flog"', '"reiher moor"'];
    const all = () => Promise.all(searches.map(find));
    expect(await all()).toEqual([[has], [has], [hasNot], [has], []]);
    makeReady();
    expect(await all()).toEqual([[has], [has], [hasNot], [has], []]);
    await site.call('editor', `PUT /posts/${has}`, { content: 'nichts davon' });
    expect(await find('"uberm moor"')).toEqual([]);
    makeReady();
    expect(await find('"uberm moor"')).toEqual([]);
  });
});

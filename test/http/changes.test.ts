import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { userStream } from '#domain/user/state.ts';
import { buildApp } from '#http/app/app.ts';
import { hostOf } from '#http/app/host.ts';
import { changesRoutes, type FeedOptions } from '#http/feed/routes.ts';
import { sourceOf } from '#http/feed/source.ts';
import { longCommits } from '../support/long-commits.ts';
import { admin } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { type Connection, type Listener, listen } from '../support/sse.ts';

interface Change {
  readonly resource: string;
  readonly id: number;
  readonly what: string;
  readonly link?: string;
}
interface Told {
  readonly position: number;
  readonly at: string;
  readonly changes: readonly Change[];
}

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Follows the feed until the test ends. */
async function follow(as: As = 'anonymous', to: Partial<Connection> = {}): Promise<Listener> {
  const authorization = site.authorization(as);
  const headers = { ...(authorization === '' ? {} : { authorization }), ...to.headers };
  const listener = await listen({ port: site.port, ...to, headers });
  onTestFinished(() => listener.drop());
  await listener.until(() => listener.lastId !== '');
  return listener;
}

/** Starts a second server on the same store, with other feed options. */
async function otherServer(options: FeedOptions) {
  const { store } = site.node;
  const app = buildApp({ host: hostOf(store), routes: changesRoutes(sourceOf(store), options) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { app, port: (app.server.address() as AddressInfo).port };
}

const told = ({ messages }: Listener): Told[] => messages.map(({ data }) => JSON.parse(data));
const poll = (as: As, query: string) => site.call(as, `GET /changes?${query}`);
const post = (title: string, status: string) => site.make('editor', '/posts', { title, status });
const set = async (id: number, body: object) => {
  await site.call('editor', `POST /posts/${id}`, body);
};

describe('the feed', () => {
  it('reports each commit in order, under the position of its last event', async () => {
    const listener = await follow();
    const id = await post('One', 'publish');
    const first = site.position();
    await set(id, { title: 'Two' });
    await listener.reaches(site.position());
    expect(told(listener)).toEqual([
      {
        position: first,
        at: '2026-03-01T11:00:00.000Z',
        changes: [{ resource: 'posts', id, what: 'published', link: 'http://site.example/one/' }],
      },
      {
        position: site.position(),
        at: '2026-03-01T11:00:00.000Z',
        changes: [{ resource: 'posts', id, what: 'changed', link: 'http://site.example/one/' }],
      },
    ]);
    expect(listener.messages.map(({ event, id: at }) => [event, Number(at)])).toEqual([
      ['commit', first],
      ['commit', site.position()],
    ]);
  });

  it('starts at the present and sends its position before anything happens', async () => {
    await post('Before', 'publish');
    const listener = await follow();
    expect(Number(listener.lastId)).toBe(site.position());
    expect(listener.messages).toEqual([]);
  });

  it('starts after `since`, or after Last-Event-ID if that is sent as well', async () => {
    const start = site.position();
    await post('First', 'publish');
    const between = site.position();
    await post('Second', 'publish');
    const path = `/cms-json/cms/v2/changes?since=${start}`;
    const fresh = await follow('anonymous', { path });
    const again = await follow('anonymous', { path, headers: { 'Last-Event-ID': String(between) } });
    await Promise.all([fresh.reaches(site.position()), again.reaches(site.position())]);
    expect(fresh.messages).toHaveLength(2);
    expect(again.messages).toHaveLength(1);
  });

  it('reports several requests of one commit as one message', async () => {
    const listener = await follow();
    const write = { method: 'POST', path: '/cms/v2/posts', body: { title: 'Both', status: 'publish' } };
    const { body } = await site.call('editor', 'POST /cms-json/batch/v1', { requests: [write, write] });
    await listener.reaches(site.position());
    const ids = body.responses.map((one: { body: { id: number } }) => one.body.id);
    expect(told(listener).map(({ changes }) => changes.map(({ id }) => id))).toEqual([ids]);
  });

  it('loses and repeats nothing when a client reconnects repeatedly during writes', async () => {
    const start = site.position();
    const writing = Array.from({ length: 60 }, (_, i) => post(`Meanwhile ${i}`, i % 3 === 0 ? 'draft' : 'publish'));
    const got: Told[] = [];
    let lastId = String(start);
    const done = Promise.all(writing).then(() => site.position());
    const end = { position: Number.POSITIVE_INFINITY };
    done.then((position) => {
      end.position = position;
    });
    while (got.length < 40) {
      const listener = await follow('anonymous', { headers: { 'Last-Event-ID': lastId } });
      await listener.until(() => listener.messages.length >= 3 || Number(listener.lastId) >= end.position);
      listener.drop();
      got.push(...told(listener));
      lastId = listener.lastId;
    }
    const drafts = new Set((await Promise.all(writing)).filter((_, i) => i % 3 === 0));
    const published = (await Promise.all(writing)).filter((id) => !drafts.has(id));
    const ids = got.flatMap(({ changes }) => changes.map(({ id }) => id));
    expect(ids.toSorted((a, b) => a - b)).toEqual(published.toSorted((a, b) => a - b));
    expect(got.map(({ position }) => position)).toEqual(got.map(({ position }) => position).toSorted((a, b) => a - b));
  });
});

describe('the changes reported to a viewer', () => {
  const everybody = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
  type Learns = Readonly<Record<(typeof everybody)[number], string>>;

  /** Returns the changes that the feed reports to each of them during `act`, as words. */
  async function learnt(act: () => Promise<unknown>): Promise<Learns> {
    const start = site.position();
    await act();
    const words = everybody.map(async (as) => {
      const { body } = await poll(as, `since=${start}`);
      const commits: readonly Told[] = body.commits;
      return [as, commits.flatMap(({ changes }) => changes.map(({ what }) => what)).join(' ')] as const;
    });
    return Object.fromEntries(await Promise.all(words)) as Learns;
  }
  const all = (what: string) => Object.fromEntries(everybody.map((as) => [as, what])) as Learns;

  it('of a public post: everything', async () => {
    const learns = await learnt(async () => {
      const id = await post('Public', 'publish');
      await set(id, { content: 'More' });
      await set(id, { password: 'secret' });
    });
    expect(learns).toEqual(all('published changed changed'));
  });

  it('of a draft: nothing, except to its author and to editors, until it is published', async () => {
    const learns = await learnt(async () => {
      const id = await site.make('contributor', '/posts', { title: 'Mine', status: 'draft' });
      await site.call('contributor', `POST /posts/${id}`, { content: 'More' });
      await set(id, { status: 'publish' });
    });
    expect(learns).toEqual({
      ...all('published'),
      contributor: 'created changed published',
      editor: 'created changed published',
      administrator: 'created changed published',
    });
  });

  it('of a post that is made private: its removal, and nothing afterwards', async () => {
    const id = await post('Was public', 'publish');
    const learns = await learnt(async () => {
      await set(id, { status: 'private' });
      await set(id, { content: 'Hidden' });
    });
    expect(learns).toEqual({ ...all('removed'), editor: 'unpublished changed', administrator: 'unpublished changed' });
  });

  it('of a trashed post: its removal; to editors each step', async () => {
    const id = await post('Rubbish', 'publish');
    const learns = await learnt(async () => {
      await site.call('editor', `DELETE /posts/${id}`);
      await set(id, { status: 'draft' });
      await site.call('editor', `DELETE /posts/${id}?force=true`);
    });
    expect(learns).toEqual({
      ...all('removed'),
      editor: 'trashed restored deleted',
      administrator: 'trashed restored deleted',
    });
  });

  it('of a deletion: only to those who could read the post', async () => {
    const published = await post('Public', 'publish');
    const hidden = await post('Hidden', 'private');
    expect(await learnt(() => site.call('editor', `DELETE /posts/${published}?force=true`))).toEqual(all('deleted'));
    expect(await learnt(() => site.call('editor', `DELETE /posts/${hidden}?force=true`))).toEqual({
      ...all(''),
      editor: 'deleted',
      administrator: 'deleted',
    });
  });

  it('of a draft with a new author: added for the new one, removed for the old one', async () => {
    const id = await site.make('contributor', '/posts', { title: 'Handed over', status: 'draft' });
    expect(await learnt(() => set(id, { author: 3 }))).toEqual({
      ...all(''),
      contributor: 'removed',
      author: 'added',
      editor: 'changed',
      administrator: 'changed',
    });
  });

  it('of an autosave: nothing', async () => {
    const id = await post('Autosaved', 'publish');
    const learns = await learnt(async () => {
      const { status } = await site.call('editor', `POST /posts/${id}/autosaves`, { content: 'Not yet' });
      expect(status).toBe(200);
    });
    expect(learns).toEqual(all(''));
  });

  it('of media: as much as of the post they are attached to', async () => {
    const host = await post('Host', 'private');
    const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a.txt"' };
    const upload = async (query: string) => {
      const { status, body } = await site.call('editor', `POST /media${query}`, 'Some text.', { headers });
      expect(status).toBe(201);
      return Number(body.id);
    };
    const few = (what: string) => ({ ...all(''), editor: what, administrator: what });
    let [open, hidden] = [0, 0];
    const uploaded = async () => {
      open = await upload('');
    };
    const attached = async () => {
      hidden = await upload(`?post=${host}`);
    };
    const change = (id: number, body: object) => () => site.call('editor', `POST /media/${id}`, body);
    expect(await learnt(uploaded)).toEqual(all('created'));
    expect(await learnt(attached)).toEqual(few('created'));
    expect(await learnt(change(hidden, { title: 'Changed' }))).toEqual(few('changed'));
    const knowing = { editor: 'changed', administrator: 'changed' };
    expect(await learnt(change(hidden, { post: 0 }))).toEqual({ ...all('added'), ...knowing });
    expect(await learnt(change(open, { post: host }))).toEqual({ ...all('removed'), ...knowing });
    expect(await learnt(() => site.call('editor', `DELETE /media/${hidden}?force=true`))).toEqual(all('deleted'));
  });

  it('of comments: as much as of their post; of held ones, only to their author and moderators', async () => {
    const [host, hidden] = [await post('Talked about', 'publish'), await post('Secret talk', 'private')];
    let id = 0;
    const say =
      (as: As, on: number, more: object = {}) =>
      async () => {
        site.clock.now += 60_000;
        id = await site.make(as, '/comments', { post: on, content: `Words ${site.clock.now}`, ...more });
      };
    const change = (body: object) => () => site.call('editor', `POST /comments/${id}`, body);
    const editors = (what: string) => ({ ...all(''), editor: what, administrator: what });
    expect(await learnt(say('editor', host))).toEqual(all('created'));
    expect(await learnt(change({ content: 'Other' }))).toEqual(all('changed'));
    expect(await learnt(change({ author_ip: '192.0.2.77' }))).toEqual(editors('changed'));
    expect(await learnt(change({ status: 'spam' }))).toEqual({
      ...all('removed'),
      editor: 'changed',
      administrator: 'changed',
    });
    expect(await learnt(change({ status: 'approve' }))).toEqual({
      ...all('added'),
      editor: 'changed',
      administrator: 'changed',
    });
    expect(await learnt(change({ status: 'trash' }))).toEqual({
      ...all('removed'),
      editor: 'trashed',
      administrator: 'trashed',
    });
    expect(await learnt(() => site.call('editor', `DELETE /comments/${id}?force=true`))).toEqual(editors('deleted'));

    expect(await learnt(say('subscriber', host))).toEqual({ ...editors('created'), subscriber: 'created' });
    expect(await learnt(change({ status: 'approve' }))).toEqual({
      ...all('added'),
      editor: 'changed',
      administrator: 'changed',
      subscriber: 'changed',
    });
    await set(host, { password: 'x' });
    expect(await learnt(change({ content: 'Behind' }))).toEqual({ ...editors('changed'), subscriber: 'changed' });
    await set(host, { password: '' });
    await site.call('editor', `DELETE /posts/${host}`);
    await set(host, { status: 'publish' });
    // It stays in the trash until its status changes.
    expect(await learnt(change({ content: 'Back' }))).toEqual({ ...editors('changed'), subscriber: 'changed' });
    expect(await learnt(change({ status: 'approve' }))).toEqual({
      ...all('added'),
      editor: 'changed',
      administrator: 'changed',
      subscriber: 'changed',
    });

    expect(await learnt(say('editor', hidden))).toEqual(editors('created'));
    expect(await learnt(say('editor', host, { type: 'note' }))).toEqual(editors('created'));
  });

  it('of terms: everything', async () => {
    const learns = await learnt(async () => {
      const id = await site.make('editor', '/categories', { name: 'Kind' });
      await site.call('editor', `POST /categories/${id}`, { description: 'Changed' });
      await site.call('editor', `DELETE /categories/${id}?force=true`);
    });
    expect(learns).toEqual(all('created changed deleted'));
  });

  it('of accounts: profiles of published authors to everybody, other profiles and roles to the user and administrators', async () => {
    const profile = { displayName: 'New', slug: 'new', email: '', url: '', description: '' };
    const change = (id: number) => (session: Parameters<Parameters<typeof site.node.store.submit>[1]>[0]) =>
      session.stage(userStream(id), [{ type: 'UserProfileChanged', data: { id, ...profile, slug: `new-${id}` } }]);
    const published = await learnt(() => site.node.store.submit(admin, change(2)));
    const silent = await learnt(() => site.node.store.submit(admin, change(5)));
    const role = await learnt(() =>
      site.node.store.submit(admin, (session) =>
        session.stage(userStream(2), [{ type: 'UserRoleChanged', data: { id: 2, roles: ['editor'] } }]),
      ),
    );
    expect(published).toEqual(all('changed'));
    expect(silent).toEqual({ ...all(''), subscriber: 'changed', administrator: 'changed' });
    expect(role).toEqual({ ...all(''), editor: 'changed', administrator: 'changed' });
  });

  it('of a deleted account: the user who inherits its posts, and each post that one may read', async () => {
    const author = await site.make('administrator', '/users', {
      ...{ username: 'leaving', email: 'leaving@example.org', password: 'x', roles: ['author'] },
    });
    const id = await site.make('editor', '/posts', { title: 'Left', status: 'publish', author });
    const own = await site.make('editor', '/posts', { title: 'Own', status: 'draft', author });
    const told = async (as: As, start: number) =>
      (await poll(as, `since=${start}`)).body.commits.flatMap(({ changes }: Told) => changes);
    const start = site.position();
    await site.call('administrator', `DELETE /users/${author}?force=true&reassign=4`);
    expect(await told('anonymous', start)).toEqual([
      { resource: 'users', id: author, what: 'deleted', heir: 4 },
      { resource: 'posts', id, what: 'changed', link: 'http://site.example/left/' },
    ]);
    const then = site.position();
    await set(id, { title: 'Kept' });
    await set(own, { title: 'Kept too' });
    // Contributor 4 is now the author of both.
    expect((await told('contributor', then)).map(({ what }: { what: string }) => what)).toEqual(['changed', 'changed']);
    expect(await told('anonymous', then)).toHaveLength(1);
    await site.call('editor', `PUT /posts/${id}`, { author: 2 });
    await site.call('editor', `DELETE /posts/${own}?force=true`);
  });

  it('contain links to readable entries only, and never content', async () => {
    const start = site.position();
    const id = await post('Very secret title', 'publish');
    await set(id, { status: 'draft', content: 'Very secret text', password: 'opensesame' });
    const { text } = await poll('anonymous', `since=${start}`);
    expect(JSON.parse(text).commits.map(({ changes }: Told) => changes)).toEqual([
      [{ resource: 'posts', id, what: 'published' }],
      [{ resource: 'posts', id, what: 'removed' }],
    ]);
    expect(text).not.toMatch(/secret|sesame/i);
    expect((await poll('editor', `since=${start}`)).text).not.toMatch(/Very secret|sesame/);
  });

  it('end when the rights of the connection change', async () => {
    const listener = await follow('author');
    const change = (role: 'author' | 'subscriber') =>
      site.node.store.submit(admin, (session) =>
        session.stage(userStream(3), [{ type: 'UserRoleChanged', data: { id: 3, roles: [role] } }]),
      );
    await change('subscriber');
    await listener.end();
    expect(listener.messages).toEqual([]);
    await change('author');
  });
});

describe('the feed as JSON', () => {
  it('returns the commits up to the limit, and the position to continue from', async () => {
    const start = site.position();
    const ids = [await post('A', 'publish'), await post('B', 'publish'), await post('C', 'publish')];
    const first = await poll('anonymous', `since=${start}&limit=2`);
    const rest = await poll('anonymous', `since=${first.body.position}&limit=2`);
    expect([first, rest].map(({ body }) => body.commits.map(({ changes }: Told) => changes[0]?.id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ]);
    expect(rest.body.position).toBe(site.position());
    expect(await poll('anonymous', `since=${site.position()}`)).toMatchObject({
      status: 200,
      body: { position: site.position(), commits: [] },
    });
    expect((await poll('anonymous', '')).body).toEqual({ position: site.position(), commits: [] });
  });

  it('waits for the first commit that the viewer may see', async () => {
    const start = site.position();
    const waiting = poll('anonymous', `since=${start}&wait=30`);
    await post('Not for everybody', 'draft');
    const id = await post('For everybody', 'publish');
    const { body } = await waiting;
    expect(body.commits.map(({ changes }: Told) => changes.map((change) => change.id))).toEqual([[id]]);
    expect(body.position).toBe(site.position());
  });

  it('returns no commits after the wait, but a later position', async () => {
    const start = site.position();
    const waiting = poll('anonymous', `since=${start}&wait=1`);
    await post('Not for everybody', 'draft');
    expect((await waiting).body).toEqual({ position: site.position(), commits: [] });
  });

  it.each(['since=-1', 'since=x', 'wait=31', 'wait=-1', 'limit=0', 'limit=101'])('refuses %s', async (query) => {
    expect(await poll('anonymous', query)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  it('refuses positions beyond the end of the log and malformed ones', async () => {
    const beyond = await poll('anonymous', `since=${site.position() + 1}`);
    expect(beyond).toMatchObject({ status: 400, body: { code: 'rest_invalid_position' } });
    const none = await listen({ port: site.port, headers: { 'Last-Event-ID': 'x' } });
    expect(none.status).toBe(400);
    none.drop();
  });

  it('is not cacheable', async () => {
    expect((await poll('anonymous', '')).headers.get('cache-control')).toContain('no-store');
  });

  it('is described by OPTIONS, although the index does not list it', async () => {
    const index = await site.call('anonymous', 'GET /cms-json/cms/v2');
    expect(Object.keys(index.body.routes)).not.toContain('/cms/v2/changes');
    const options = await site.call('anonymous', 'OPTIONS /changes');
    expect(Object.keys(options.body.endpoints[0].args)).toEqual(['since', 'wait', 'limit']);
  });
});

describe('a connection to the feed', () => {
  it('is kept alive by a heartbeat, whose position advances past commits hidden from the viewer', async () => {
    const { port } = await otherServer({ heartbeat: 20 });
    const listener = await follow('anonymous', { port });
    await post('Not for everybody', 'draft');
    await listener.reaches(site.position());
    const { comments } = listener;
    await listener.until(() => listener.comments > comments + 2);
    expect(Number(listener.lastId)).toBe(site.position());
    expect(listener.messages).toEqual([]);
  });

  it('is continued by a client that takes ids from events with data only, also if it was told of no commit before', async () => {
    const own = await startSite();
    const heard: string[] = [];
    const source = new EventSource('http://site.example/cms-json/cms/v2/changes', {
      fetch: (url, init) => fetch(String(url).replace('http://site.example', `http://127.0.0.1:${own.port}`), init),
    });
    source.addEventListener('commit', ({ data }) => heard.push(data));
    await eventually(() => expect(source.readyState).toBe(EventSource.OPEN));
    await own.restart();
    await own.make('editor', '/posts', { title: 'While nobody was connected', status: 'publish' });
    await eventually(() => expect(heard.join()).toContain('while-nobody-was-connected'));
    source.close();
    await own.close();
  });

  it('of a client that stops reading uses bounded memory, and catches up afterwards', async () => {
    const { app, port } = await otherServer({});
    const sockets: Socket[] = [];
    app.server.on('connection', (socket) => sockets.push(socket));
    const listener = await follow('anonymous', { port });
    listener.stall();
    const change = longCommits(site);
    const commits = 300;
    const ends: number[] = [];
    let max = 0;
    for (let i = 0; i < commits; i += 1) {
      await site.node.store.submit(admin, change);
      ends.push(site.position());
      max = Math.max(max, ...sockets.map(({ writableLength }) => writableLength));
    }
    expect(max).toBeLessThan(1_000_000);
    expect(listener.messages.length).toBeLessThan(commits / 2);
    listener.goOn();
    await listener.reaches(site.position());
    expect(told(listener).map(({ position }) => position)).toEqual(ends);
  });

  it('tells clients beyond the connection limits to come back later, in a stream that ends, and takes them when one has closed', async () => {
    const { port } = await otherServer({ seating: { all: 2, anonymous: 1, each: 2 } });
    const isTaken = async (headers = {}) => {
      const asked = await listen({ port, headers });
      expect([asked.status, asked.type]).toEqual([200, 'text/event-stream']);
      const isFollowing = await asked
        .until(() => asked.lastId !== '')
        .then(
          () => true,
          () => false,
        );
      if (!isFollowing) expect([asked.retry, asked.messages]).toEqual([5000, []]);
      asked.drop();
      return isFollowing;
    };
    const first = await follow('anonymous', { port });
    expect(await isTaken()).toBe(false);
    await follow('editor', { port });
    expect(await isTaken({ authorization: site.authorization('author') })).toBe(false);
    first.drop();
    await expect.poll(() => isTaken()).toBe(true);
  });

  it('tells a client to come back later whose position another node has and this one has not', async () => {
    const headers = { 'last-event-id': String(site.position() + 1000) };
    const early = await listen({ port: site.port, headers });
    await early.end();
    expect([early.status, early.type, early.retry, early.lastId]).toEqual([200, 'text/event-stream', 5000, '']);
    expect((await poll('anonymous', `since=${site.position() + 1000}`)).status).toBe(400);
  });

  it('frees its place when the client disconnects during a long poll', async () => {
    const { app, port } = await otherServer({ seating: { all: 1, anonymous: 1, each: 1 } });
    const url = `http://127.0.0.1:${port}/cms-json/cms/v2/changes?wait=30`;
    const client = new AbortController();
    const arrived = once(app.server, 'request');
    const waiting = fetch(url, { signal: client.signal });
    await arrived;
    expect((await fetch(url)).status).toBe(503);
    client.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(async () => (await fetch(url.replace('wait=30', 'wait=0'))).status).toBe(200);
  });

  it('ends when the server stops', async () => {
    const { app, port } = await otherServer({});
    const stream = await follow('anonymous', { port });
    const arrived = once(app.server, 'request');
    const asked = fetch(`http://127.0.0.1:${port}/cms-json/cms/v2/changes?wait=30`).then((answer) => answer.json());
    await arrived;
    await app.close();
    await stream.end();
    expect(await asked).toEqual({ position: site.position(), commits: [] });
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#config.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { BASE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

vi.hoisted(() => {
  process.env['PLUGINS'] = './test/support/polls';
});

const root = '/cms-json/polls/v1/polls';
const limited = {
  PLUGIN_SETTINGS: JSON.stringify({ polls: { limit: 1 } }),
  POLLS_SECRET: 'sixteen letters!',
};
let site: Site;
beforeAll(async () => {
  const body = Buffer.from('fetched');
  const get: Outgoing['get'] = async (address) => ({ ok: true, url: new URL(address), status: 200, type: '', body });
  site = await startSite({ env: limited, outgoing: { get } });
});
afterAll(() => site.close());

const vote = (choice: unknown, headers = {}) =>
  site.call('subscriber', `POST ${root}/tea/votes`, { choice }, { headers });

describe('a plugin', () => {
  it('checks parameters with its own function, and keeps them out of the index', async () => {
    const { body } = await vote(7);
    expect(body).toMatchObject({ code: 'rest_invalid_param', data: { params: { choice: 'choice is not a text.' } } });
    const index = await site.call('anonymous', 'GET /cms-json/');
    expect(Object.keys(index.body.routes[`/polls/v1/polls/(?P<id>[a-z]+)/votes`].endpoints[0].args)).toEqual(['id']);
  });

  it('replies with a status and headers, as its settings say', async () => {
    expect(await vote('<green>')).toMatchObject({ status: 201, body: { votes: 1 } });
    const full = await vote('black');
    const isFull = full.headers.get('x-full');
    expect([full.status, isFull]).toEqual([202, 'yes']);
    expect(full.body).toEqual({ votes: 1 });
  });

  it('has settings that the server checks at the start', () => {
    const wrong = { DATA_DIR: '/x', PLUGIN_SETTINGS: '{"polls": {"limit": 0}}' };
    expect(() => readConfig(wrong)).toThrow('PLUGIN_SETTINGS');
  });

  it('knows the caller, its secret and the site on a route that the index does not list', async () => {
    const { body } = await site.call('administrator', 'GET /cms-json/polls/v1/about');
    expect(body).toMatchObject({
      isAdmin: true,
      now: site.clock.now,
      secret: 'sixteen letters!',
      version: '6.8',
      tokens: 0,
    });
    expect(body).toMatchObject({ theme: 'plain', url: BASE.replace('/cms/v2', ''), own: BASE });
    expect(body.plugins).toEqual(expect.arrayContaining(['analytics', 'polls']));
    const others = await site.call('editor', 'GET /cms-json/polls/v1/about');
    expect(others.body).toMatchObject({ isAdmin: false });
    const index = await site.call('anonymous', 'GET /cms-json/');
    expect(index.body.routes).not.toHaveProperty('/polls/v1/about');
    const { body: listed } = await site.call('administrator', 'GET /cms-json/cms/v2/plugins?search=polls');
    expect(listed).toMatchObject([{ plugin: 'polls/polls', name: 'Polls', status: 'active' }]);
  });

  it('begins something with the first request that shows it, and then only reads', async () => {
    const show = () => site.call('anonymous', `GET ${root}/tea`);
    expect((await show()).body).toEqual({ open: true, steps: 0 });
    const position = site.position();
    expect((await show()).body).toEqual({ open: true, steps: 0 });
    expect(site.position()).toBe(position);
  });

  it('reacts to events of the server in the same commit, with the site before and after them', async () => {
    const before = site.position();
    await site.make('editor', '/posts', { title: 'P', status: 'publish' });
    const [last] = [...site.node.log.read({ stream: 'plugin-polls.polls', direction: 'backwards', limit: 1 })];
    const [created] = [...site.node.log.read({ from: before + 1, limit: 1 })];
    expect(last?.data).toBe('{"poll":"after-1-post"}');
    expect(last?.correlationId).toBe(created?.correlationId);
  });

  it('has a page for administrators, whose texts are escaped', async () => {
    const page = async (path: string) => {
      const headers = { authorization: site.authorization('administrator') };
      return (await fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, { headers })).text();
    };
    expect(await page('')).toContain('<li><a href="polls-all">All polls</a></li>');
    const shown = await page('polls-all');
    expect(shown).toContain('<p>after-1-post, tea</p>');
    expect(shown).toMatch(/<li><time datetime="[^"]+" title="[^"]+">[^<]+<\/time> &lt;green&gt;<\/li>/);
    await site.rebuild();
    expect(await page('polls-all')).toBe(shown);
  });

  it('lists users, published entries with their texts, and public media', async () => {
    const about = async () => (await site.call('anonymous', 'GET /cms-json/polls/v1/about')).body;
    expect(await about()).toMatchObject({ tagged: 0, media: [], users: expect.arrayContaining(['editor']) });
    const tag = await site.make('editor', '/tags', { name: 'Tea' });
    await site.make('editor', '/posts', { title: 'D', content: 'd', status: 'draft' });
    const post = { title: 'T & C', content: '<p>Some <b>words</b></p>', excerpt: 'e', tags: [tag], status: 'publish' };
    await site.make('editor', '/posts', post);
    await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) });
    const texts = { content: post.content, excerpt: 'e' };
    expect(await about()).toMatchObject({ tagged: 1, media: ['image/png'] });
    expect((await about()).posts).toEqual([[texts, { title: 'T & C', content: 'Some words' }]]);
    expect(await about()).toMatchObject({ titles: ['e'], pictures: [expect.stringContaining('/a.png')] });
  });

  it('styles pages, but only their blocks', async () => {
    const page = await (await fetch(`http://127.0.0.1:${site.port}/t-c/`)).text();
    expect(page).toContain('@media (max-width: 300px) { :is(body > header, body > footer) nav { --isOpen: 1; } }');
    expect(page).toContain('.content b { font-weight: 400; }');
  });

  it('has pages that only their address opens, and answers that are not JSON', async () => {
    const { body: secret } = await site.call('administrator', 'POST /cms-json/polls/v1/secret');
    const open = (path: string) => fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
    expect((await open(`/polls/${secret}`)).headers.get('location')).toMatch(new RegExp(`/polls/${secret}/$`));
    const page = await open(`/polls/${secret}/`);
    const about = ['x-robots-tag', 'referrer-policy', 'cache-control'].map((name) => page.headers.get(name));
    expect(about).toEqual(['noindex', 'no-referrer', 'no-store']);
    const html = await page.text();
    expect(html).toMatch(/<h1>Poll of .+ &amp; \d{4}<\/h1>/);
    expect(html).toContain('>0 forms</p>');
    expect((await open(`/polls/${'0'.repeat(64)}/`)).status).toBe(404);
    const badge = await open('/cms-json/polls/v1/badge');
    expect([badge.headers.get('content-type'), await badge.text()]).toEqual([
      'image/svg+xml',
      '<svg><path d="M0 0"/></svg>',
    ]);
  });

  it('cuts images before a commit, with a parameter whose type the index does not list', async () => {
    const bytes = pngOf(40, 30);
    const { body: image } = await uploadBody(site, 'author', { name: 'c.png', type: 'image/png', bytes });
    const cut = (side: unknown, id = image.id) => site.call('author', `POST /cms-json/polls/v1/images/${id}`, { side });
    const { body } = await cut('8');
    expect(body).toEqual({ url: expect.stringMatching(/c-8x8\.png$/), may: [true, false] });
    expect((await fetch(body.url.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${site.port}`))).status).toBe(200);
    const position = site.position();
    expect((await cut(8)).body).toEqual(body);
    expect(site.position()).toBe(position);
    expect((await cut(7)).body).toMatchObject({ data: { params: { side: 'side is seven.' } } });
    expect((await cut('x')).status).toBe(400);
    expect((await cut(8, 999)).body).toMatchObject({ code: 'polls_no_image' });
    const index = await site.call('anonymous', 'GET /cms-json/');
    const { side } = index.body.routes['/polls/v1/images/(?P<id>\\d+)'].endpoints[0].args;
    expect(side).toEqual({ required: true });
  });

  it('switches themes and the shop, once', async () => {
    const change = () => site.call('administrator', 'POST /cms-json/polls/v1/theme', { fonts: ['Lora'] });
    expect((await change()).body).toBe(true);
    const position = site.position();
    expect((await change()).body).toBe(true);
    expect(site.position()).toBe(position);
    const { body } = await site.call('administrator', 'GET /cms-json/polls/v1/about');
    expect(body).toMatchObject({ theme: 'own', themes: 4 });
    expect((await site.call('anonymous', 'GET /cms-json/cms/v2/products')).status).toBe(200);
  });

  it('checks requests itself, keeps them in the log, and remembers something', async () => {
    const send = (body: string, header: string) => {
      const headers = { 'content-type': 'application/json', 'x-poll': header };
      return site.call('editor', 'POST /cms-json/polls/v1/signed', body, { headers });
    };
    const unsigned = await send('{}', 'no');
    expect(unsigned).toMatchObject({ status: 418, body: { code: 'polls_unsigned', data: { status: 418 } } });
    const header = 'POST /polls/v1/signed 2';
    expect((await send('{}', header)).body).toEqual({ seen: 1, staged: true });
    const [kept] = [...site.node.log.read({ direction: 'backwards', limit: 1 })];
    expect([kept?.type, kept?.actor]).toEqual(['RequestAnswered', 0]);
    expect(await send('{}', header)).toMatchObject({ status: 409, body: { code: 'polls_repeated' } });
    expect((await send('[]', header)).body).toEqual({ seen: 2, staged: true });
  });

  it('sees the files of media, addresses, and pages that wait for assets', async () => {
    const { body: image } = await uploadBody(site, 'author', { name: 'b.png', type: 'image/png', bytes: pngOf(4, 4) });
    const files = async (id: number) => (await site.call('anonymous', `GET /cms-json/polls/v1/files/${id}`)).body;
    const { found, ids } = await files(image.id);
    expect(ids).toContain(image.id);
    expect(found).toMatchObject({ type: 'image/png', isPrivate: false, files: [{ url: image.source_url, width: 4 }] });
    const post = await site.make('editor', '/posts', { title: 'Waits', status: 'publish' });
    const about = await files(post);
    expect(about.address).toContain('/waits/');
    expect(about.waiting).toContainEqual({ entry: post, kind: 'vpi', variant: 'mobile' });
  });

  it('does jobs, whose commits are its own', async () => {
    const [job] = site.jobs.filter(({ isDue }) => isDue());
    expect(await job?.work()).toBe(true);
    const [voted] = [...site.node.log.read({ direction: 'backwards', limit: 1 })];
    expect([voted?.type, voted?.actor, voted?.correlationId]).toEqual(['polls.Voted', null, 'polls-closing']);
    expect(voted?.sealed).toBe('{"choice":"fetched 1"}');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BASE, type Site, startSite } from '../../../test/support/site.ts';
import { CmsError, createClient, StaleError } from '../src/index.ts';
import { startProxy } from './proxy.ts';

interface Post {
  readonly id: number;
  readonly title: { readonly rendered: string };
  readonly status: string;
}

let site: Site;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  site = await startSite();
  proxy = await startProxy(() => site.port);
});
beforeEach(() => {
  proxy.seen.length = 0;
  proxy.fates.length = 0;
});
afterAll(async () => {
  proxy.close();
  await site.close();
});

const loginOf = (as: 'administrator' | 'editor') => {
  const [login = '', password = ''] = atob(site.authorization(as).slice('Basic '.length)).split(':');
  return { login, password };
};
const editor = () => createClient(proxy.root, loginOf('editor'));
const nobody = () => createClient(proxy.root);
const failure = (work: Promise<unknown>): Promise<CmsError> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );
const titles = async (search: string) => {
  const { body } = await site.call('editor', `GET /posts?search=${search}&status=any`);
  return body.map(({ title }: Post) => title.rendered);
};

describe('a request', () => {
  it('writes as a user, reads with parameters of all kinds, and tells totals, positions and tags', async () => {
    const cms = editor();
    const made = await cms.post('/cms/v2/posts', { body: { title: 'Of a client', status: 'publish' } });
    const { id } = made.data as Post;
    expect(made).toMatchObject({ status: 201, position: site.position(), etag: null });
    const found = await nobody().get('/cms/v2/posts', {
      query: { include: [id], _fields: ['id', 'title'], search: undefined, categories: { terms: [1], operator: 'OR' } },
    });
    expect(found).toMatchObject({ data: [{ id, title: { rendered: 'Of a client' } }], total: 1 });
    expect(Object.keys((found.data as Post[])[0] ?? {}).filter((name) => !name.startsWith('_'))).toEqual([
      'id',
      'title',
    ]);
    expect(found.headers.get('X-CMS-Ignored')).toBeNull();
    const read = await cms.get('/cms/v2/posts/{id}', { path: { id } });
    expect(read.etag).toMatch(/^"/);
    const part = await cms.get('/cms/v2/templates/{id}', { path: { id: 'a//b c' } }).catch((error) => error);
    expect(part).toMatchObject({ code: expect.stringMatching(/^rest_/), status: expect.any(Number) });
    expect(proxy.seen.at(-1)?.url).toBe('/cms-json/cms/v2/templates/a%2F%2Fb%20c');
    expect((await failure(cms.get('/cms/v2/posts/{id}'))).message).toBe('/cms/v2/posts/{id} needs path.id.');
  });

  it('is refused with one kind of error, with code, status, message and the wrong parameters', async () => {
    const wrong = await failure(nobody().get('/cms/v2/posts', { query: { per_page: 1000 } }));
    expect(wrong).toBeInstanceOf(CmsError);
    expect(wrong).toMatchObject({ name: 'CmsError', code: 'rest_invalid_param', status: 400 });
    expect(Object.keys(wrong.params)).toEqual(['per_page']);
    expect(wrong.params['per_page']).toMatch(/per_page/);
    expect(await failure(nobody().post('/cms/v2/posts', { body: { title: 'x' } }))).toMatchObject({
      status: 401,
      params: {},
    });
    const elsewhere = await failure(createClient(`http://127.0.0.1:${site.port}/no`).get('/cms/v2/posts'));
    expect(elsewhere).toMatchObject({ code: 'not_the_interface', status: 404 });
  });

  it('fails where wrong credentials would be answered as nobody is', async () => {
    const cms = createClient(proxy.root, { login: 'editor', password: 'wrong' });
    expect(await failure(cms.get('/cms/v2/posts'))).toMatchObject({ code: 'login_failed', status: 401 });
    const feed = await failure(cms.changes({ since: 0 }).next());
    expect(feed).toMatchObject({ code: 'login_failed' });
  });

  it('is made with a token', async () => {
    const assistant = '/cms-json/host-ai-assistant/v1';
    await site.call('administrator', `POST ${assistant}/toggle-mcp-plugin`, { action: 'setup' });
    const { body } = await site.call('editor', `POST ${assistant}/tokens`, { name: 'client' });
    const { token } = body;
    const { data } = await createClient(proxy.root, { token }).post('/cms/v2/posts', { body: { title: 'By a token' } });
    expect(data).toMatchObject({ status: 'draft', title: { raw: 'By a token' } });
    expect(proxy.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it('uploads a form and bytes', async () => {
    const text = new Blob(['Words of a file'], { type: 'text/plain' });
    const form = new FormData();
    form.set('title', 'In a form');
    form.set('file', text, 'form.txt');
    proxy.fates.push('lost');
    const { data } = await editor().post('/cms/v2/media', { body: form });
    expect(data).toMatchObject({ title: { raw: 'In a form' }, mime_type: 'text/plain' });
    const headers = { 'Content-Disposition': 'attachment; filename="bytes.txt"' };
    const bytes = await editor().post('/cms/v2/media', { body: text, headers });
    expect(bytes.data).toMatchObject({ mime_type: 'text/plain' });
    expect((await site.call('editor', 'GET /media')).headers.get('x-cms-total')).toBe('2');
  });
});

describe('If-Match', () => {
  it('writes what was read, and fails with an error of its own if that has changed since', async () => {
    const cms = editor();
    const id = await site.make('editor', '/posts', { title: 'Read', status: 'publish' });
    const read = await cms.get('/cms/v2/posts/{id}', { path: { id }, query: { context: 'edit' } });
    const change = (title: string) => cms.patch('/cms/v2/posts/{id}', { path: { id }, body: { title }, ifMatch: read });
    expect((await change('Mine')).data).toMatchObject({ title: { raw: 'Mine' } });
    const stale = await failure(change('Again'));
    expect(stale).toBeInstanceOf(StaleError);
    expect(stale).toBeInstanceOf(CmsError);
    expect(stale).toMatchObject({ name: 'StaleError', code: 'rest_precondition_failed', status: 412 });
    expect((await site.call('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('Mine');
    const written = await cms.patch('/cms/v2/posts/{id}', { path: { id }, body: {} });
    const untagged = cms.patch('/cms/v2/posts/{id}', { path: { id }, body: { title: 'Blind' }, ifMatch: written });
    expect(await failure(untagged)).toBeInstanceOf(TypeError);
    expect(await titles('Blind')).toEqual([]);
  });

  it('is kept by a write that is repeated because its answer was lost', async () => {
    const cms = editor();
    const id = await site.make('editor', '/posts', { title: 'Lost', status: 'publish' });
    const read = await cms.get('/cms/v2/posts/{id}', { path: { id } });
    proxy.fates.push('lost');
    const written = await cms.put('/cms/v2/posts/{id}', { path: { id }, body: { title: 'Kept' }, ifMatch: read });
    expect([written.status, written.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });
});

describe('a lost answer', () => {
  it.each(['lost', 'broken off'] as const)('is asked for again, and written once: %s', async (fate) => {
    const title = `Once${fate.length}`;
    proxy.fates.push(fate);
    const { data } = await editor().post('/cms/v2/posts', { body: { title } });
    expect(data).toMatchObject({ title: { raw: title } });
    expect(await titles(title)).toEqual([title]);
    const keys = proxy.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  it('is not asked for again where that could write twice', async () => {
    const post = await site.make('editor', '/posts', { title: 'Discussed', status: 'publish' });
    const body = { post, content: 'Words', author_name: 'Ann', author_email: 'ann@example.org' };
    proxy.fates.push('lost');
    expect(await failure(nobody().post('/cms/v2/comments', { body }))).toMatchObject({ code: 'no_answer', status: 0 });
    proxy.fates.push('lost');
    const without = editor().post('/cms/v2/posts', { body: { title: 'Keyless' }, idempotencyKey: null });
    expect(await failure(without)).toMatchObject({ code: 'no_answer' });
    expect(proxy.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
    expect(await titles('Keyless')).toEqual(['Keyless']);
  });

  it('is given up after some attempts, or when the signal says so', async () => {
    proxy.fates.push('lost', 'lost', 'lost');
    const impatient = createClient(proxy.root, { retries: 2 });
    expect(await failure(impatient.get('/cms/v2/posts'))).toMatchObject({ code: 'no_answer' });
    expect(proxy.seen).toHaveLength(3);
    proxy.fates.push({ status: 503, headers: { 'Retry-After': '30' } });
    const ended = new AbortController();
    const waiting = failure(nobody().get('/cms/v2/posts', { signal: ended.signal }));
    await expect.poll(() => proxy.seen.length).toBe(4);
    ended.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ message: 'enough' });
    const late = failure(nobody().get('/cms/v2/posts', { signal: ended.signal }));
    expect(await late).toMatchObject({ message: 'enough' });
    expect(proxy.seen).toHaveLength(4);
  });

  it('is a server that is busy: the request waits as long as it says, but not for ever', async () => {
    proxy.fates.push({ status: 429, headers: { 'Retry-After': '0' } });
    proxy.fates.push({ status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } }, { status: 502 });
    const { data } = await editor().post('/cms/v2/posts', { body: { title: 'Patient' } });
    expect(data).toMatchObject({ title: { raw: 'Patient' } });
    expect([proxy.seen.length, await titles('Patient')]).toEqual([4, ['Patient']]);
    proxy.fates.push({ status: 503, headers: { 'Retry-After': '3600' } });
    expect(await failure(nobody().get('/cms/v2/posts'))).toMatchObject({ status: 503 });
  });

  it('does not lose a secret: routes that answer one are asked without a key', async () => {
    const draft = await site.make('editor', '/posts', { title: 'Secret' });
    const { data } = await editor().post('/cms/v2/previews', { body: { item: draft } });
    expect(data).toMatchObject({ token: expect.any(String) });
    expect(proxy.seen.map(({ headers }) => 'idempotency-key' in headers)).toEqual([true, false]);
  });
});

describe('a preview', () => {
  it('shows what is not public, without the account', async () => {
    const id = await site.make('editor', '/posts', { title: 'Soon public' });
    const { token } = (await site.call('editor', 'POST /previews', { item: id })).body;
    const preview = editor().preview(token);
    expect((await preview.get('/cms/v2/posts/{id}', { path: { id } })).data).toMatchObject({
      title: { rendered: 'Soon public' },
    });
    expect(proxy.seen.at(-1)?.headers.authorization).toBeUndefined();
    expect(await failure(nobody().get('/cms/v2/posts/{id}', { path: { id } }))).toMatchObject({ status: 401 });
    const wrong = nobody().preview('wrong').get('/cms/v2/posts/{id}', { path: { id } });
    expect(await failure(wrong)).toBeInstanceOf(CmsError);
  });

  it('of a release goes on from page to page, and its maker writes into the release', async () => {
    const id = await site.make('editor', '/posts', { title: 'Today', status: 'publish' });
    const cms = editor();
    const { id: number } = (await cms.post('/cms/v2/releases', { body: { name: 'Next' } })).data as Post;
    await cms.release(number).patch('/cms/v2/posts/{id}', { path: { id }, body: { title: 'Tomorrow' } });
    const shown = async (from: typeof cms) =>
      ((await from.get('/cms/v2/posts/{id}', { path: { id } })).data as Post).title.rendered;
    expect([await shown(cms), await shown(cms.release(number))]).toEqual(['Today', 'Tomorrow']);
    const { token } = (await cms.post('/cms/v2/previews', { body: { release: number } })).data as { token: string };
    const seen: string[] = [];
    const query = {
      per_page: 1,
      include: [id, await site.make('editor', '/posts', { title: 'x', status: 'publish' })],
    };
    for await (const { data } of nobody().preview(token).pages('/cms/v2/posts', { query }))
      seen.push(...(data as Post[]).map(({ title }) => title.rendered));
    expect(seen.sort()).toEqual(['Tomorrow', 'x']);
  });
});

it('knows the address of the site only as far as it was given', async () => {
  expect(BASE).toMatch(/^http:\/\/site\.example\//);
  await site.make('editor', '/posts', { title: 'One of two', status: 'publish' });
  await site.make('editor', '/posts', { title: 'Two of two', status: 'publish' });
  let pages = 0;
  for await (const { total } of nobody().pages('/cms/v2/posts', { query: { search: 'of two', per_page: 1 } })) {
    pages += 1;
    expect(total).toBe(2);
  }
  expect(pages).toBe(2);
});

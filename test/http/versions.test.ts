import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

describe('the version of an item', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const tagOf = async (id: number, query = '') =>
    (await site.call('editor', `GET /posts/${id}${query}`)).headers.get('etag') ?? '';

  it('in If-Match lets the first of two writes pass and refuses the second', async () => {
    const id = await site.make('editor', '/posts', { title: 'Shared', status: 'publish' });
    const headers = { 'if-match': await tagOf(id, '?context=edit') };
    const first = await site.call('editor', `PUT /posts/${id}`, { title: 'First' }, { headers });
    const second = await site.call('editor', `PUT /posts/${id}`, { title: 'Second' }, { headers });
    expect([first.status, second.status, second.body.code]).toEqual([200, 412, 'rest_precondition_failed']);
    expect((await site.call('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('First');
  });

  it('is in a refusal, with which the write can be sent again; what is no tag is told apart', async () => {
    const id = await site.make('editor', '/posts', { title: 'Twice', status: 'publish' });
    const write = (tag: string) =>
      site.call('editor', `PUT /posts/${id}`, { title: 'New' }, { headers: { 'if-match': tag } });
    const [old, broken] = [await write('"of-yesterday.1"'), await write('yesterday')];
    expect([old.status, broken.status]).toEqual([412, 412]);
    expect(old.body.message).toContain('changed meanwhile');
    expect(broken.body.message).toContain('If-Match has no entity tag');
    expect((await write(old.body.data.etag)).status).toBe(200);
    expect((await write(old.body.data.etag)).status).toBe(412);
  });

  it('is the same in every context, and is updated by writes', async () => {
    const id = await site.make('editor', '/posts', { title: 'Contexts', status: 'publish' });
    const headers = { 'if-match': await tagOf(id, '?context=embed&_fields=id') };
    const saved = await site.call('editor', `PUT /posts/${id}`, { title: 'Saved' }, { headers });
    expect(saved.status).toBe(200);
    const next = { 'if-match': saved.headers.get('etag') ?? (await tagOf(id)) };
    expect((await site.call('editor', `DELETE /posts/${id}`, undefined, { headers: next })).status).toBe(200);
  });

  it('in If-Match: * does not create missing items', async () => {
    const headers = { 'if-match': '*' };
    expect((await site.call('editor', 'PUT /posts/987654321', { title: 'x' }, { headers })).status).toBe(404);
  });

  it('in If-None-Match makes an unchanged item a 304', async () => {
    const id = await site.make('editor', '/posts', { title: 'Again', status: 'publish' });
    const headers = { 'if-none-match': await tagOf(id) };
    const again = await site.call('editor', `GET /posts/${id}`, undefined, { headers });
    expect([again.status, again.body]).toEqual([304, null]);
    await site.call('editor', `PUT /posts/${id}`, { title: 'Other' });
    expect((await site.call('editor', `GET /posts/${id}`, undefined, { headers })).status).toBe(200);
  });

  it('in If-None-Match does not match when related data in the answer changed', async () => {
    const term = await site.make('editor', '/categories', { name: 'Old name' });
    const id = await site.make('editor', '/posts', { title: 'Classified', status: 'publish', categories: [term] });
    const headers = { 'if-none-match': await tagOf(id) };
    await site.call('editor', `PUT /categories/${term}`, { slug: 'new-slug' });
    const { status, body } = await site.call('editor', `GET /posts/${id}`, undefined, { headers });
    expect(status).toBe(200);
    expect(body.class_list).toContain('category-new-slug');
  });
});

describe('a past state of an item', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('is shown by position and by time, with the links and terms of then', async () => {
    const term = await site.make('editor', '/categories', { name: 'Then' });
    const parent = await site.make('editor', '/pages', { title: 'Old parent', status: 'publish' });
    const id = await site.make('editor', '/pages', { title: 'Old', status: 'publish', parent });
    const post = await site.make('editor', '/posts', { title: 'Post', status: 'publish', categories: [term] });
    const then = await site.call('editor', `GET /pages/${id}?context=view`);
    const postThen = await site.call('editor', `GET /posts/${post}`);
    const position = site.position();
    const time = new Date(site.clock.now).toISOString();

    site.clock.now += 60_000;
    await site.call('editor', `PUT /pages/${parent}`, { slug: 'new-parent' });
    await site.call('editor', `PUT /pages/${id}`, { title: 'New', content: 'More' });
    await site.call('editor', `DELETE /categories/${term}?force=true`);

    for (const asOf of [String(position), time]) {
      const { status, body } = await site.call('editor', `GET /pages/${id}?as_of=${encodeURIComponent(asOf)}`);
      expect([status, body]).toEqual([200, then.body]);
      expect((await site.call('editor', `GET /posts/${post}?as_of=${encodeURIComponent(asOf)}`)).body).toEqual(
        postThen.body,
      );
    }
    expect((await site.call('editor', `GET /pages/${id}`)).body.title.rendered).toBe('New');
  });

  it('exists for deleted items, but not before their creation', async () => {
    const before = site.position();
    const id = await site.make('author', '/posts', { title: 'Short life', status: 'publish' });
    const position = site.position();
    await site.call('author', `DELETE /posts/${id}?force=true`);
    expect((await site.call('editor', `GET /posts/${id}?as_of=${position}`)).body.title.rendered).toBe('Short life');
    expect((await site.call('editor', `GET /posts/${id}?as_of=${before}`)).status).toBe(404);
    expect((await site.call('author', `GET /posts/${id}?as_of=${position}`)).status).toBe(403);
  });

  it('is limited to those who may edit the item', async () => {
    const id = await site.make('author', '/posts', { title: 'Public', status: 'publish' });
    const position = site.position();
    const asked = async (as: 'anonymous' | 'contributor' | 'author') =>
      (await site.call(as, `GET /posts/${id}?as_of=${position}`)).status;
    expect([await asked('anonymous'), await asked('contributor'), await asked('author')]).toEqual([401, 403, 200]);
  });

  it.each(['tomorrow', '-1', '999999999', '1e3', ''])('is refused for "%s"', async (asOf) => {
    const id = await site.make('editor', '/posts', { title: 'x', status: 'publish' });
    const { status, body } = await site.call('editor', `GET /posts/${id}?as_of=${asOf}`);
    expect([status, body.code]).toEqual([400, 'rest_invalid_as_of']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const text = '<!-- wp:paragraph -->\n<p>Words</p>\n<!-- /wp:paragraph -->';
const make = (as: As, more: object = {}) =>
  site.make(as, '/blocks', { title: 'Pattern', content: text, status: 'publish', ...more });
const get = async (as: As, path: string) => (await site.call(as, `GET ${path}`)).body;
const status = async (as: As, id: number) => (await site.call(as, `GET /blocks/${id}`)).status;
const makeTerm = async (name: string): Promise<number> =>
  (await site.call('editor', 'POST /wp_pattern_category', { name })).body.id;

describe('patterns', () => {
  it('are shown raw to those who may write posts', async () => {
    const id = await make('editor');
    const seen = await get('contributor', `/blocks/${id}`);
    expect(seen.title).toEqual({ raw: 'Pattern' });
    expect(seen.content).toEqual({ raw: text, protected: false });
    expect(seen).not.toHaveProperty('author');
    expect((await get('contributor', `/blocks/${id}?context=embed`)).title).toEqual({});
    expect(refusal(await site.call('subscriber', `GET /blocks/${id}`))).toEqual([403, 'rest_forbidden']);
    const listed = await site.call('anonymous', 'GET /blocks');
    expect([listed.body, Number(listed.headers.get('x-cms-total')) > 0]).toEqual([[], true]);
  });

  it('are accessible to their author alone when they are private', async () => {
    const id = await make('author', { status: 'private' });
    expect(await status('author', id)).toBe(200);
    for (const as of ['editor', 'administrator'] as const) {
      expect(refusal(await site.call(as, `GET /blocks/${id}`))).toEqual([403, 'rest_forbidden']);
      expect(refusal(await site.call(as, `PUT /blocks/${id}`, { title: 'x' }))).toEqual([403, 'rest_cannot_edit']);
      expect(refusal(await site.call(as, `DELETE /blocks/${id}?force=true`))).toEqual([403, 'rest_cannot_delete']);
    }
    expect((await site.call('author', `DELETE /blocks/${id}?force=true`)).status).toBe(200);
  });

  it('show their sync status as a field, which is written as a member of meta', async () => {
    const id = await make('author', { meta: { wp_pattern_sync_status: 'unsynced' } });
    const synced = async () => (await get('author', `/blocks/${id}`)).wp_pattern_sync_status;
    const put = (body: object) => site.call('author', `PUT /blocks/${id}`, body);
    expect(await synced()).toBe('unsynced');
    await put({ wp_pattern_sync_status: 'partial' });
    expect(await synced()).toBe('unsynced');
    const wrongType = await put({ title: 'No', meta: { wp_pattern_sync_status: 5 } });
    expect(wrongType.body).toMatchObject({
      code: 'rest_invalid_type',
      additional_data: [{ param: 'meta.wp_pattern_sync_status' }],
    });
    for (const value of ['nonsense', ''])
      expect(refusal(await put({ title: 'No', meta: { wp_pattern_sync_status: value } }))).toEqual([
        400,
        'rest_not_in_enum',
      ]);
    expect(await get('author', `/blocks/${id}`)).toMatchObject({
      title: { raw: 'Pattern' },
      wp_pattern_sync_status: 'unsynced',
    });
    await put({ meta: { wp_pattern_sync_status: null } });
    expect(await synced()).toBe('');
  });

  it('store nothing when a member of meta is refused', async () => {
    const before = site.position();
    const body = { title: 'Not there', meta: { wp_pattern_sync_status: 'nonsense' } };
    expect(refusal(await site.call('editor', 'POST /blocks', body))).toEqual([400, 'rest_not_in_enum']);
    expect(site.position()).toBe(before);
  });

  it('can have a numeric slug, unlike posts', async () => {
    const named = async (path: string) =>
      (await site.call('editor', `POST ${path}`, { title: '1987', status: 'publish' })).body.slug;
    expect([await named('/blocks'), await named('/posts')]).toEqual(['1987', '1987-2']);
  });

  it('have no page, are in no list of posts, and do not make their author public', async () => {
    const id = await make('author', { title: 'Quagga pattern' });
    const { link } = await get('author', `/blocks/${id}`);
    expect(link).toMatch(/\/quagga-pattern\/$/);
    const page = await fetch(`http://127.0.0.1:${site.port}/quagga-pattern/`);
    expect(page.status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${site.port}/?p=${id}`)).status).toBe(404);
    for (const path of ['/posts', '/pages']) expect(await get('anonymous', `${path}?search=quagga`)).toEqual([]);
    expect((await site.call('anonymous', 'GET /users/3')).status).toBe(401);
  });

  it('have revisions with raw texts in context view', async () => {
    const id = await make('author');
    await site.call('author', `PUT /blocks/${id}`, { content: 'Second' });
    const [revision] = await get('author', `/blocks/${id}/revisions`);
    expect(revision.content).toEqual({ raw: 'Second', rendered: '<p>Second</p>\n' });
    expect(await get('author', `/blocks/${id}/revisions/${revision.id}?context=embed`)).toMatchObject({
      title: { rendered: 'Pattern' },
    });
  });

  it('can be written in a batch, and survive a restart', async () => {
    const kind = await makeTerm('Kept');
    const requests = ['First', 'Second'].map((title) => ({
      path: '/cms/v2/blocks',
      body: { title, status: 'publish', wp_pattern_category: [kind], meta: { wp_pattern_sync_status: 'partial' } },
    }));
    const { body } = await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    expect(body.responses.map((one: { status: number }) => one.status)).toEqual([201, 201]);
    await site.restart();
    const listed = await get('editor', `/blocks?wp_pattern_category=${kind}&orderby=title&order=asc`);
    expect(listed.map((one: { title: object }) => one.title)).toEqual([{ raw: 'First' }, { raw: 'Second' }]);
    expect(listed[0]).toMatchObject({ wp_pattern_sync_status: 'partial', wp_pattern_category: [kind] });
  });
});

describe('pattern categories', () => {
  it('are counted, filtered and deleted like any term', async () => {
    const [one, two] = [await makeTerm('One'), await makeTerm('Two')];
    const id = await make('editor', { wp_pattern_category: [one, two, 1, 987_654] });
    await make('editor', { wp_pattern_category: [two] });
    const count = async (term: number) => (await get('anonymous', `/wp_pattern_category/${term}`)).count;
    const found = async (query: string) =>
      (await get('editor', `/blocks?${query}`)).map((row: { id: number }) => row.id);
    expect((await get('editor', `/blocks/${id}`)).wp_pattern_category).toEqual([one, two]);
    expect([await count(one), await count(two)]).toEqual([1, 2]);
    expect(await found(`wp_pattern_category[terms]=${one},${two}&wp_pattern_category[operator]=AND`)).toEqual([id]);
    const before = site.position();
    await site.call('editor', `DELETE /wp_pattern_category/${one}?force=true`);
    expect((await get('editor', `/blocks/${id}`)).wp_pattern_category).toEqual([two]);
    expect(await found(`wp_pattern_category=${one}`)).toEqual([]);
    expect((await get('editor', `/blocks/${id}?as_of=${before}`)).wp_pattern_category).toEqual([one, two]);
    expect((await get('editor', `/wp_pattern_category/${one}?as_of=${before}`)).count).toBe(1);
    await site.restart();
    expect((await get('editor', `/blocks/${id}`)).wp_pattern_category).toEqual([two]);
    expect(await count(two)).toBe(2);
  });

  it('are separate from the categories of posts', async () => {
    const term = await makeTerm('Of patterns');
    const post = await site.make('editor', '/posts', { title: 'Post', categories: [term], tags: [term] });
    expect(await get('editor', `/posts/${post}?context=edit`)).toMatchObject({ categories: [], tags: [] });
    expect(refusal(await site.call('editor', `GET /wp_pattern_category?post=${post}`))).toEqual([
      403,
      'rest_forbidden_context',
    ]);
    expect((await get('anonymous', `/wp_pattern_category/${term}`)).link).toMatch(
      /\/\?taxonomy=wp_pattern_category&term=of-patterns$/,
    );
    expect((await fetch(`http://127.0.0.1:${site.port}/wp_pattern_category/of-patterns/`)).status).toBe(404);
  });
});

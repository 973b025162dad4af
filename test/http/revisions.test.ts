import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyOn, refusal } from '../support/history.ts';
import { BASE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { get, all, contents, saved } = historyOn(() => site);
const EDITOR = 2;
const links = async (path: string) => (await get('editor', path))._links;

describe.each(['/posts', '/pages'])('revisions of %s', (collection) => {
  it('show the texts of each save, newest first', async () => {
    const path = await saved('editor', collection, 'Version 1', 'Version 2');
    const { headers, body } = await site.call('editor', `GET ${path}/revisions`);
    expect(headers.get('x-cms-total')).toBe('2');
    const [newest, oldest] = body;
    expect(newest).toEqual({
      author: EDITOR,
      date: expect.any(String),
      date_gmt: new Date(site.clock.now).toISOString().slice(0, 19),
      id: oldest.id + 1,
      modified: newest.date,
      modified_gmt: newest.date_gmt,
      parent: Number(path.split('/')[2]),
      slug: `${newest.parent}-revision-v1`,
      guid: { rendered: expect.any(String) },
      title: { rendered: 'Title' },
      content: { rendered: '<p>Version 2</p>\n' },
      excerpt: { rendered: '' },
      meta: { footnotes: '' },
      _links: { parent: [{ href: BASE + path }] },
    });
    expect(await contents(path)).toEqual(['Version 2', 'Version 1']);
    expect(await get('editor', `${path}/revisions/${oldest.id}`)).toEqual(oldest);
  });

  it('are linked by their item', async () => {
    const path = await saved('editor', collection, 'Version 1', 'Version 2');
    const [newest] = await all(path);
    expect(await links(path)).toMatchObject({
      'version-history': [{ count: 2, href: `${BASE}${path}/revisions` }],
      'predecessor-version': [{ id: newest?.id, href: `${BASE}${path}/revisions/${newest?.id}` }],
    });
  });

  it('are deleted with their item', async () => {
    const path = await saved('editor', collection, 'Version 1');
    const [only] = await all(path);
    await site.call('editor', `DELETE ${path}?force=true`);
    expect(refusal(await site.call('editor', `GET ${path}/revisions/${only?.id}`))).toEqual([
      404,
      'rest_post_invalid_parent',
    ]);
  });

  it('are described by OPTIONS', async () => {
    const path = await saved('editor', collection, 'Version 1');
    const { body } = await site.call('anonymous', `OPTIONS ${path}/revisions`);
    const shown = Object.keys((await all(path))[0] ?? {}).filter((name) => name !== '_links');
    expect(Object.keys(body.schema.properties).sort()).toEqual(shown.sort());
  });
});

describe('a save', () => {
  it('is compared with the last revision of the same commit', async () => {
    const path = await saved('author', '/posts', 'Before');
    const put = (body: unknown) => ({ method: 'PUT', path: `/cms/v2${path}`, body });
    const requests = [put({ content: 'Refused', meta: { footnotes: 5 } }), put({ content: 'New' }), put({})];
    const { body } = await site.call('author', 'POST /cms-json/batch/v1', { requests });
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([400, 200, 200]);
    expect(await contents(path)).toEqual(['New', 'Before']);
  });

  it('is compared with the last revision among concurrent saves', async () => {
    const paths = [await saved('author', '/posts', 'One'), await saved('author', '/posts', 'Two')];
    const bodies = [{ content: 'New' }, { content: 'New ' }, {}];
    await Promise.all(bodies.flatMap((body) => paths.map((path) => site.call('author', `PUT ${path}`, body))));
    for (const path of paths) expect(await contents(path)).toHaveLength(2);
  });
});

describe('a collection of revisions', () => {
  it('is filtered and sorted like any other', async () => {
    const path = await saved('author', '/posts', 'Pear', 'apple pie', 'Äpfel', 'pie');
    await site.call('author', `PUT ${path}`, { title: 'A first title', excerpt: 'apple' });
    const [e, d, c, b, a] = (await all(path)).map(({ id }) => id);
    const ids = async (query: string) => (await all(path, query)).map(({ id }) => id);
    expect(await ids('&order=asc')).toEqual([a, b, c, d, e]);
    expect(await ids(`&orderby=id&order=asc&exclude=${c}`)).toEqual([a, b, d, e]);
    expect(await ids(`&include=${b},${d}&exclude=${b}`)).toEqual([d, b]);
    expect(await ids(`&orderby=include&include=${b},${e},${a}`)).toEqual([b, e, a]);
    expect(await ids('&include=0')).toEqual([]);
    expect(await ids('&search=apple')).toEqual([e, b]);
    expect(await ids('&search=%22apple%20pie%22')).toEqual([b]);
    expect(await ids('&search=pie%20-apple')).toEqual([d]);
    expect(await ids('&search=first&orderby=relevance')).toEqual([e]);
    expect(await ids('&orderby=title&order=asc')).toEqual([e, a, b, c, d]);
    expect(await ids('&orderby=include_slugs')).toEqual([a, b, c, d, e]);
  });

  it('is paged only with per_page', async () => {
    const path = await saved('author', '/posts', '1', '2', '3');
    expect(await contents(path, '&per_page=2&page=2')).toEqual(['1']);
    expect(await contents(path, '&per_page=2&offset=1&page=7')).toEqual(['2', '1']);
    expect(await contents(path, '&per_page=2&offset=-1')).toEqual(['2', '1']);
    expect(await contents(path, '&offset=2')).toEqual(['3', '2', '1']);
    for (const [query, refused] of [
      ['page=2', 'rest_revision_invalid_page_number'],
      ['per_page=2&page=3', 'rest_revision_invalid_page_number'],
      ['per_page=2&offset=3', 'rest_revision_invalid_offset_number'],
      ['offset=3', 'rest_revision_invalid_offset_number'],
      ['orderby=relevance', 'rest_no_search_term_defined'],
      ['orderby=include', 'rest_orderby_include_missing_include'],
      ['per_page=0', 'rest_invalid_param'],
    ])
      expect(refusal(await site.call('author', `GET ${path}/revisions?${query}`))).toEqual([400, refused]);
  });

  it('is empty without revisions, on any page', async () => {
    const path = `/posts/${await site.make('author', '/posts', { title: 'New' })}`;
    const { status, headers, body } = await site.call('author', `GET ${path}/revisions?page=2&offset=5`);
    expect([status, headers.get('x-cms-total'), headers.get('x-cms-totalpages'), body]).toEqual([200, '0', '0', []]);
  });

  it('is limited to those who may edit the item, checked before the revision id', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    for (const [as, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
      ['contributor', 403],
    ] as const) {
      for (const place of ['', '/987654321'])
        expect(refusal(await site.call(as, `GET ${path}/revisions${place}`))).toEqual([status, 'rest_cannot_read']);
    }
    expect((await site.call('author', `GET ${path}/revisions`)).status).toBe(200);
  });

  it('answers 304 until there is another revision', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const first = await site.call('author', `GET ${path}/revisions`);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await site.call('author', `GET ${path}/revisions`, undefined, { headers })).status).toBe(304);
    await site.call('author', `PUT ${path}`, { content: 'Version 2' });
    expect((await site.call('author', `GET ${path}/revisions`, undefined, { headers })).body).toHaveLength(2);
  });
});

describe('deleting a revision', () => {
  it('requires force', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const [only] = await all(path);
    const before = site.position();
    const refused = await site.call('author', `DELETE ${path}/revisions/${only?.id}`);
    expect(refusal(refused)).toEqual([501, 'rest_trash_not_supported']);
    expect([refused.headers.get('allow'), site.position()]).toEqual(['GET', before]);
  });

  it('returns the deleted revision, and 404 afterwards', async () => {
    const path = await saved('author', '/posts', 'Version 1', 'Version 2');
    const [newest, oldest] = await get('author', `${path}/revisions`);
    const { status, body } = await site.call('author', `DELETE ${path}/revisions/${newest.id}?force=true`);
    const { _links, ...previous } = newest;
    expect([status, body]).toEqual([200, { deleted: true, previous }]);
    for (const method of ['GET', 'DELETE'])
      expect(refusal(await site.call('author', `${method} ${path}/revisions/${newest.id}?force=true`))).toEqual([
        404,
        'rest_post_invalid_id',
      ]);
    expect(await links(path)).toMatchObject({
      'version-history': [{ count: 1 }],
      'predecessor-version': [{ id: oldest.id }],
    });
  });

  it('leaves the item unchanged; deleting the last one leaves no predecessor', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const before = await get('author', `${path}?context=edit`);
    const [only] = await all(path);
    await site.call('author', `DELETE ${path}/revisions/${only?.id}?force=true`);
    const { _links, ...after } = await get('author', `${path}?context=edit`);
    expect(after).toEqual({ ...before, _links: undefined });
    expect(_links).not.toHaveProperty('predecessor-version');
    await site.call('author', `PUT ${path}`, {});
    expect(await contents(path)).toEqual(['Version 1']);
  });

  it('is limited to those who may delete the item, and to its own revisions', async () => {
    const [path, other] = [await saved('author', '/posts', 'Mine'), await saved('editor', '/posts', 'Yours')];
    const [[mine], [yours]] = [await all(path), await all(other)];
    const before = site.position();
    expect(refusal(await site.call('contributor', `DELETE ${path}/revisions/${mine?.id}?force=true`))).toEqual([
      403,
      'rest_cannot_delete',
    ]);
    expect(refusal(await site.call('author', `DELETE ${path}/revisions/${yours?.id}?force=true`))).toEqual([
      404,
      'rest_revision_parent_id_mismatch',
    ]);
    expect(site.position()).toBe(before);
  });

  it('is refused when If-Match is out of date', async () => {
    const path = `/posts/${await site.make('author', '/posts', { title: 'x', content: 'y', status: 'publish' })}`;
    const { body } = await site.call('author', `POST ${path}/autosaves`, { content: 'First' });
    const tag = (await site.call('author', `GET ${path}/revisions/${body.id}`)).headers.get('etag') ?? '';
    await site.call('author', `POST ${path}/autosaves`, { content: 'Second' });
    const headers = { 'if-match': tag };
    const stale = await site.call('author', `DELETE ${path}/revisions/${body.id}?force=true`, undefined, { headers });
    expect(refusal(stale)).toEqual([412, 'rest_precondition_failed']);
  });

  it('survives a restart', async () => {
    const path = await saved('author', '/posts', 'Version 1', 'Version 2');
    const [newest] = await all(path);
    await site.call('author', `DELETE ${path}/revisions/${newest?.id}?force=true`);
    await site.restart();
    expect(await contents(path)).toEqual(['Version 1']);
  });
});

describe('emptied footnotes', () => {
  it('make one revision', async () => {
    const path = await saved('author', '/posts', 'Version 1');
    const empty = () => site.call('author', `PUT ${path}`, { meta: { footnotes: '' } });
    await empty();
    expect((await all(path)).length).toBe(2);
    await empty();
    expect((await all(path)).length).toBe(2);
  });
});

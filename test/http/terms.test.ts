import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
const list = async (query: string) => names((await site.call('anonymous', `GET ${query}`)).body);

describe('a new category', () => {
  it('is returned completely, with its Location', async () => {
    const { status, headers, body } = await site.call('editor', 'POST /categories', {
      name: ' Fish & <b>Chips</b> ',
      description: 'As <em>we</em> like <script>them</script>',
    });
    expect([status, headers.get('location')]).toEqual([201, `${BASE}/categories/${body.id}`]);
    const { _links, ...fields } = body;
    expect(fields).toEqual({
      id: body.id,
      count: 0,
      description: 'As <em>we</em> like them',
      link: `${SITE}/category/fish-chips/`,
      name: 'Fish &amp; Chips',
      slug: 'fish-chips',
      taxonomy: 'category',
      parent: 0,
      meta: [],
    });
    const { curies, ...links } = _links;
    const href = `${BASE}/categories/${body.id}`;
    expect(links).toEqual({
      self: [{ href, targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }],
      collection: [{ href: `${BASE}/categories` }],
      about: [{ href: `${BASE}/taxonomies/category` }],
      'cms:post_type': [{ href: `${BASE}/posts?categories=${body.id}` }],
    });
    expect(curies).toMatchObject([{ name: 'cms', templated: true }]);
  });

  it('links to its parent', async () => {
    const parent = await site.make('editor', '/categories', { name: 'Above' });
    const { body } = await site.call('editor', 'POST /categories', { name: 'Below', parent });
    expect(body).toMatchObject({ parent, link: `${SITE}/category/above/below/` });
    expect(body._links.up).toEqual([{ embeddable: true, href: `${BASE}/categories/${parent}` }]);
  });

  it.each([
    ['without a name', {}, 'rest_missing_callback_param'],
    ['with a blank name', { name: ' ' }, 'empty_term_name'],
    ['with a name that is no text', { name: [1] }, 'rest_invalid_param'],
    ['below nothing', { name: 'Lost', parent: 999 }, 'rest_term_invalid'],
    ['with a parent that is no number', { name: 'Lost', parent: 'x' }, 'rest_invalid_param'],
    ['with meta that is no map', { name: 'Lost', meta: 'x' }, 'rest_invalid_param'],
  ])('is refused %s', async (_, body, code) => {
    expect(await site.call('editor', 'POST /categories', body)).toMatchObject({ status: 400, body: { code } });
  });

  it('is refused when it exists, with the id of the existing one', async () => {
    const id = await site.make('editor', '/categories', { name: 'Twin' });
    const { status, body } = await site.call('editor', 'POST /categories', { name: 'Twin' });
    expect(body).toMatchObject({ code: 'term_exists', data: { status: 400, term_id: id }, additional_data: [id, id] });
    expect(status).toBe(400);
  });
});

describe('term rights', () => {
  it.each([
    ['subscriber', 403, 403],
    ['contributor', 403, 201],
    ['author', 403, 201],
    ['editor', 201, 201],
    ['administrator', 201, 201],
    ['anonymous', 401, 401],
  ] as const)('of a %s for creating categories: %i, tags: %i', async (as, categories, tags) => {
    const body = { name: `By ${as}` };
    expect((await site.call(as, 'POST /categories', body)).status).toBe(categories);
    expect((await site.call(as, 'POST /tags', body)).status).toBe(tags);
  });

  it('allow only editors to change and delete', async () => {
    const id = await site.make('author', '/tags', { name: 'Passing' });
    for (const [as, status] of [
      ['anonymous', 401],
      ['author', 403],
    ] as const) {
      expect(await site.call(as, `PUT /tags/${id}`, { name: 'x' })).toMatchObject({
        status,
        body: { code: 'rest_cannot_update' },
      });
      expect(await site.call(as, `DELETE /tags/${id}?force=true`)).toMatchObject({
        status,
        body: { code: 'rest_cannot_delete' },
      });
      expect(await site.call(as, `GET /tags/${id}?context=edit`)).toMatchObject({
        status,
        body: { code: 'rest_forbidden_context' },
      });
      expect(await site.call(as, 'GET /tags?context=edit')).toMatchObject({
        status,
        body: { code: 'rest_forbidden_context' },
      });
    }
    const { headers, body } = await site.call('author', `GET /tags/${id}`);
    expect([headers.get('allow'), body._links.self[0].targetHints.allow]).toEqual(['GET', ['GET']]);
    expect((await site.call('editor', `GET /tags/${id}?context=edit`)).headers.get('allow')).toBe(
      'GET, POST, PUT, PATCH, DELETE',
    );
  });

  it('do not include deleting the default category', async () => {
    const { status, headers, body } = await site.call('administrator', 'DELETE /categories/1?force=true');
    expect([status, body.code, headers.get('allow')]).toEqual([403, 'rest_cannot_delete', 'GET, POST, PUT, PATCH']);
  });
});

describe('changing a term', () => {
  it('changes only the fields that are sent, and appends nothing when nothing differs', async () => {
    const id = await site.make('editor', '/tags', { name: 'Hot', description: 'Very' });
    const before = site.position();
    const { status, body } = await site.call('editor', `PATCH /tags/${id}`, { name: 'Hotter' });
    expect([status, body.name, body.slug, body.description]).toEqual([200, 'Hotter', 'hot', 'Very']);
    expect((await site.call('editor', `PUT /tags/${id}`, { name: 'Hotter' })).status).toBe(200);
    expect((await site.call('editor', `POST /tags/${id}`, {})).status).toBe(200);
    expect(site.position()).toBe(before + 1);
    expect((await site.call('editor', `PUT /tags/${id}`, { description: null })).body.description).toBe('');
  });

  it('is refused for a parent of a tag, a taken slug and an unknown term', async () => {
    await site.make('editor', '/tags', { name: 'Cold' });
    const id = await site.make('editor', '/tags', { name: 'Cool' });
    expect(await site.call('editor', `PUT /tags/${id}`, { parent: 0 })).toMatchObject({
      status: 400,
      body: { code: 'rest_taxonomy_not_hierarchical' },
    });
    expect(await site.call('editor', `PUT /tags/${id}`, { slug: 'cold' })).toMatchObject({
      status: 400,
      body: { code: 'duplicate_term_slug' },
    });
    const unknown = { status: 404, body: { code: 'rest_term_invalid' } };
    expect(await site.call('editor', `PUT /categories/${id}`, { name: 'x' })).toMatchObject(unknown);
    expect(await site.call('anonymous', 'GET /tags/0')).toMatchObject(unknown);
  });
});

describe('deleting a term', () => {
  it('requires force', async () => {
    const id = await site.make('editor', '/tags', { name: 'Kept' });
    expect(await site.call('editor', `DELETE /tags/${id}`)).toMatchObject({
      status: 501,
      body: { code: 'rest_trash_not_supported' },
    });
  });

  it('returns the deleted term; its children move up and its posts get the default category', async () => {
    const top = await site.make('editor', '/categories', { name: 'Top' });
    const middle = await site.make('editor', '/categories', { name: 'Middle', parent: top });
    const low = await site.make('editor', '/categories', { name: 'Low', parent: middle });
    const post = await site.make('editor', '/posts', { title: 'P', status: 'publish', categories: [middle] });
    const { status, body } = await site.call('editor', `DELETE /categories/${middle}`, { force: true });
    expect([status, body.deleted, body.previous.id, body.previous.count]).toEqual([200, true, middle, 1]);
    expect(body.previous).not.toHaveProperty('_links');
    expect((await site.call('anonymous', `GET /categories/${low}`)).body.parent).toBe(top);
    expect((await site.call('anonymous', `GET /posts/${post}`)).body.categories).toEqual([1]);
    expect((await site.call('editor', `DELETE /categories/${middle}?force=true`)).status).toBe(404);
  });
});

describe('a collection of terms', () => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    for (const name of ['zQ ocean', 'zq Apple', 'zq äther', 'zq 10']) {
      ids[name] = await site.make('editor', '/tags', { name, description: `d${4 - Object.keys(ids).length}` });
    }
    const parent = await site.make('editor', '/categories', { name: 'zq parent' });
    const child = await site.make('editor', '/categories', { name: 'zq child', parent });
    await site.make('editor', '/categories', { name: 'zq empty' });
    Object.assign(ids, { parent, child });
    ids['draft'] = await site.make('editor', '/posts', { title: 'D', tags: [ids['zQ ocean']] });
    ids['post'] = await site.make('editor', '/posts', {
      title: 'P',
      status: 'publish',
      categories: [child],
      tags: [ids['zQ ocean'], ids['zq 10']],
    });
  });

  it('is sorted by name, ignoring case and accents', async () =>
    expect(await list('/tags?search=zq')).toEqual(['zq 10', 'zq Apple', 'zq äther', 'zQ ocean']));

  it('can be sorted otherwise', async () => {
    expect(await list('/tags?search=ZQ&order=desc')).toEqual(['zQ ocean', 'zq äther', 'zq Apple', 'zq 10']);
    expect(await list('/tags?search=zq&orderby=id')).toEqual(['zQ ocean', 'zq Apple', 'zq äther', 'zq 10']);
    expect(await list('/tags?search=zq&orderby=description')).toEqual(['zq 10', 'zq äther', 'zq Apple', 'zQ ocean']);
    expect((await list('/tags?search=zq&orderby=count&order=desc')).slice(0, 2)).toEqual(['zQ ocean', 'zq 10']);
    const include = `${ids['zq 10']},${ids['zQ ocean']}`;
    expect(await list(`/tags?include=${include}&orderby=include`)).toEqual(['zq 10', 'zQ ocean']);
    expect(await list('/tags?slug=zq-ather,zq-10&orderby=include_slugs')).toEqual(['zq äther', 'zq 10']);
  });

  it('is filtered by ids, slugs, parent and use', async () => {
    expect(await list(`/tags?include=${ids['zq 10']}&exclude=${ids['zq 10']}`)).toEqual(['zq 10']);
    expect(await list(`/tags?search=zq&exclude=${ids['zq 10']},${ids['zq Apple']}`)).toEqual(['zq äther', 'zQ ocean']);
    expect(await list('/tags?slug=ZQ-Ocean')).toEqual(['zQ ocean']);
    expect(await list('/tags?search=zq&hide_empty=true')).toEqual(['zq 10', 'zQ ocean']);
    expect(await list(`/categories?parent=${ids['parent']}`)).toEqual(['zq child']);
    expect(await list('/categories?search=zq&parent=0')).toEqual(['zq empty', 'zq parent']);
    expect(await list('/categories?search=zq&hide_empty=true')).toEqual(['zq child', 'zq parent']);
  });

  it('shows the terms of a post to those who may read it', async () => {
    expect(await list(`/tags?post=${ids['post']}`)).toEqual(['zq 10', 'zQ ocean']);
    expect(await list(`/categories?post=${ids['post']}`)).toEqual(['zq child']);
    const draft = `GET /tags?post=${ids['draft']}`;
    const all = await site.call('editor', draft);
    expect((await site.call('editor', `${draft}&hide_empty=true`)).body).toEqual(all.body);
    expect(await site.call('anonymous', draft)).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_context' },
    });
    expect(names((await site.call('editor', draft)).body)).toEqual(['zQ ocean']);
    expect(await site.call('editor', 'GET /tags?post=999')).toMatchObject({
      status: 400,
      body: { code: 'rest_post_invalid_id' },
    });
  });

  it('is paged; pages beyond the end are empty', async () => {
    const { headers, body } = await site.call('anonymous', 'GET /tags?search=zq&per_page=2&page=2');
    expect(names(body)).toEqual(['zq äther', 'zQ ocean']);
    expect([headers.get('x-cms-total'), headers.get('x-cms-totalpages')]).toEqual(['4', '2']);
    expect(headers.get('link')).toBe(`<${BASE}/tags?search=zq&per_page=2&page=1>; rel="prev"`);
    const beyond = await site.call('anonymous', 'GET /tags?search=zq&per_page=2&page=9');
    expect([beyond.status, beyond.body, beyond.headers.get('x-cms-total')]).toEqual([200, [], '4']);
  });

  it('supports offset for tags, but not for categories', async () => {
    expect(await list('/tags?search=zq&per_page=2&offset=1')).toEqual(['zq Apple', 'zq äther']);
    expect(await list('/categories?search=zq&per_page=1&offset=1')).toEqual(['zq child']);
  });

  it.each(['orderby=colour', 'order=up', 'hide_empty=maybe', 'include=x', 'per_page=0'])(
    'is refused for %s',
    async (query) => {
      expect(await site.call('anonymous', `GET /tags?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      });
    },
  );

  it('has fewer fields when embedded', async () => {
    const { body } = await site.call('anonymous', `GET /categories?post=${ids['post']}&context=embed`);
    expect(Object.keys(body[0])).toEqual(['id', 'link', 'name', 'slug', 'taxonomy', '_links']);
  });

  it('counts published posts only', async () =>
    expect((await site.call('anonymous', `GET /tags/${ids['zQ ocean']}`)).body.count).toBe(1));
});

describe('the Allow header of terms', () => {
  it('is the same for a created and for an existing term', async () => {
    const post = async (body: object) => (await site.call('contributor', 'POST /tags', body)).headers.get('allow');
    expect(await post({ name: 'By a contributor' })).toBe('POST');
    expect(await post({ name: 'By a contributor' })).toBe('POST');
  });
});

describe('OPTIONS of term routes', () => {
  it('lists parameters and fields', async () => {
    const { headers, body } = await site.call('contributor', 'OPTIONS /tags');
    expect(headers.get('allow')).toBe('GET, POST');
    expect(body.endpoints).toMatchObject([{ allow_batch: { v1: true } }, { allow_batch: { v1: true } }]);
    expect(Object.keys(body.endpoints[0].args)).toEqual(
      'context page per_page search exclude include offset order orderby hide_empty post slug'.split(' '),
    );
    const { args } = body.endpoints[1];
    expect([Object.keys(args), args.name.required]).toEqual([['description', 'name', 'slug', 'meta'], true]);
    expect(body.schema).toMatchObject({
      title: 'tag',
      properties: { name: { required: true }, taxonomy: { enum: ['post_tag'], readonly: true } },
    });
  });
});

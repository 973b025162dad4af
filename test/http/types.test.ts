import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryKinds } from '#domain/entry/kinds.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { openShop } from '../support/shop.ts';
import { type As, BASE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const names = async (as: As, path: string) => Object.keys((await site.call(as, `GET ${path}`)).body);

describe('post types', () => {
  it('are listed by name with links to their items', async () => {
    const { status, body } = await site.call('anonymous', 'GET /types');
    expect([status, Object.keys(body).sort()]).toEqual([200, expect.arrayContaining(['attachment', 'page', 'post'])]);
    // Global styles are a single item without a list.
    for (const type of Object.values<{ rest_base: string; _links: Record<string, { href: string }[]> }>(body)) {
      expect(type._links['cms:items']).toEqual([{ href: `${BASE}/${type.rest_base}` }]);
      if (type.rest_base === 'global-styles') continue;
      expect((await site.call('administrator', `GET /${type.rest_base}`)).status).toBe(200);
    }
  });

  it('have unique names, and so do taxonomies', () => {
    const types = entryKinds.map(({ type }) => type.name);
    expect(new Set(types).size).toBe(types.length);
    const taxonomies = Object.values(termKinds).map(({ type }) => type.name);
    expect(new Set(taxonomies).size).toBe(taxonomies.length);
  });

  it('include products while the shop is active', async () => {
    expect((await site.call('anonymous', 'GET /types/product')).status).toBe(404);
    expect((await site.call('anonymous', 'GET /taxonomies/category')).body.types).toEqual(['post']);
    const shop = await startSite();
    await openShop(shop);
    expect((await shop.call('anonymous', 'GET /types/product')).body).toMatchObject({
      name: 'Products',
      rest_base: 'products',
      taxonomies: ['category', 'post_tag'],
    });
    expect((await shop.call('anonymous', 'GET /taxonomies/category')).body.types).toEqual(['post', 'product']);
    await shop.close();
  });

  it('show the names of their capabilities in context edit', async () => {
    const { body } = await site.call('editor', 'GET /types/page?context=edit');
    expect(body.capabilities).toMatchObject({ edit_others_posts: 'edit_others_pages', create_posts: 'edit_pages' });
    const { body: media } = await site.call('author', 'GET /types/attachment?context=edit');
    expect(media).toMatchObject({ capabilities: { create_posts: 'upload_files', edit_post: 'edit_post' } });
    expect(media.supports).toEqual({ title: true, author: true, comments: true });
  });

  it('can be limited with _fields', async () => {
    const { body } = await site.call('anonymous', 'GET /types/post?_fields=slug,rest_base');
    expect(body).toEqual({ slug: 'post', rest_base: 'posts' });
  });

  it('have complete labels', async () => {
    const { body } = await site.call('administrator', 'GET /types/page?context=edit');
    expect(body.labels).toMatchObject({ name: 'Pages', singular_name: 'Page', menu_name: 'Pages' });
    const { body: tags } = await site.call('administrator', 'GET /taxonomies/post_tag?context=edit');
    expect(tags.labels).toMatchObject({ name: 'Tags', parent_item: null, menu_name: 'Tags' });
  });
});

describe('taxonomies', () => {
  it.each([
    ['post', ['category', 'post_tag']],
    ['', ['category', 'post_tag']],
    ['page', []],
    ['nothing', []],
  ])('of type "%s" are %j', async (type, expected) => {
    expect((await names('anonymous', `/taxonomies?type=${type}`)).slice(0, 2)).toEqual(expected);
  });

  it('cannot be filtered by an array of types', async () => {
    const { status, body } = await site.call('anonymous', 'GET /taxonomies?type[]=post');
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });
});

describe('post statuses', () => {
  it('that are public are shown completely to everybody', async () => {
    const { body } = await site.call('anonymous', 'GET /statuses/publish?context=edit');
    expect(body).toMatchObject({ public: true, queryable: true, private: false, show_in_list: true });
  });

  it.each(['inherit', 'auto-draft', 'request-pending'])('do not include %s', async (word) => {
    const { status, body } = await site.call('administrator', `GET /statuses/${word}`);
    expect([status, body.code]).toEqual([403, 'rest_cannot_read_status']);
  });
});

describe('the `about` link of records', () => {
  it.each(['/posts', '/pages', '/categories', '/tags'])('of %s leads to their type or taxonomy', async (path) => {
    const id = await site.make('editor', path, { name: 'About', title: 'About', status: 'publish' });
    const { body } = await site.call('anonymous', `GET ${path}/${id}`);
    const [{ href }] = body._links.about;
    const about = await site.call('anonymous', `GET ${href.replace(BASE, '')}`);
    expect(about).toMatchObject({ status: 200, body: { rest_base: path.slice(1) } });
  });
});

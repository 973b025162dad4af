import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../support/node.ts';
import { openShop } from '../support/shop.ts';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  await openShop(site);
});
afterAll(() => site.close());

const nothingSaid = {
  footnotes: '',
  regular_price: '',
  sale_price: '',
  sku: '',
  stock_status: 'instock',
  featured: false,
  average_rating: 0,
  total_sales: 0,
  attributes: [],
};
const chair = { regular_price: '49.90', sale_price: '39.50', sku: 'C-1', stock_status: 'onbackorder', featured: true };

const make = (title: string, meta: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  site.make('author', '/products', { title, status: 'publish', meta, ...more });
const shown = async (id: number) => (await site.call('anonymous', `GET /products/${id}`)).body;
const page = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual', ...init });

describe('products', () => {
  it('exist while the shop is active: in routes, in lists and in the index', async () => {
    const other = await startSite();
    const paths = async (each: Site) =>
      Object.keys((await each.call('anonymous', 'GET /cms-json/cms/v2')).body.routes).filter((path) =>
        path.includes('product'),
      );
    expect(await paths(other)).toEqual([]);
    const missing = await other.call('administrator', 'POST /products', { title: 'Too early', status: 'publish' });
    expect([missing.status, missing.body.code]).toEqual([404, 'rest_no_route']);
    await openShop(other);
    expect(await paths(other)).toEqual((await paths(site)).slice());
    expect(await paths(other)).toEqual([
      '/cms/v2/products',
      '/cms/v2/products/(?P<id>[\\d]+)',
      '/cms/v2/products/(?P<parent>[\\d]+)/revisions',
      '/cms/v2/products/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)',
      '/cms/v2/products/(?P<id>[\\d]+)/autosaves',
      '/cms/v2/products/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)',
    ]);
    await other.make('author', '/products', { title: 'In time', status: 'publish' });
    await other.restart();
    expect((await other.call('anonymous', 'GET /products')).body).toHaveLength(1);
    await other.close();
  });

  it('have price, stock and attributes, and keep values that are not sent', async () => {
    const id = await make('Chair', chair);
    expect((await shown(id)).meta).toEqual({ ...nothingSaid, ...chair });
    const attributes = [{ name: 'size', options: ['S', 'M'] }];
    const { body } = await site.call('author', `PUT /products/${id}`, { meta: { sale_price: '', attributes } });
    const after = { ...nothingSaid, ...chair, sale_price: '', attributes: [{ ...attributes[0], label: 'size' }] };
    expect(body.meta).toEqual(after);
    expect((await shown(id)).meta).toEqual(after);
    expect((await shown(await make('Plain'))).meta).toEqual(nothingSaid);
  });

  it.each([
    ['regular_price', '12,50'],
    ['regular_price', 12.5],
    ['sale_price', '-1'],
    ['stock_status', 'gone'],
    ['featured', 'perhaps'],
    ['average_rating', 6],
    ['total_sales', 1.5],
    ['attributes', [{ options: [] }]],
    ['attributes', [{ name: 'x', options: [{}] }]],
  ])('refuse %s with the value %j without a change', async (name, value) => {
    const id = await make('Kept', chair);
    const position = site.position();
    const { status, body } = await site.call('author', `PUT /products/${id}`, {
      title: 'Lost',
      meta: { [name]: value },
    });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(body.data.details.meta.message).toContain(name);
    expect(site.position()).toBe(position);
  });

  it('append an event only when their values change', async () => {
    const id = await make('Once', chair);
    const types = () => [...site.node.log.read({ stream: `entry-${id}` })].map(({ type }) => type);
    expect(types()).toEqual(['EntryCreated', 'EntryProductChanged']);
    await site.call('author', `PUT /products/${id}`, { meta: chair });
    expect(types().filter((type) => type === 'EntryProductChanged')).toHaveLength(1);
  });

  it('have no format, are never sticky, and have slugs of their own', async () => {
    const post = await site.call('author', 'POST /posts', { title: 'Twin', status: 'publish' });
    const { body } = await site.call('editor', 'POST /products', {
      ...{ title: 'Twin', status: 'publish', sticky: true, format: 'aside' },
    });
    expect([body.slug, body.sticky, body.format, body.type]).toEqual(['twin', undefined, undefined, 'product']);
    expect([post.body.link, body.link]).toEqual([`${SITE}/twin/`, `${SITE}/product/twin/`]);
    expect(body._links.collection).toEqual([{ href: `${BASE}/products` }]);
    expect((await site.call('editor', `GET /posts/${body.id}`)).body.code).toBe('rest_post_invalid_id');
  });

  it('have a page with their current price', async () => {
    const id = await make('Lamp & shade', { regular_price: '20' });
    const text = async () => (await page('/product/lamp-shade/')).text();
    expect(await text()).toContain('<p class="price"><span>20</span></p>');
    await site.call('author', `PUT /products/${id}`, { meta: { sale_price: '15' } });
    expect(await text()).toContain('<p class="price"><del>20</del> <ins>15</ins></p>');
    expect((await page('/lamp-shade/')).status).toBe(404);
    expect((await page(`/?p=${id}`)).headers.get('location')).toBe(`${SITE}/product/lamp-shade/`);
    const card = await site.call('anonymous', `GET /cms-json/oembed/1.0/embed?url=${SITE}/product/lamp-shade/`);
    expect(card.body.title).toContain('Lamp');
  });

  it('are searched and filtered by category, apart from posts', async () => {
    const category = await site.make('editor', '/categories', { name: 'Garden' });
    const id = await make('Wheelbarrow', {}, { categories: [category] });
    const ids = async (path: string) =>
      (await site.call('anonymous', `GET ${path}`)).body.map(({ id }: { id: number }) => id);
    expect(await ids('/products?search=wheelbarrow')).toEqual([id]);
    expect(await ids(`/products?categories=${category}`)).toEqual([id]);
    expect(await ids('/posts?search=wheelbarrow')).toEqual([]);
  });

  it('are reported by the change feed', async () => {
    const since = site.position();
    const id = await make('News', chair);
    await site.call('author', `PUT /products/${id}`, { meta: { sku: 'C-2' } });
    const { body } = await site.call('anonymous', `GET /cms-json/cms/v2/changes?since=${since}`);
    const told = body.commits.flatMap(({ changes }: { changes: unknown[] }) => changes);
    expect(told).toEqual([
      { resource: 'products', id, what: 'published', link: `${SITE}/product/news/` },
      { resource: 'products', id, what: 'changed', link: `${SITE}/product/news/` },
    ]);
  });

  it('have revisions and autosaves, and can be written in batches', async () => {
    const id = await make('First words', chair);
    await site.call('author', `PUT /products/${id}`, { title: 'Second words' });
    const revisions = await site.call('author', `GET /products/${id}/revisions`);
    expect(revisions.body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toContain(
      'Second words',
    );
    const beside = await site.call('editor', `POST /products/${id}/autosaves`, { title: 'Perhaps' });
    expect(beside.body).toMatchObject({ parent: id, title: { raw: 'Perhaps' } });
    const batch = await site.call('author', 'POST /cms-json/batch/v1', {
      requests: [
        { method: 'PUT', path: `/cms/v2/products/${id}`, body: { meta: { sku: 'C-3' } } },
        { method: 'DELETE', path: `/cms/v2/products/${id}` },
      ],
    });
    expect(batch.body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 200]);
    expect(batch.body.responses[1].body).toMatchObject({ status: 'trash', meta: { sku: 'C-3' } });
    const gone = await site.call('author', `DELETE /products/${id}?force=true`);
    expect(gone.body.previous.meta.sku).toBe('C-3');
  });

  it('can be read as of an earlier position, and are the same after a rebuild', async () => {
    const id = await make('Then', { regular_price: '5' });
    const then = site.position();
    await site.call('author', `PUT /products/${id}`, { meta: { regular_price: '6' } });
    const past = await site.call('author', `GET /products/${id}?as_of=${then}`);
    expect(past.body.meta.regular_price).toBe('5');
    const before = (await site.call('anonymous', 'GET /products?per_page=100')).text;
    while (site.node.work());
    expect((await site.call('anonymous', 'GET /products?per_page=100')).text).toBe(before);
    const rows = dump(site.directory)['entries'];
    await site.rebuild();
    expect((await site.call('anonymous', 'GET /products?per_page=100')).text).toBe(before);
    expect(dump(site.directory)['entries']).toEqual(rows);
  });
});

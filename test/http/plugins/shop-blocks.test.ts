import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { openShop } from '../../support/shop.ts';
import type { Site } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
  await openShop(site);
});
afterAll(() => site.close());

const make = (title: string, meta: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  site.make('editor', '/products', { title, status: 'publish', meta, ...more });

async function query(queryAttributes: Record<string, unknown>) {
  const route = 'POST /theme-blocks/v1/get-products-list-query';
  return (await callPlugin(site, 'contributor', route, { queryAttributes })).body.data;
}

async function titles(queryAttributes: Record<string, unknown>): Promise<readonly string[]> {
  const { queriedProductsData = [] } = await query(queryAttributes);
  return queriedProductsData.map(({ title }: { title: string }) => title);
}

describe('product blocks', () => {
  it('filter and rank by current values, also after a restart and a rebuild', async () => {
    const shown = async () => ({
      sale: await titles({ filterBy: 'on_sale', orderBy: 'title', order: 'ASC' }),
      featured: await titles({ filterBy: 'featured' }),
      rated: await titles({ filterBy: 'top_rated', orderBy: 'title', order: 'ASC' }),
      sold: await titles({ filterBy: 'best_selling' }),
    });
    const none = { sale: [], featured: [], rated: [], sold: [] };
    expect(await shown()).toEqual(none);
    const a = await make('A', { regular_price: '10', sale_price: '9.5', average_rating: 2, total_sales: 7 });
    const b = await make('B', { regular_price: '10', sale_price: '9', featured: true, average_rating: 4.5 });
    await make('C');
    const before = { sale: ['A', 'B'], featured: ['B'], rated: ['B', 'A', 'C'], sold: ['A', 'C', 'B'] };
    expect(await shown()).toEqual(before);
    await site.restart();
    expect(await shown()).toEqual(before);
    await site.rebuild();
    expect(await shown()).toEqual(before);

    const change = (id: number, meta: object) => site.call('editor', `PUT /products/${id}`, { meta });
    await change(a, { regular_price: '9', featured: true, average_rating: 5 });
    await change(b, { total_sales: 8 });
    const after = { sale: ['B'], featured: ['B', 'A'], rated: ['A', 'B', 'C'], sold: ['B', 'A', 'C'] };
    expect(await shown()).toEqual(after);
    await site.call('editor', `DELETE /products/${b}`);
    expect(await shown()).toEqual({ sale: [], featured: ['A'], rated: ['A', 'C'], sold: ['A', 'C'] });
    await site.restart();
    await site.rebuild();
    expect(await shown()).toEqual({ sale: [], featured: ['A'], rated: ['A', 'C'], sold: ['A', 'C'] });
  });

  it('page through a filter, combined with a category, in any order', async () => {
    const category = await site.make('editor', '/categories', { name: 'Paged' });
    const names = Array.from({ length: 9 }, (_, n) => `Paged ${n}`);
    for (const [n, name] of names.entries()) {
      const meta = { regular_price: '5', sale_price: n % 3 === 0 ? '' : '4', total_sales: 9 - n };
      await make(name, meta, { categories: [category] });
    }
    const tax = { additionalParams: 'tax', tax: 'category', taxIn: String(category), postsPerPage: 4 };
    const onSale = { ...tax, filterBy: 'on_sale', orderBy: 'id', order: 'ASC' };
    expect((await query(onSale)).maxNumPages).toBe(2);
    expect([...(await titles(onSale)), ...(await titles({ ...onSale, next_page: 2 }))]).toEqual(
      names.filter((_, n) => n % 3 !== 0),
    );
    const sold = { ...tax, filterBy: 'best_selling' };
    const pages = [1, 2, 3].map((next_page) => titles({ ...sold, next_page }));
    expect((await Promise.all(pages)).flat()).toEqual(names);
    const drawn = await titles({ ...tax, filterBy: 'on_sale', orderBy: 'rand', postsPerPage: -1 });
    expect(drawn.toSorted()).toEqual(names.filter((_, n) => n % 3 !== 0));
  });

  it('contain all properties of a product', async () => {
    const category = await site.make('editor', '/categories', { name: 'Seats', slug: 'seats' });
    const meta = {
      regular_price: '20',
      sale_price: '15.50',
      sku: 'S "1"',
      average_rating: 4.5,
      stock_status: 'outofstock',
    };
    const id = await make('Stool <b>& co</b>', meta, { categories: [category] });
    const [shown] = (await query({ additionalParams: 'id', postIds: [id] })).queriedProductsData;
    const link = 'http://site.example/product/stool-co/';
    expect(shown).toEqual({
      title: 'Stool &amp; co',
      productItemClasses: expect.arrayContaining([`post-${id}`, 'product', 'type-product', 'category-seats']),
      mark: ['out-of-stock', 'sale'],
      productImage: '',
      productLink: link,
      productPriceHTML: '<del>20</del> <ins>15.50</ins>',
      productCategoryHTML: '<a href="http://site.example/category/seats/" rel="category tag">Seats</a>',
      productRatingHTML: '<span class="rating" role="img" aria-label="Rated 4.5 out of 5">4.5</span>',
      addToCartButtonParams: {
        custom_attrs: { rel: 'nofollow' },
        button_link: { url: link },
        buttonText: 'Read more',
        button_classes: ['button', 'product-outofstock'],
        icon_classes: [],
        data_attrs: { product_id: id, product_sku: 'S "1"', quantity: 1 },
      },
    });
  });

  it.each([
    [{}, '', [], 'Add to cart'],
    [{ regular_price: '10' }, '<span>10</span>', [], 'Add to cart'],
    [{ regular_price: '10', sale_price: '9.99' }, '<del>10</del> <ins>9.99</ins>', ['sale'], 'Add to cart'],
    [{ regular_price: '9', sale_price: '10' }, '<span>10</span>', [], 'Add to cart'],
    [{ sale_price: '3', stock_status: 'onbackorder' }, '<span>3</span>', [], 'Order'],
    [{ regular_price: '100', sale_price: '20' }, '<del>100</del> <ins>20</ins>', ['sale'], 'Add to cart'],
  ])('of %j show price, marks and button text', async (meta, price, mark, text) => {
    const id = await make('Priced', meta);
    const [shown] = (await query({ additionalParams: 'id', postIds: [id] })).queriedProductsData;
    expect([shown.productPriceHTML, shown.mark, shown.addToCartButtonParams.buttonText]).toEqual([price, mark, text]);
    const list = (await callPlugin(site, 'contributor', 'GET /theme-blocks/v1/get-products-list')).body.data;
    expect(list[id]).toEqual({ title: 'Priced', addToCartText: text });
  });

  it('show no unpublished products, and none before the shop is active', async () => {
    const hidden = [];
    for (const status of ['draft', 'private', 'pending']) {
      hidden.push(await site.make('editor', '/products', { title: 'Unseen', status, meta: { featured: true } }));
    }
    expect(await query({ additionalParams: 'id', postIds: hidden })).toEqual({ maxNumPages: 0 });
    expect(await titles({ filterBy: 'featured', postsPerPage: -1 })).not.toContain('Unseen');
    const other = await startPluginSite('A');
    const ask = (request: string, body?: unknown) => callPlugin(other, 'contributor', request, body);
    const found = await ask('POST /theme-blocks/v1/get-products-list-query', { queryAttributes: {} });
    expect(found.body).toMatchObject({ status: 'success', data: { maxNumPages: 0 } });
    expect((await ask('GET /theme-blocks/v1/get-products-list')).body).toMatchObject({ status: 'error', data: [] });
    await other.close();
  });
});

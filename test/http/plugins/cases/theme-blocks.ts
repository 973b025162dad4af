import { expect } from 'vitest';
import { callPlugin } from '../../../support/plugins.ts';
import { openShop } from '../../../support/shop.ts';
import type { Site } from '../../../support/site.ts';
import { fetchFile, pngOf, uploadBody } from '../../../support/uploads.ts';
import { type Case, invalid, missing, pageAt } from './case.ts';

const blocks = '/theme-blocks/v1';
const call = (site: Site, request: string, body?: unknown) => callPlugin(site, 'contributor', request, body);
const optional = { required: true };

const style = (key: string) => ({
  key,
  values: [{ selector: 'h2', styles: 'color:red', custom_styles: [{ key: 'x', value: 'y' }] }],
  fonts: { family: [], weight: [], style: [] },
  more: 1,
});

/** Routes of theme-blocks/v1. */
export const themeBlocksCases: readonly Case[] = [
  {
    route: `GET ${blocks}/get-styles`,
    lowest: 'contributor',
    stores: false,
    wrong: { body: { page_id: 'nothing' }, answer: invalid },
    async effect(site) {
      const id = await site.make('author', '/posts', { title: 'Styled', content: 'block-1 here', status: 'publish' });
      const shown = async (page: unknown) => (await call(site, `GET ${blocks}/get-styles?page_id=${page}`)).body.data;
      await call(site, `POST ${blocks}/update-styles`, { options: [style('anywhere')] });
      expect(await shown(id)).toEqual([style('anywhere')]);
      const options = [style('block-1'), style('block-2'), { ...style('block-1'), values: [] }];
      expect((await call(site, `POST ${blocks}/update-styles`, { options, page_id: id })).body.status).toBe('error');
      await callPlugin(site, 'author', `POST ${blocks}/update-styles`, { options, page_id: id });
      expect(await shown(id)).toEqual([style('block-1')]);
      await site.call('editor', `DELETE /posts/${id}?force=true`);
      expect(await shown(id)).toEqual([style('anywhere')]);
    },
  },
  {
    route: `POST ${blocks}/update-styles`,
    lowest: 'contributor',
    stores: true,
    args: { options: optional },
    body: { options: [style('a')] },
    missing: { body: {}, answer: missing },
    wrong: { body: { options: 'a{}' }, answer: invalid },
    async effect(site) {
      const save = (body: unknown) => callPlugin(site, 'administrator', `POST ${blocks}/update-styles`, body);
      expect((await save({ options: [style('w')], page_id: 'widget' })).body).toMatchObject({
        status: 'success',
        data: null,
      });
      const position = site.position();
      await save({ options: [style('w')], page_id: 'widget' });
      expect(site.position()).toBe(position);
      expect((await call(site, `GET ${blocks}/get-styles?page_id=widget`)).body.data).toEqual([style('w')]);
      for (const body of [{ options: [] }, { options: [style('x')], page_id: 999999 }]) {
        const { status, body: answer } = await save(body);
        expect([status, answer.status, answer.data]).toEqual([200, 'error', []]);
      }
    },
    async seen(site) {
      await site.make('author', '/posts', { title: 'Seen styles', status: 'publish' });
      const options = [{ key: 'seen', values: [{ selector: '.seen', styles: { color: 'teal' } }] }];
      await callPlugin(site, 'administrator', `POST ${blocks}/update-styles`, { options, page_id: 'template' });
      expect((await pageAt(site, '/seen-styles/')).text).toContain('.content .seen { color: teal; }');
    },
  },
  {
    route: `POST ${blocks}/get-blog-posts`,
    lowest: 'contributor',
    stores: false,
    args: { queryAttributes: optional },
    body: { queryAttributes: {} },
    missing: { body: {}, answer: missing },
    wrong: { body: { queryAttributes: 'all' }, answer: invalid },
    async effect(site) {
      const category = await site.make('editor', '/categories', { name: 'Walked', slug: 'walked' });
      const write = (title: string, more: object) =>
        site.make('author', '/posts', { title, status: 'publish', categories: [category], ...more });
      const ids = [
        await write('One & all', { content: 'w '.repeat(300), date: '2026-03-01T12:00:00' }),
        await write('Two', { content: 'secret words', password: 'p' }),
        await write('Three', { content: '<b>Bold</b>' }),
      ];
      const list = async (queryAttributes: object) =>
        (await call(site, `POST ${blocks}/get-blog-posts`, { queryAttributes })).body.data;
      const tax = { additionalParams: 'tax', tax: 'category', taxSlug: 'walked', orderBy: 'id', order: 'ASC' };
      const first = await list({ ...tax, postsPerPage: 2 });
      expect(first.maxNumPages).toBe(2);
      expect(first.queriedPostsData.map(({ postID }: { postID: number }) => postID)).toEqual(ids.slice(0, 2));
      const [one, two] = first.queriedPostsData;
      expect(one).toMatchObject({
        title: 'One &amp; all',
        dateBoxed: '1 Mar',
        date: 'March 1, 2026',
        permalink: 'http://site.example/one-all/',
        authorName: 'author',
        isPasswordRequired: false,
        featuredImage: '',
      });
      expect(one.excerpt.length).toBe(180);
      expect([two.isPasswordRequired, two.excerpt, two.passwordForm]).toEqual([
        true,
        '',
        expect.stringContaining('form'),
      ]);
      const second = await list({ ...tax, postsPerPage: 2, next_page: 2 });
      expect(second.queriedPostsData.map(({ excerpt }: { excerpt: string }) => excerpt)).toEqual(['Bold']);
      const named = await list({ additionalParams: 'id', postIds: `${ids[2]},${ids[0]}` });
      expect(named.queriedPostsData.map(({ postID }: { postID: number }) => postID)).toEqual([ids[2], ids[0]]);
      expect(await list({ additionalParams: 'author', authorSlug: 'nobody' })).toEqual({ maxNumPages: 0 });
    },
  },
  {
    route: `POST ${blocks}/render-comments`,
    lowest: 'contributor',
    stores: false,
    args: { postID: optional, attributes: optional },
    body: { postID: 1, attributes: {} },
    missing: { body: { postID: 1 }, answer: missing },
    wrong: { body: { postID: 'x', attributes: {} }, answer: invalid },
    async effect(site) {
      const open = await site.make('author', '/posts', { title: 'Open', status: 'publish' });
      const closed = await site.make('author', '/posts', {
        title: 'Closed',
        status: 'publish',
        comment_status: 'closed',
      });
      const hidden = await site.make('editor', '/posts', { title: 'Hidden', status: 'private' });
      const render = async (postID: number, attributes: object) =>
        (await call(site, `POST ${blocks}/render-comments`, { postID, attributes })).body;
      const { data } = await render(open, { showCommentsForm: true, titleTag: 'script' });
      expect(data).toContain('<h3 class="comment-reply-title">');
      expect((await render(open, { titleTag: 'h2', showCommentsForm: true })).data).toContain('<h2 ');
      expect((await render(open, { showCommentsList: true })).data).toBe('');
      expect((await render(closed, { showCommentsForm: true })).data).toContain('closed');
      expect(await render(hidden, {})).toMatchObject({ status: 'error', data: [] });
    },
  },
  {
    route: `GET ${blocks}/get-contact-form`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const list = async () => (await call(site, `GET ${blocks}/get-contact-form`)).body;
      expect(await list()).toMatchObject({ status: 'error', data: [] });
      const id = await site.make('editor', '/pages', {
        title: 'Write us',
        template: 'contact-form',
        status: 'publish',
      });
      expect(await list()).toMatchObject({ status: 'success', data: { [id]: 'Write us' } });
      await site.call('editor', `PUT /pages/${id}`, { status: 'draft' });
      expect((await list()).data).toEqual([]);
    },
  },
  {
    route: `POST ${blocks}/render-contact-form`,
    lowest: 'contributor',
    stores: false,
    args: { formID: optional },
    body: { formID: 0 },
    missing: { body: {}, answer: missing },
    wrong: { body: { formID: -1 }, answer: invalid },
    async effect(site) {
      const id = await site.make('editor', '/pages', {
        title: 'Ask "us"',
        template: 'contact-form',
        status: 'publish',
      });
      const render = async (formID: unknown) =>
        (await call(site, `POST ${blocks}/render-contact-form`, { formID })).body;
      expect((await render(String(id))).data).toContain('aria-label="Ask');
      for (const none of [0, 999999]) expect(await render(none)).toMatchObject({ status: 'error', data: [] });
    },
  },
  {
    route: `POST ${blocks}/resize-image`,
    lowest: 'contributor',
    stores: true,
    args: { image_id: optional, custom_size: optional },
    body: { image_id: 1, custom_size: { width: 1, height: 1 } },
    missing: { body: { image_id: 1 }, answer: missing },
    wrong: { body: { image_id: 1, custom_size: 'large' }, answer: invalid },
    async effect(site) {
      const file = { name: 'wide.png', type: 'image/png', bytes: pngOf(40, 20) };
      const { body: media } = await uploadBody(site, 'author', file);
      const resize = async (width: unknown, height: unknown, image_id = media.id) =>
        (await call(site, `POST ${blocks}/resize-image`, { image_id, custom_size: { width, height } })).body;
      const { data } = await resize(10, 30);
      expect(data).toEqual({ url: media.source_url.replace('.png', '-10x20.png'), width: 10, height: 20 });
      const bytes = Buffer.from(await (await fetchFile(site, data.url)).arrayBuffer());
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([10, 20]);
      const position = site.position();
      expect((await resize('10', '20')).data).toEqual(data);
      expect(site.position()).toBe(position);
      for (const size of [
        [0, 5],
        [1.5, 5],
        [undefined, 5],
        ['wide', 5],
      ]) {
        expect(await resize(size[0], size[1])).toMatchObject({ status: 'error', data: [] });
      }
      expect(await resize(5, 5, 999999)).toMatchObject({ status: 'error' });
      await site.call('editor', `DELETE /media/${media.id}?force=true`);
      expect((await fetchFile(site, data.url)).status).toBe(404);
    },
    async seen(site) {
      const file = { name: 'seen.png', type: 'image/png', bytes: pngOf(40, 20) };
      const { body: media } = await uploadBody(site, 'author', file);
      const size = { image_id: media.id, custom_size: { width: 10, height: 10 } };
      const { data } = (await call(site, `POST ${blocks}/resize-image`, size)).body;
      expect((await fetchFile(site, data.url)).status).toBe(200);
    },
  },
  {
    route: `GET ${blocks}/get-products-list`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const list = async () => (await call(site, `GET ${blocks}/get-products-list`)).body;
      expect(await list()).toMatchObject({ status: 'error', data: [] });
      await openShop(site);
      const id = await site.make('author', '/products', {
        ...{ title: 'Chair', status: 'publish' },
        meta: { stock_status: 'outofstock' },
      });
      expect((await list()).data).toEqual({ [id]: { title: 'Chair', addToCartText: 'Read more' } });
    },
  },
  {
    route: `POST ${blocks}/get-products-list-query`,
    lowest: 'contributor',
    stores: false,
    args: { queryAttributes: optional },
    body: { queryAttributes: {} },
    missing: { body: {}, answer: missing },
    wrong: { body: { queryAttributes: { postsPerPage: 0 } }, answer: invalid },
    async effect(site) {
      await openShop(site).catch(() => undefined);
      const write = (title: string, meta: object) =>
        site.make('author', '/products', { title, status: 'publish', meta });
      const cheap = await write('Cheap', { regular_price: '10', sale_price: '8', average_rating: 3, total_sales: 9 });
      const good = await write('Good', { regular_price: '10', sale_price: '12', average_rating: 5, featured: true });
      const list = async (filterBy: string) =>
        (await call(site, `POST ${blocks}/get-products-list-query`, { queryAttributes: { filterBy } })).body.data;
      const names = async (filterBy: string) =>
        (await list(filterBy)).queriedProductsData.map(({ title }: { title: string }) => title);
      expect(await names('on_sale')).toEqual(['Cheap']);
      expect(await names('featured')).toEqual(['Good']);
      expect((await names('top_rated')).slice(0, 2)).toEqual(['Good', 'Cheap']);
      expect((await names('best_selling'))[0]).toBe('Cheap');
      const [shown] = (await list('on_sale')).queriedProductsData;
      expect(shown).toMatchObject({
        mark: ['sale'],
        productLink: 'http://site.example/product/cheap/',
        productPriceHTML: '<del>10</del> <ins>8</ins>',
        addToCartButtonParams: { buttonText: 'Add to cart', data_attrs: { product_id: cheap } },
      });
      expect(good).toBeGreaterThan(cheap);
    },
  },
];

import { expect } from 'vitest';
import { callPlugin } from '../../../support/plugins.ts';
import { openShop } from '../../../support/shop.ts';
import type { Site } from '../../../support/site.ts';
import { type Case, invalid, missing, pageAt } from './case.ts';

const root = '/builder/v3';
const call = (site: Site, request: string, body?: unknown) => callPlugin(site, 'contributor', request, body);
const get = async (site: Site, path: string, as: 'contributor' | 'editor' = 'contributor') =>
  (await callPlugin(site, as, `GET ${root}/${path}`)).body;
const post = async (site: Site, path: string, body: unknown) => (await call(site, `POST ${root}/${path}`, body)).body;
const optional = { required: false };
const required = { required: true };
const svg = '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

const block = (id: string) =>
  [
    `<!-- cms:builder/posts {"bldQueryId":"${id}","numberOfItems":2,"orderBy":"title","order":"asc","taxonomy":"TERM"} -->`,
    '<article><h2>!#title!#</h2><figure><img src="x.png"></figure><a href="!#postLink!#">!#readmoreText!#</a></article>',
    '<!-- /cms:builder/posts -->',
  ].join('');

/** Routes of builder/v3 for lists, look-ups and icons. */
export const builderCases: readonly Case[] = [
  {
    route: `GET ${root}/get_roles`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      expect(Object.entries(await get(site, 'get_roles'))[0]).toEqual(['administrator', 'Administrator']);
    },
  },
  {
    route: `POST ${root}/generate_hash`,
    lowest: 'contributor',
    stores: true,
    args: { custom_php: optional },
    body: {},
    wrong: { body: { custom_php: 5 }, answer: invalid },
    async effect(site) {
      const hash = (custom_php: string) => post(site, 'generate_hash', { custom_php });
      const first = await hash('<?php phpinfo();');
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(await hash('<?php phpinfo();')).toBe(first);
      expect(await hash('other')).not.toBe(first);
      const shared = await hash('hero-1');
      const seen = await fetch(`http://127.0.0.1:${site.port}/shared-designs/${shared}/`);
      expect([seen.status, await seen.text()]).toEqual([200, expect.stringContaining('Say it in one line')]);
      expect((await callPlugin(site, 'editor', `DELETE /builder/v2/shared_designs/${shared}`)).status).toBe(200);
    },
    async seen(site) {
      const hash = await post(site, 'generate_hash', { custom_php: 'hero-1' });
      expect((await pageAt(site, `/shared-designs/${hash}/`)).status).toBe(200);
    },
  },
  {
    route: `GET ${root}/get_shop_products`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      expect(await get(site, 'get_shop_products')).toEqual([]);
      await openShop(site);
      const id = await site.make('author', '/products', { title: 'Lamp & co', status: 'publish' });
      expect(await get(site, 'get_shop_products')).toEqual([{ label: `Lamp & co - ${id}`, value: id }]);
    },
  },
  {
    route: `GET ${root}/get_theme_fonts`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const choose = (slug: string) =>
        callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/activate-theme', { theme_slug: slug });
      await choose('wide');
      expect(await get(site, 'get_theme_fonts')).toEqual([]);
      await choose('plain');
      expect(await get(site, 'get_theme_fonts')).toEqual(['system-ui']);
    },
  },
  {
    route: `GET ${root}/terms`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const id = await site.make('editor', '/tags', { name: 'Used' });
      const used = async () => (await get(site, 'terms')).post.taxonomies.post_tag.terms;
      const term = expect.objectContaining({ term_id: id });
      expect(await used()).not.toContainEqual(term);
      await site.make('author', '/posts', { title: 'Tagged', tags: [id], status: 'publish' });
      expect(await used()).toContainEqual(
        expect.objectContaining({ term_id: id, term_taxonomy_id: id, taxonomy: 'post_tag', count: 1, filter: 'raw' }),
      );
      expect((await get(site, 'terms')).page.taxonomies).toEqual([]);
    },
  },
  {
    route: `GET ${root}/get_posts`,
    lowest: 'contributor',
    stores: false,
    wrong: { body: { posts_per_page: '101' }, answer: invalid },
    async effect(site) {
      const tag = await site.make('editor', '/tags', { name: 'Listed' });
      const write = (title: string, more: object) => site.make('editor', '/posts', { title, tags: [tag], ...more });
      const date = '2026-03-01T12:00:00';
      const open = await write('Open', { content: 'one two three', status: 'publish', date });
      const locked = await write('Locked', { content: 'hidden words', password: 'p', status: 'publish' });
      await write('Draft', { content: 'unseen', status: 'draft' });
      const list = (query: string) => get(site, `get_posts?tag__in=${tag}&${query}`);
      const rows = await list('post_status=any&orderby=ID&order=ASC&max_excerpt=2');
      expect(rows.map(({ ID }: { ID: number }) => ID)).toEqual([open, locked]);
      expect(rows[0]).toMatchObject({
        ...{ post_author: '2', post_date: '2026-03-01 12:00:00', post_content: 'one two three', comment_count: '0' },
        ...{ post_excerpt_builder: 'one two...', featured_image_urls: { full: '', thumbnail: '' }, post_type: 'post' },
      });
      expect([rows[1].post_content, rows[1].post_excerpt_builder]).toEqual(['', '']);
      expect(JSON.stringify(rows)).not.toContain('post_password');
      expect(await list('s=hidden')).toEqual([]);
      expect((await get(site, `get_posts?tag__in=${tag}&post_status=any`, 'editor')).length).toBe(3);
      expect(await list(`post__not_in=${open},${locked}`)).toEqual([]);
    },
  },
  {
    route: `GET ${root}/load-more`,
    lowest: 'anonymous',
    stores: false,
    args: { bldQueryId: optional, page: optional, num: optional },
    wrong: { body: { page: 'two' }, answer: invalid },
    async effect(site) {
      const term = await site.make('editor', '/categories', { name: 'Loaded' });
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `Item & ${letter}`);
      for (const title of names) await site.make('editor', '/posts', { title, categories: [term], status: 'publish' });
      const more = async (query: string) => {
        const { body, headers } = await callPlugin(site, 'anonymous', `GET ${root}/load-more?bldQueryId=${query}`);
        const titles = [...body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
        return { body, titles, total: headers.get('x-bld-total_posts') };
      };
      expect(await more('walked')).toEqual({ body: '', titles: [], total: null });
      const content = block('walked').replace('TERM', String(term));
      const holder = await site.make('editor', '/pages', { title: 'Holder', content, status: 'publish' });
      const [second, third] = [await more('walked&num=3'), await more('walked&num=3&page=3')];
      expect([...second.titles, ...third.titles]).toEqual(
        ['c', 'd', 'e', 'f', 'g'].map((letter) => `Item &amp; ${letter}`),
      );
      expect([second.total, third.total]).toEqual(['7', '7']);
      expect(second.body).not.toContain('<figure>');
      expect(second.body).toContain('href="http://site.example/item-c/"');
      await site.call('editor', `PUT /pages/${holder}`, { status: 'draft' });
      expect((await more('walked')).body).toBe('');
    },
  },
  {
    route: `GET ${root}/metabox/fieldset_text/(?P<meta_key>[\\S]+)/(?P<post_id>[\\d]+)/(?P<source>[\\S]+)`,
    request: `GET ${root}/metabox/fieldset_text/footnotes/1/undefined`,
    lowest: 'editor',
    stores: false,
    async effect(site) {
      const footnotes = JSON.stringify([
        { id: 'x', content: 'First <b>note</b>' },
        { id: 'y', content: '' },
      ]);
      const id = await site.make('editor', '/posts', { title: 'Noted', meta: { footnotes } });
      const options = (path: string) => get(site, `metabox/fieldset_text/${path}`, 'editor');
      expect(await options(`footnotes/${id}/undefined`)).toEqual([
        { value: 0, label: 'First note' },
        { value: 1, label: '1' },
      ]);
      expect(await options(`templates/${id}/site`)).toEqual([{ value: 0, label: 'page-no-title' }]);
      for (const path of [`a/b/${id}/undefined`, `__proto__/${id}/site`, 'footnotes/999999/undefined']) {
        expect(await options(path)).toBe('');
      }
    },
  },
  {
    route: `GET ${root}/engine/(?P<taxonomy>[\\S]+)/(?P<post_id>[\\d]+)`,
    request: `GET ${root}/engine/category/1`,
    lowest: 'editor',
    stores: false,
    async effect(site) {
      const tag = await site.make('editor', '/tags', { name: 'Engine' });
      const id = await site.make('editor', '/posts', { title: 'Driven', tags: [tag] });
      const { isEngineField, terms } = await get(site, `engine/post_tag/${id}`, 'editor');
      expect([isEngineField, terms[0], terms[2]]).toEqual([
        true,
        { label: 'None', value: 0, field: 'none' },
        { label: 'Engine - Slug', value: [tag, 'slug', 'text'] },
      ]);
      for (const path of [`a/b/${id}`, 'post_tag/999999']) {
        expect(await get(site, `engine/${path}`, 'editor')).toEqual({ isEngineField: false });
      }
    },
  },
  {
    route: `GET ${root}/shop/(?P<post_id>[\\d]+)`,
    request: `GET ${root}/shop/1`,
    lowest: 'editor',
    stores: false,
    async effect(site) {
      await openShop(site).catch(() => undefined);
      const attributes = [{ name: 'size', label: 'Size', options: ['S'] }];
      const id = await site.make('editor', '/products', { title: 'Shirt', meta: { attributes } });
      expect(await get(site, `shop/${id}`, 'editor')).toEqual([{ label: 'Size', value: 'size' }]);
      expect(await get(site, 'shop/999999', 'editor')).toEqual([]);
    },
  },
  {
    route: `GET ${root}/get_icon_library`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const icon = '<svg onload="x()"><script>1</script><a href="http://x.example"/><use href="#a"/></svg>';
      await post(site, 'update_icon_library', { name: 'Odd', key: 'odd', icon });
      const icons = await get(site, 'get_icon_library');
      expect(icons.at(-1)).toEqual({ name: 'Odd', key: 'odd', icon: '<svg><use href="#a"/></svg>' });
    },
  },
  {
    route: `POST ${root}/update_icon_library`,
    lowest: 'contributor',
    stores: true,
    args: { name: optional, key: optional, icon: optional },
    body: { icon: svg },
    missing: { body: {}, answer: invalid },
    wrong: { body: { icon: 5 }, answer: invalid },
    async effect(site) {
      const save = (body: object) => post(site, 'update_icon_library', body);
      const added = (await save({ name: 'Star', icon: svg })).at(-1);
      expect(added).toEqual({ name: 'Star', key: expect.stringMatching(/^star-[0-9a-f]{4}$/), icon: svg });
      await save({ name: 'Moon', key: 'moon', icon: svg });
      const renamed = await save({ name: 'Sun', key: added.key });
      expect(renamed.at(-2)).toEqual({ ...added, name: 'Sun' });
      const position = site.position();
      await save({ name: 'Sun', key: added.key });
      expect(site.position()).toBe(position);
      for (const icon of ['<p>no</p>', `${svg}${svg}`, 'x', `<svg>${'<g/>'.repeat(17_000)}</svg>`]) {
        expect((await save({ icon })).data.details.icon.code).toBe('invalid_param');
      }
    },
    async seen(site) {
      expect(await pageAt(site, '/cms-json/builder/v3/icons/moon')).toEqual({ status: 200, text: svg });
    },
  },
  {
    route: `POST ${root}/delete_from_icon_library`,
    lowest: 'contributor',
    stores: true,
    args: { key: optional },
    body: { key: 'none' },
    wrong: { body: { key: [] }, answer: invalid },
    async effect(site) {
      const before = (await post(site, 'update_icon_library', { key: 'gone', icon: svg })).length;
      expect(await post(site, 'delete_from_icon_library', { key: 'gone' })).toHaveLength(before - 1);
      const position = site.position();
      expect(await post(site, 'delete_from_icon_library', {})).toHaveLength(before - 1);
      expect(site.position()).toBe(position);
    },
    async seen(site) {
      expect((await pageAt(site, '/cms-json/builder/v3/icons/gone')).status).toBe(404);
    },
  },
  {
    route: `POST ${root}/sort_icon_library`,
    lowest: 'contributor',
    stores: true,
    args: { oldIndex: optional, newIndex: optional },
    body: {},
    wrong: { body: { oldIndex: '1' }, answer: invalid },
    async effect(site) {
      for (const key of ['s1', 's2', 's3']) await post(site, 'update_icon_library', { key, icon: svg });
      const keys = (icons: readonly { key: string }[]) => icons.map(({ key }) => key);
      const before = keys(await get(site, 'get_icon_library'));
      const [last] = before.slice(-1);
      const after = keys(await post(site, 'sort_icon_library', { oldIndex: before.length - 1, newIndex: 1 }));
      expect(after).toEqual([before[0], last, ...before.slice(1, -1)]);
      expect(keys(await get(site, 'get_icon_library'))).toEqual(after);
      const position = site.position();
      for (const oldIndex of [after.length, -1]) await post(site, 'sort_icon_library', { oldIndex, newIndex: 0 });
      expect(site.position()).toBe(position);
      expect(keys(await post(site, 'sort_icon_library', { newIndex: 999 })).at(-1)).toBe(after[0]);
    },
    async seen(site) {
      const first = (await get(site, 'get_icon_library'))[0].key;
      await post(site, 'sort_icon_library', { newIndex: 999 });
      expect((await get(site, 'get_icon_library')).at(-1).key).toBe(first);
    },
  },
];

const content = (site: Site, field_data: string) => post(site, 'content', { field_data });

/** Routes of builder/v3 for dynamic content. */
export const dynamicCases: readonly Case[] = [
  {
    route: `POST ${root}/sources`,
    lowest: 'contributor',
    stores: false,
    async effect(site) {
      const sources = await post(site, 'sources', {});
      expect(Object.keys(sources)).toEqual(['current-page', 'site', 'other-posts', 'latest-post']);
      expect(sources['other-posts']).toMatchObject({ with_input_box: true, with_search: true });
    },
  },
  {
    route: `POST ${root}/fields`,
    lowest: 'contributor',
    stores: false,
    args: { source: required, id: optional },
    body: { source: 'site' },
    missing: { body: {}, answer: missing },
    wrong: { body: { source: ['site'] }, answer: invalid },
    async effect(site) {
      const id = await site.make('author', '/posts', { title: 'Fields', status: 'publish' });
      const fields = (body: object) => post(site, 'fields', body);
      expect(Object.keys(await fields({ source: 'site' }))).toEqual(['site-tagline', 'site-title', 'site-url']);
      const all = await fields({ source: 'other-posts', id });
      expect(all['post-url']).toEqual({ title: 'Post URL', group: 'Post', type: 'link' });
      expect(all['footnotes']).toMatchObject({ data: { custom_field_type: 'meta' } });
      expect(await fields({ source: 'constructor' })).toEqual([]);
    },
  },
  {
    route: `POST ${root}/search`,
    lowest: 'contributor',
    stores: false,
    args: { search_term: optional, source: required },
    body: { source: 'site' },
    missing: { body: { search_term: 'x' }, answer: missing },
    wrong: { body: { source: 'site', search_term: 1 }, answer: invalid },
    async effect(site) {
      const id = await site.make('author', '/posts', { title: 'Quokka', status: 'publish' });
      await site.make('editor', '/posts', { title: 'Quokka unseen', status: 'draft' });
      const search = (source: string, search_term: string) => post(site, 'search', { source, search_term });
      expect(await search('other-posts', 'quokka')).toEqual({ [id]: `Quokka (#${id})` });
      expect(await search('latest-post', '3rd')).toMatchObject({
        'post-3': { title: '3rd Latest Post', group: 'Posts' },
        'page-3': { title: '3rd Latest Page', group: 'Pages' },
      });
      expect(await search('latest-post', '3RD')).toEqual([]);
      expect(await search('site', '')).toEqual([]);
    },
  },
  {
    route: `POST ${root}/entity`,
    lowest: 'contributor',
    stores: false,
    args: { id: required, source: required },
    body: { id: '1', source: 'site' },
    missing: { body: { id: 1 }, answer: missing },
    wrong: { body: { id: {}, source: 'site' }, answer: invalid },
    async effect(site) {
      const id = await site.make('author', '/posts', { title: 'Entity', status: 'publish' });
      const hidden = await site.make('editor', '/posts', { title: 'Hidden', status: 'private' });
      const entity = (source: string, wanted: unknown) => post(site, 'entity', { source, id: wanted });
      expect(await entity('other-posts', id)).toBe(`Entity (#${id})`);
      expect(await entity('other-posts', hidden)).toBe('');
      expect(await entity('latest-post', 'page-3')).toBe('3rd Latest Page');
      expect(await entity('latest-post', 'post-11')).toBe('');
    },
  },
  {
    route: `POST ${root}/content`,
    lowest: 'contributor',
    stores: false,
    args: { field_data: required },
    body: { field_data: 'site/site-title' },
    missing: { body: {}, answer: missing },
    wrong: { body: { field_data: 12 }, answer: invalid },
    async effect(site) {
      site.clock.now += 24 * 3600 * 1000;
      const category = await site.make('editor', '/categories', { name: 'Zoo & more' });
      const id = await site.make('author', '/posts', {
        ...{ title: 'A & B', content: 'one two three', status: 'publish', categories: [category] },
        date: '2026-03-02T09:05:00',
      });
      const locked = await site.make('editor', '/posts', {
        ...{ title: 'Locked', content: 'secret', excerpt: 'secret', password: 'p', status: 'publish' },
        date: '2026-01-01T00:00:00',
      });
      const hidden = await site.make('editor', '/posts', { title: 'Hidden', status: 'private' });
      const newest = await site.make('author', '/posts', { title: 'Newest', status: 'publish' });
      const field = (name: string) => content(site, `other-posts/${name}`);
      const link = 'http://site.example/a-b/';
      expect(await field(`post-title/${id}`)).toBe('A &amp; B');
      expect(await content(site, 'latest-post/post-id/post-1?has_format=true&format=No. %25s')).toBe(`No. ${newest}`);
      expect(await field(`post-url/${id}`)).toBe(link);
      expect(await field(`post-url/${id}?with_link=true&text=<b>&new_tab=true`)).toBe(
        `<a href="${link}" target="_blank" rel="noreferrer noopener">&lt;b&gt;</a>`,
      );
      expect(await field(`post-date/${id}?format=custom&custom_format=l, j F Y \\a\\t G:i A`)).toBe(
        'Monday, 2 March 2026 at 9:05 AM',
      );
      expect(await field(`post-taxonomy/${id}`)).toBe('Zoo &amp; more');
      expect(await field(`post-excerpt/${id}?length=2`)).toBe('one two...');
      expect(await field(`author-first-name/${id}`)).toBe('Author First Name Placeholder');
      expect(await field(`post-excerpt/${locked}`)).toBe('');
      for (const wrong of [
        ...[`post-url/${id}?with_link=true`, `post-title/${hidden}`, 'post-title', 'post-title/current'],
        ...[`__proto__/${id}`, `post-taxonomy/${id}?term=nothing`],
      ]) {
        expect([wrong, await field(wrong)]).toEqual([wrong, { error: expect.any(String) }]);
      }
      for (const wrong of ['', 'site', 'nowhere/x', 'site/x/y/z']) {
        expect(await content(site, wrong)).toEqual({ error: expect.any(String) });
      }
    },
  },
];

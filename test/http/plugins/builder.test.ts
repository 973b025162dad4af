import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { openShop } from '../../support/shop.ts';
import type { As, Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

const root = '/builder/v3';
let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const get = (path: string, as: As = 'contributor') => callPlugin(site, as, `GET ${root}/${path}`);
const post = async (path: string, body: unknown, as: As = 'contributor') =>
  (await callPlugin(site, as, `POST ${root}/${path}`, body)).body;
const write = (title: string, more: object = {}) =>
  site.make('editor', '/posts', { title, content: title, status: 'publish', ...more });

describe('get_posts', () => {
  const list = async (query: string, as: As = 'contributor') => (await get(`get_posts?${query}`, as)).body;
  const idsOf = async (query: string, as?: As) => (await list(query, as)).map(({ ID }: { ID: number }) => ID);

  it('returns posts with all properties that blocks use', async () => {
    const file = { name: 'wide.png', type: 'image/png', bytes: pngOf(600, 300) };
    const image = (await uploadBody(site, 'author', file)).body;
    const category = await site.make('editor', '/categories', { name: 'Row', slug: 'row' });
    const said = await write('Said', { comment_status: 'open' });
    for (const content of ['One', 'Two']) await site.make('editor', '/comments', { post: said, content });
    expect((await list(`post__in=${said}`))[0]).toMatchObject({ comment_count: '2', comments_num: '2 comments' });
    const id = await write('Row & more', {
      ...{ content: '<p>one two three</p>', excerpt: 'a b c', date: '2026-02-01T10:00:00' },
      ...{ featured_media: image.id, categories: [category], comment_status: 'closed' },
    });
    const [row] = await list(`post__in=${id}&max_excerpt=2`);
    const size = (name: string) => image.media_details.sizes[name].source_url;
    expect(row).toEqual({
      ...{ ID: id, post_author: '2', post_date: '2026-02-01 10:00:00', post_date_gmt: '2026-02-01 09:00:00' },
      ...{ post_content: '<p>one two three</p>', post_title: 'Row & more', post_excerpt: 'a b c' },
      ...{ post_status: 'publish', comment_status: 'closed', ping_status: 'open', post_name: 'row-more' },
      ...{ post_modified: expect.stringMatching(/^\S+ \S+$/), post_modified_gmt: expect.stringMatching(/^\S+ \S+$/) },
      ...{ post_parent: 0, guid: `http://site.example/?p=${id}`, menu_order: 0, post_type: 'post', post_mime_type: '' },
      ...{ comment_count: '0', comments_num: '0 comments', post_excerpt_builder: 'a b...' },
      author_info: { name: 'editor', url: 'http://site.example/author/editor/' },
      category_list: '<a href="http://site.example/category/row/" rel="category tag">Row</a>',
      featured_image_urls: {
        full: [image.source_url, 600, 300, false],
        thumbnail: [size('thumbnail'), 150, 150, true],
        medium: [size('medium'), 300, 150, true],
        large: [image.source_url, 600, 300, false],
      },
    });
  });

  it('filters and sorts by the documented parameters only', async () => {
    const [x, y] = [
      await site.make('editor', '/categories', { name: 'X' }),
      await site.make('editor', '/tags', { name: 'Y' }),
    ];
    const below = await site.make('editor', '/categories', { name: 'Below', parent: x });
    const a = await write('Bee', { categories: [x], date: '2026-01-03T00:00:00' });
    const b = await write('Ant', { categories: [x], tags: [y], date: '2026-01-01T00:00:00' });
    const c = await write('Cat', { categories: [below], date: '2026-01-02T00:00:00' });
    const all = `cat=${x}`;
    expect(await idsOf(all)).toEqual([a, c, b]);
    expect(await idsOf(`${all}&orderby=title&order=ASC`)).toEqual([b, a, c]);
    expect(await idsOf(`${all}&orderby=ID&order=asc`)).toEqual([a, b, c]);
    expect(await idsOf(`category__in=${x}`)).toEqual([a, b]);
    expect(await idsOf(`cat=${x},-${below}`)).toEqual([a, b]);
    expect(await idsOf(`${all}&category__not_in[]=${below}&tag__not_in[]=${y}`)).toEqual([a]);
    expect(await idsOf(`tag__in=${y}`)).toEqual([b]);
    expect(await idsOf(`post__in=${b},${c},${a}&orderby=post__in`)).toEqual([b, c, a]);
    expect(await idsOf(`${all}&post__not_in=${a}`)).toEqual([c, b]);
    expect(await idsOf(`${all}&posts_per_page=1&paged=2`)).toEqual([c]);
    expect(await idsOf(`${all}&posts_per_page=1&paged=2&offset=2`)).toEqual([b]);
    expect(await idsOf(`${all}&s=bee&orderby=relevance`)).toEqual([a]);
    expect(await idsOf(`${all}&meta_key=x&post_mime_type=image&has_password=1&fields=ids`)).toEqual([a, c, b]);
    for (const wrong of ['posts_per_page=-1', 'posts_per_page=0', 'post_type=attachment', 'orderby=rand', 'order=up']) {
      expect([wrong, (await list(wrong)).code]).toEqual([wrong, 'rest_invalid_param']);
    }
    for (let n = 0; n < 11; n++) await site.make('editor', '/pages', { title: `P${n}`, status: 'publish' });
    expect(await idsOf('post_type=page')).toHaveLength(10);
    expect(await list('post_type=product')).toEqual([]);
  });

  it('returns unpublished posts only to users who may read them, and hides protected content', async () => {
    const tag = await site.make('editor', '/tags', { name: 'Shown' });
    const by = (as: As, status: string) =>
      site.make(as, '/posts', { title: status, content: 'c', tags: [tag], status });
    const own = await by('contributor', 'draft');
    const other = await by('editor', 'draft');
    const hidden = await by('editor', 'private');
    const locked = await write('Locked', {
      tags: [tag],
      content: 'inside',
      excerpt: 'in short',
      password: 'open-sesame',
    });
    const query = `tag__in=${tag}&post_status=draft,private,publish&orderby=ID&order=ASC`;
    expect(await idsOf(query)).toEqual([own, locked]);
    expect(await idsOf(query, 'editor')).toEqual([own, other, hidden, locked]);
    expect(await idsOf(`tag__in=${tag}`)).toEqual([locked]);
    const texts = async (as: As) => {
      const [row] = await list(`post__in=${locked}`, as);
      expect(JSON.stringify(row)).not.toContain('open-sesame');
      return [row.post_content, row.post_excerpt, row.post_excerpt_builder];
    };
    expect(await texts('author')).toEqual(['', '', '']);
    expect(await texts('editor')).toEqual(['inside', 'in short', 'in short']);
  });
});

describe('look-ups', () => {
  it('match the longest prefix of a path that leaves a match for the rest', async () => {
    const footnotes = JSON.stringify([{ id: 'x', content: 'Note' }]);
    const id = await write('Noted', { meta: { footnotes } });
    const options = async (path: string) => (await get(`metabox/fieldset_text/${path}`, 'editor')).body;
    expect(await options(`footnotes/${id}/undefined`)).toEqual([{ value: 0, label: 'Note' }]);
    for (const path of [
      `footnotes/${id}/undefined/${id}/undefined`,
      `footnotes/${id}/undefined/more`,
      `x/1/footnotes/${id}/site`,
    ]) {
      expect([path, await options(path)]).toEqual([path, '']);
    }
    expect((await get(`metabox/fieldset_text/footnotes/x/undefined`, 'editor')).body.code).toBe('rest_no_route');
  });
});

describe('dynamic content', () => {
  const field = (text: string, as?: As) => post('content', { field_data: text }, as);

  it('has sources that describe themselves', async () => {
    expect(await post('sources', {})).toEqual({
      'current-page': { title: expect.any(String) },
      site: { title: expect.any(String) },
      ...Object.fromEntries(
        ['other-posts', 'latest-post'].map((source) => [
          source,
          {
            ...{ title: expect.any(String), with_input_box: true, with_search: true },
            ...{ input_label: expect.any(String), input_placeholder: expect.any(String) },
          },
        ]),
      ),
    });
  });

  it('has a value for every field offered', async () => {
    const image = (await uploadBody(site, 'author', { name: 'f.png', type: 'image/png', bytes: pngOf(9, 9) })).body;
    const category = await site.make('editor', '/categories', { name: 'Filled' });
    const id = await write('Filled & more', {
      ...{ content: 'all of it', excerpt: 'in short', date: '2026-02-04T05:06:07', categories: [category] },
      ...{ featured_media: image.id, meta: { footnotes: '[]' } },
    });
    const link = 'http://site.example/filled-more/';
    const author = 'http://site.example/author/editor/';
    const expected: Readonly<Record<string, unknown>> = {
      'post-title': 'Filled &amp; more',
      'post-url': link,
      'post-id': String(id),
      'post-slug': 'filled-more',
      'post-taxonomy': 'Filled',
      'post-excerpt': 'in short',
      'post-date': 'February 4, 2026',
      'post-date-gmt': 'February 4, 2026',
      'post-modified': expect.stringMatching(/^[A-Z][a-z]+ \d+, \d{4}$/),
      'post-modified-gmt': expect.stringMatching(/^[A-Z][a-z]+ \d+, \d{4}$/),
      'post-type': 'post',
      'post-status': 'publish',
      'author-name': 'editor',
      'author-id': '2',
      'author-posts-url': author,
      'author-profile-picture': expect.stringMatching(/^http/),
      'author-posts': expect.stringMatching(/^\d+$/),
      'author-first-name': 'Author First Name Placeholder',
      'author-last-name': 'Author Last Name Placeholder',
      'comment-number': '0',
      'comment-status': 'open',
      'featured-image-data': image.source_url,
      footnotes: '[]',
    };
    const offered = await post('fields', { source: 'other-posts', id });
    expect(Object.keys(offered)).toEqual(Object.keys(expected));
    const groups = new Set(Object.values(offered).map((one) => (one as { group: string }).group));
    expect([...groups]).toEqual(['Post', 'Author', 'Comment', 'Media', 'Custom Fields']);
    const types = Object.entries(offered).flatMap(([name, one]) => {
      const { type } = one as { type?: string };
      return type === undefined ? [] : `${name} ${type}`;
    });
    expect(types).toEqual([
      ...['post-url link', 'author-posts-url link'],
      ...['author-profile-picture image-url', 'featured-image-data image-url'],
    ]);
    for (const source of ['current-page', 'other-posts']) {
      for (const [name, value] of Object.entries(expected)) {
        expect([name, await field(`${source}/${name}/${id}`)]).toEqual([name, value]);
      }
    }
    const ofSite = {
      'site-tagline': 'Site Tagline Placeholder',
      'site-title': 'Palimpsest',
      'site-url': 'http://site.example',
    };
    expect(Object.keys(await post('fields', { source: 'site' }))).toEqual(Object.keys(ofSite));
    for (const [name, value] of Object.entries(ofSite)) expect(await field(`site/${name}`)).toBe(value);
  });

  it('is formatted by its arguments', async () => {
    const tags = [];
    for (const name of ['One', 'Two', 'Three']) tags.push(await site.make('editor', '/tags', { name }));
    const id = await write('Told', { content: 'a b c d', tags, date: '2025-11-02T15:04:05' });
    const told = (name: string) => field(`other-posts/${name.replace('ID', String(id))}`);
    const link = 'http://site.example/told/';
    expect(await told('post-title/ID?with_link=true')).toBe(`<a href="${link}">Told</a>`);
    expect(await told('post-title/ID?with_link=false')).toBe('Told');
    expect(await told('author-name/ID?with_link=1&new_tab=1')).toBe(
      '<a href="http://site.example/author/editor/" target="_blank" rel="noreferrer noopener">editor</a>',
    );
    expect(await told('post-url/ID?with_link=true&text=')).toEqual({ error: expect.any(String) });
    expect(await told('post-id/ID?has_format=true&format=%25s of %25s')).toBe(`${id} of ${id}`);
    expect(await told('post-id/ID?format=%25s!')).toBe(String(id));
    const letters = 'd j D l|n m M F|Y y|H G h g i s A a|\\Y';
    expect(await told(`post-date/ID?format=custom&custom_format=${letters}`)).toBe(
      '02 2 Sun Sunday|11 11 Nov November|2025 25|15 15 03 3 04 05 PM pm|Y',
    );
    expect(await told('post-date/ID?format=Y-m-d')).toBe('2025-11-02');
    expect(await told('post-taxonomy/ID?term=post_tag&delimiter= <')).toBe('One &lt;Three &lt;Two');
    expect(await told('post-taxonomy/ID?term=post_tag&display_option=2')).toBe('One, Three');
    expect(await told('post-taxonomy/ID?term=post_tag&display_option=11')).toEqual({ error: expect.any(String) });
    expect(await told('post-excerpt/ID?length=3')).toBe('a b c...');
    expect(await told('post-excerpt/ID?length=4')).toBe('a b c d');
  });

  it('addresses the ten newest entries by rank', async () => {
    const own = await startPluginSite('B');
    for (let n = 1; n <= 11; n++) {
      await own.make('editor', '/posts', { title: `Post ${n}`, status: 'publish', date: `2026-01-${10 + n}T00:00:00` });
    }
    await own.make('editor', '/posts', { title: 'Draft', status: 'draft' });
    const ask = async (path: string, body: unknown) =>
      (await callPlugin(own, 'contributor', `POST ${root}/${path}`, body)).body;
    const titles: string[] = [];
    for (let n = 1; n <= 10; n++) titles.push(await ask('content', { field_data: `latest-post/post-title/post-${n}` }));
    expect(titles).toEqual(Array.from({ length: 10 }, (_, n) => `Post ${11 - n}`));
    for (const id of ['post-0', 'post-11', 'page-1', 'product-1', 'post-1x']) {
      const answer = await ask('content', { field_data: `latest-post/post-title/${id}` });
      expect([id, answer]).toEqual([id, { error: expect.any(String) }]);
    }
    const names = await ask('search', { source: 'latest-post' });
    expect(Object.keys(names)).toEqual(['post', 'page'].flatMap((kind) => titles.map((_, n) => `${kind}-${n + 1}`)));
    expect(Object.values(names)[1]).toEqual({ title: '2nd Latest Post', group: 'Posts' });
    expect(names['page-10']).toEqual({ title: '10th Latest Page', group: 'Pages' });
    await openShop(own);
    expect(await ask('entity', { source: 'latest-post', id: 'product-3' })).toBe('3rd Latest Product');
    expect(Object.values(await ask('search', { source: 'other-posts', search_term: 'post' }))).toHaveLength(5);
    expect(await ask('search', { source: 'other-posts' })).toMatchObject({ 11: 'Post 11 (#11)' });
    await own.close();
  });
});

describe('unpublished and protected content', () => {
  it('is not revealed by any route, neither its text nor its existence', async () => {
    const [tag, secret] = [await site.make('editor', '/tags', { name: 'Leak' }), 'xylophone'];
    const meta = { footnotes: JSON.stringify([{ id: 'a', content: secret }]) };
    const fields = { title: secret, content: secret, excerpt: secret, slug: secret, tags: [tag], meta };
    const block =
      '<!-- cms:builder/posts {"bldQueryId":"leaks","numberOfItems":1,"postOffset":0} --><i>!#title!# !#excerpt!#</i><!-- /cms:builder/posts -->';
    await site.make('editor', '/pages', { title: 'Holder', content: block, status: 'publish' });
    const ids = [];
    for (const more of [
      { status: 'draft' },
      { status: 'pending' },
      { status: 'private' },
      { status: 'future', date: '2031-01-01T00:00:00' },
    ]) {
      ids.push(await site.make('editor', '/posts', { ...fields, ...more }));
    }
    const thrown = await site.make('editor', '/posts', { ...fields, status: 'publish' });
    await site.call('editor', `DELETE /posts/${thrown}`);
    const locked = await site.make('editor', '/posts', {
      ...fields,
      title: 'Locked',
      slug: 'locked',
      status: 'publish',
      password: 'p',
    });
    const [gets, posts] = [
      [
        'get_posts?post_status=any&posts_per_page=100',
        `get_posts?s=${secret}&post_status=any`,
        'load-more?bldQueryId=leaks&num=100',
        'terms',
      ],
      [
        ['search', { source: 'other-posts', search_term: secret }],
        ['search', { source: 'other-posts', search_term: 'lock' }],
      ] as const,
    ];
    const texts = [];
    for (const path of gets) texts.push((await get(path)).text);
    for (const [path, body] of posts) texts.push(JSON.stringify(await post(path, body)));
    for (const id of [...ids, thrown, locked]) {
      texts.push(JSON.stringify(await post('search', { source: 'other-posts', search_term: String(id) })));
      texts.push(JSON.stringify(await post('entity', { source: 'other-posts', id })));
      for (const name of ['post-title', 'post-excerpt', 'post-slug', 'footnotes']) {
        texts.push(JSON.stringify(await post('content', { field_data: `other-posts/${name}/${id}` })));
      }
    }
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect((await get('get_posts?post_status=any&posts_per_page=100', 'editor')).text).toContain(secret);
  });
});

describe('the salt of the builder', () => {
  it('gives the same hash after a rebuild and a restart, and differs between sites', async () => {
    const hash = () => post('generate_hash', { custom_php: 'phpinfo();' });
    const before = await hash();
    await site.rebuild();
    expect(await hash()).toBe(before);
    await site.restart();
    expect(await hash()).toBe(before);
    const other = await startPluginSite('B');
    const elsewhere = await callPlugin(other, 'contributor', `POST ${root}/generate_hash`, {
      custom_php: 'phpinfo();',
    });
    expect(elsewhere.body).not.toBe(before);
    await other.close();
    const [made] = [...site.node.log.read({ stream: 'plugin-builder-salt' })];
    expect(made?.type).toBe('SaltMade');
    expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
    const empty = await post('generate_hash', {});
    expect(await post('generate_hash', { custom_php: '' })).toBe(empty);
    expect((await callPlugin(site, 'contributor', `POST ${root}/generate_hash`)).body).toBe(empty);
  });
});

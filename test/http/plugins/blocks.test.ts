import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../../support/node.ts';
import { callPlugin, pluginArgs, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { fetchFile, pngOf, uploadBody } from '../../support/uploads.ts';
import { builderCases, dynamicCases } from './cases/builder.ts';
import { libraryCases } from './cases/builder-library.ts';
import type { Case } from './cases/case.ts';
import { themeBlocksCases } from './cases/theme-blocks.ts';

const casesOf: Readonly<Record<'A' | 'B', readonly Case[]>> = {
  A: themeBlocksCases,
  B: [...builderCases, ...dynamicCases, ...libraryCases],
};
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: [deep(levels - 1)] });
const words = [
  ...[
    'widget',
    'other-posts',
    'latest-post',
    'site',
    'post-1',
    'page-10',
    'id',
    'tax',
    'rand',
    'custom',
    'best_selling',
  ],
  ...['other-posts/post-date/1?format=l', 'other-posts/post-title/1?with_link[]=1', 'latest-post/__proto__/post-1'],
  ...['<svg/>', '<svg><g', '<svg>\ud800</svg>', '3,1,2', '__proto__', 'constructor', 'relevance', 'post__in'],
  ...['\0', 'a\0b', '\ud800', 'x'.repeat(70_000), '99999999999999999999', '1e999', '-0', '%', '../..'],
];
const memberNames = [
  ...[
    'key',
    'values',
    'width',
    'height',
    'postsPerPage',
    'orderBy',
    'order',
    'next_page',
    'additionalParams',
    'postIds',
  ],
  ...['tax', 'taxSlug', 'taxIn', 'authorSlug', 'excerptLength', 'imagesProportion', 'customImageWidth', 'filterBy'],
  ...['showCommentsForm', 'titleTag', '__proto__', 'constructor'],
];
const plain = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1, 1e308, 2 ** 53, 1.5, true, false, deep(40), deep(400), ...words),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);
const members = fc.dictionary(fc.constantFrom(...memberNames), plain, { maxKeys: 4 });
const odd = fc.oneof(plain, members, fc.array(members, { maxLength: 3 }));

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const inQuery = ['on_sale', 'featured', 'top_rated', 'best_selling', ''];
const fieldNames = ['post-title', 'post-excerpt', 'post-taxonomy', 'author-posts', 'featured-image-data', 'footnotes'];

/** All reads of a deployment, about the items with these ids. */
function readsOf(deployment: 'A' | 'B', ids: readonly number[]): readonly (readonly [string, unknown?])[] {
  const [blocks, builder] = ['/theme-blocks/v1', '/builder/v3'];
  const common: (readonly [string, unknown?])[] = [
    ...['GET /', 'GET /cms-site-health/v1', 'GET /cms-block-editor/v1'].map((request) => [request] as const),
    ...ids.map((id) => [`GET /oembed/1.0/embed?url=http://site.example/?p=${id}`] as const),
  ];
  if (deployment === 'A') {
    const queries = [{ orderBy: 'rand' }, ...inQuery.map((filterBy) => ({ filterBy, postsPerPage: -1 }))];
    return [
      ...common,
      ...['', 'widget', 'template', ...ids].map((id) => [`GET ${blocks}/get-styles?page_id=${id}`] as const),
      ...queries.flatMap((queryAttributes) => [
        [`POST ${blocks}/get-blog-posts`, { queryAttributes }] as const,
        [`POST ${blocks}/get-products-list-query`, { queryAttributes }] as const,
      ]),
      ...['get-contact-form', 'get-products-list'].map((path) => [`GET ${blocks}/${path}`] as const),
      ...ids.flatMap((id) => [
        [`POST ${blocks}/render-comments`, { postID: id, attributes: { showCommentsForm: true } }] as const,
        [`POST ${blocks}/render-contact-form`, { formID: id }] as const,
      ]),
    ];
  }
  const lists = [
    'get_roles',
    'get_shop_products',
    'get_theme_fonts',
    'terms',
    'get_icon_library',
    'load-more?bldQueryId=kept',
  ];
  return [
    ...common,
    ...lists.map((path) => [`GET ${builder}/${path}`] as const),
    ...['post', 'page', 'product'].map(
      (type) => [`GET ${builder}/get_posts?post_type=${type}&post_status=any&posts_per_page=100`] as const,
    ),
    [`POST ${builder}/generate_hash`, { custom_php: 'x' }],
    [`POST ${builder}/sources`, {}],
    ...['other-posts', 'latest-post', 'site'].flatMap((source) => [
      [`POST ${builder}/search`, { source, search_term: '' }] as const,
      [`POST ${builder}/fields`, { source, id: 'post-1' }] as const,
      [`POST ${builder}/entity`, { source, id: 'post-1' }] as const,
    ]),
    ...ids.flatMap((id) => [
      ...[
        `metabox/fieldset_text/footnotes/${id}/undefined`,
        `engine/category/${id}`,
        `engine/post_tag/${id}`,
        `shop/${id}`,
      ].map((path) => [`GET ${builder}/${path}`] as const),
      [`GET /builder/v2/design/v3/page-${id}`] as const,
      [`POST ${builder}/fields`, { source: 'other-posts', id }] as const,
      ...fieldNames.map((name) => [`POST ${builder}/content`, { field_data: `other-posts/${name}/${id}` }] as const),
    ]),
    ['GET /builder/v2/design_library'],
    ['GET /builder/v2/design/v3/hero-1'],
  ];
}

describe.each(['A', 'B'] as const)('blocks of deployment %s', (deployment) => {
  let site: Site;
  const cases = casesOf[deployment];
  beforeAll(async () => {
    site = await startPluginSite(deployment);
  });
  afterAll(() => site.close());

  it('return the same after a rebuild and after a restart', async () => {
    for (const { effect } of cases) await effect(site);
    const content =
      '<!-- cms:builder/posts {"bldQueryId":"kept","numberOfItems":1} -->!#title!#<!-- /cms:builder/posts -->';
    const last = await site.make('editor', '/pages', { title: 'Kept', content, status: 'publish' });
    if (deployment === 'B') {
      await callPlugin(site, 'editor', 'POST /builder/v2/design_library_dev_mode', { devmode: true });
    }
    const reads = readsOf(
      deployment,
      Array.from({ length: last }, (_, n) => n + 1),
    );
    const answers = async () => {
      const texts: string[] = [];
      for (const [request, body] of reads) {
        const { status, text } = await callPlugin(site, 'editor', request, body);
        texts.push(`${request} ${JSON.stringify(body)} ${status} ${text}`);
      }
      return texts;
    };
    const before = await answers();
    expect(before.filter((text) => text.includes('rest_no_route'))).toEqual([]);
    await site.rebuild();
    expect(await answers()).toEqual(before);
    await site.restart();
    expect(await answers()).toEqual(before);
  });

  it('never answer odd input with a 5xx', async () => {
    const table = pluginArgs(deployment);
    const routed = cases.map((one) => ({ ...one, args: table.get(one.route.replace(/^\S+ /, '')) ?? {} }));
    const calls = fc.constantFrom(...routed).chain(({ route, request = route, args, body = {} }) => {
      const names = [...Object.keys(args), '__proto__', 'context', '_fields'];
      const sent = fc.dictionary(fc.constantFrom(...names), odd, { minKeys: 1, maxKeys: 3 });
      return sent.map((more) => ({ request, body: { ...body, ...more } }));
    });
    await fc.assert(
      fc.asyncProperty(calls, async ({ request, body }) => {
        const sent = Object.entries(body).map(([name, value]): [string, string] => [
          name,
          textOf(value).slice(0, 3000),
        ]);
        const { status } = request.startsWith('GET')
          ? await callPlugin(site, 'editor', `${request}?${new URLSearchParams(sent)}`)
          : await callPlugin(site, 'editor', request, JSON.stringify(body));
        expect([request, body, status]).toEqual([request, body, expect.toSatisfy((code: number) => code < 500)]);
      }),
      { numRuns: 600 },
    );
  });
});

describe('a resized copy of an image', () => {
  it('keeps its URL across a rebuild, is not garbage, and is not made twice', async () => {
    const site = await startPluginSite('A');
    const { body: media } = await uploadBody(site, 'author', {
      name: 'cut.png',
      type: 'image/png',
      bytes: pngOf(9, 9),
    });
    const body = { image_id: media.id, custom_size: { width: 4, height: 3 } };
    const cut = async () => (await callPlugin(site, 'contributor', 'POST /theme-blocks/v1/resize-image', body)).body;
    const { url } = (await cut()).data;
    const bytes = async () => Buffer.from(await (await fetchFile(site, url)).arrayBuffer());
    const before = await bytes();
    expect([before.readUInt32BE(16), before.readUInt32BE(20)]).toEqual([4, 3]);
    expect(await site.node.store.garbage.list()).toEqual([]);
    await site.node.store.followed();
    const rows = dump(site.directory);
    await site.rebuild();
    expect(dump(site.directory)).toEqual(rows);
    expect((await bytes()).equals(before)).toBe(true);
    const position = site.position();
    expect((await cut()).data).toEqual({ url, width: 4, height: 3 });
    expect(site.position()).toBe(position);
    await site.close();
  });
});

describe('the builder', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite('B');
  });
  afterAll(() => site.close());
  const post = async (path: string, body: unknown) =>
    (await callPlugin(site, 'contributor', `POST /builder/v3/${path}`, body)).body;

  it('sorts the icon library by moving one icon to its place', async () => {
    const icon = '<svg/>';
    for (const key of ['a', 'b', 'c', 'd']) await post('update_icon_library', { key, icon });
    const keys = (icons: readonly { key: string }[]) => icons.map(({ key }) => key);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -1, max: 5 }), fc.integer({ min: -2, max: 9 }), async (oldIndex, newIndex) => {
        const before = keys((await callPlugin(site, 'contributor', 'GET /builder/v3/get_icon_library')).body);
        const after = keys(await post('sort_icon_library', { oldIndex, newIndex }));
        const moved = before[oldIndex];
        if (oldIndex < 0 || moved === undefined) expect(after).toEqual(before);
        else expect(after[Math.min(Math.max(newIndex, 0), 3)]).toBe(moved);
        expect(after.toSorted()).toEqual(['a', 'b', 'c', 'd']);
        expect(after.filter((key) => key !== moved)).toEqual(before.filter((key) => key !== moved));
      }),
      { numRuns: 60 },
    );
  });

  it('loads the rest of a list page by page, whatever the page size', async () => {
    const titles = Array.from({ length: 11 }, (_, n) => `Post ${String(n).padStart(2, '0')}`);
    for (const title of titles) await site.make('editor', '/posts', { title, status: 'publish' });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        fc.integer({ min: 1, max: 5 }),
        async (items, skip, num) => {
          const id = `q-${items}-${skip}`;
          const attributes = { bldQueryId: id, numberOfItems: items, postOffset: skip, orderBy: 'title', order: 'asc' };
          const content = `<!-- cms:builder/posts ${JSON.stringify(attributes)} --><i>!#title!#</i><!-- /cms:builder/posts -->`;
          await site.make('editor', '/pages', { title: id, content, status: 'publish' });
          const shown: string[] = [];
          for (let page = 2; page < 14; page++) {
            const path = `/builder/v3/load-more?bldQueryId=${id}&page=${page}&num=${num}`;
            const { body, headers } = await callPlugin(site, 'anonymous', `GET ${path}`);
            expect(headers.get('x-bld-total_posts')).toBe(String(titles.length - skip));
            shown.push(...[...body.matchAll(/<i>(.*?)<\/i>/g)].map(([, title]) => title));
          }
          expect(shown).toEqual(titles.slice(skip + items));
        },
      ),
      { numRuns: 12 },
    );
  });

  it('finds a block after a rebuild, until it is removed', async () => {
    const content = '<!-- cms:builder/posts {"bldQueryId":"again"} -->!#title!#<!-- /cms:builder/posts -->';
    const marked = await site.call('editor', 'POST /posts', { title: 'Marks', content, status: 'publish' });
    expect(marked.body.excerpt.rendered).not.toContain('!#');
    await site.call('editor', `DELETE /posts/${marked.body.id}?force=true`);
    const page = await site.make('editor', '/pages', { title: 'Again', content, status: 'publish' });
    const load = async () => (await callPlugin(site, 'anonymous', 'GET /builder/v3/load-more?bldQueryId=again')).text;
    const before = await load();
    expect(before).toContain('Post');
    await site.rebuild();
    expect(await load()).toBe(before);
    await site.call('editor', `PUT /pages/${page}`, { content: 'No block' });
    expect(await load()).toBe('""');
  });

  it('never shows protected or unpublished content in a list of posts', async () => {
    const content = '<!-- cms:builder/posts {"bldQueryId":"leak"} --><i>!#excerpt!#</i><!-- /cms:builder/posts -->';
    await site.make('editor', '/posts', { title: 'P', content: 'secret text', password: 'p', status: 'publish' });
    await site.make('editor', '/posts', { title: 'D', content: 'secret text', status: 'draft' });
    const holder = await site.make('editor', '/pages', { title: 'H', content, status: 'publish' });
    const load = async () =>
      (await callPlugin(site, 'anonymous', 'GET /builder/v3/load-more?bldQueryId=leak&num=100')).text;
    expect(await load()).toContain('<i>');
    expect(await load()).not.toContain('secret');
    await site.call('editor', `PUT /pages/${holder}`, { password: 'p' });
    expect(await load()).toBe('""');
  });
});

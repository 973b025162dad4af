import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../../support/node.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { openShop } from '../../support/shop.ts';
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
const names = [
  ...['options', 'page_id', 'queryAttributes', 'postID', 'attributes', 'formID', 'image_id', 'custom_size'],
  ...['field_data', 'source', 'id', 'search_term', 'name', 'key', 'icon', 'oldIndex', 'newIndex', 'custom_php'],
  ...[
    'block',
    'slug',
    'data',
    'save',
    'devmode',
    'reset',
    'bldQueryId',
    'page',
    'num',
    'post_type',
    'cat',
    's',
    'orderby',
  ],
];
const words = [
  ...[
    'widget',
    'other-posts',
    'latest-post',
    'site',
    'post-1',
    'page-10',
    'other-posts/post-date/1?format=l',
    '<svg/>',
  ],
  ...['<svg><g', '3,1,2', '__proto__', 'constructor', 'relevance', 'post__in', 'rand', 'custom', 'odd'],
];
const members = fc.dictionary(
  fc.constantFrom(
    'key',
    'values',
    'width',
    'height',
    'postsPerPage',
    'orderBy',
    'postIds',
    'additionalParams',
    '__proto__',
  ),
  fc.oneof(fc.integer(), fc.constantFrom(...words), fc.constant([]), fc.constant({})),
);
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1, 1e308, 1.5, true, ...words),
  fc.string({ unit: 'binary' }),
  members,
  fc.array(members),
  fc.jsonValue(),
);
const bodies = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 4 });

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Every answer that does not change anything, as text. */
async function answers(site: Site, cases: readonly Case[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { route, request = route, body } of cases) {
    const isGet = request.startsWith('GET');
    if (!isGet && !/render|search|fields|sources|entity|content|query|get-blog/.test(route)) continue;
    texts.push((await callPlugin(site, 'editor', request, isGet ? undefined : body)).text);
  }
  return texts;
}

describe.each(['A', 'B'] as const)('blocks of deployment %s', (deployment) => {
  let site: Site;
  const cases = casesOf[deployment];
  beforeAll(async () => {
    site = await startPluginSite(deployment);
    await openShop(site);
    await uploadBody(site, 'editor', { name: 'a.png', type: 'image/png', bytes: pngOf(8, 8) });
    await site.make('editor', '/posts', { title: 'One', content: 'odd', status: 'publish', featured_media: 1 });
    await site.make('editor', '/products', { title: 'Two', status: 'publish', meta: { regular_price: '3' } });
  });
  afterAll(() => site.close());

  it('take odd input without a fault of the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), bodies, async ({ route, request = route, lowest }, body) => {
        const as = lowest === 'signed' ? 'anonymous' : 'editor';
        const sent = Object.entries(body).map(([name, value]): [string, string] => [name, textOf(value)]);
        const query = new URLSearchParams(sent);
        const { status } = request.startsWith('GET')
          ? await callPlugin(site, as, `${request}?${query}`)
          : await callPlugin(site, as, request, JSON.stringify(body));
        expect([request, body, status]).toEqual([request, body, expect.toSatisfy((code: number) => code < 500)]);
      }),
      { numRuns: 400 },
    );
  });

  it('answer the same to the letter when the projections are made anew, and after a restart', async () => {
    for (const { effect } of cases) await effect(site).catch(() => undefined);
    const before = await answers(site, cases);
    expect(before.length).toBeGreaterThan(5);
    await site.node.rebuild();
    expect(await answers(site, cases)).toEqual(before);
    await site.restart();
    expect(await answers(site, cases)).toEqual(before);
  });
});

describe('what is cut from an image', () => {
  it('stays at its address through a rebuild, is no garbage, and gives no other file its name', async () => {
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
    const rows = dump(site.directory);
    await site.node.rebuild();
    expect(dump(site.directory)).toEqual(rows);
    expect((await bytes()).equals(before)).toBe(true);
    const position = site.position();
    expect((await cut()).data).toEqual({ url, width: 4, height: 3 });
    expect(site.position()).toBe(position);
    await site.close();
  });
});

describe('what the builder keeps', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite('B');
  });
  afterAll(() => site.close());
  const post = async (path: string, body: unknown) =>
    (await callPlugin(site, 'contributor', `POST /builder/v3/${path}`, body)).body;

  it('is ordered as icons are put: the same ones, the moved one at its place', async () => {
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

  it('goes on where a block ends: page by page, whatever their size, the rest of the list', async () => {
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

  it('finds a block again when the projections are made anew', async () => {
    const content = '<!-- cms:builder/posts {"bldQueryId":"again"} -->!#title!#<!-- /cms:builder/posts -->';
    const page = await site.make('editor', '/pages', { title: 'Again', content, status: 'publish' });
    const load = async () => (await callPlugin(site, 'anonymous', 'GET /builder/v3/load-more?bldQueryId=again')).text;
    const before = await load();
    expect(before).toContain('Post');
    await site.node.rebuild();
    expect(await load()).toBe(before);
    await site.call('editor', `PUT /pages/${page}`, { content: 'No block' });
    expect(await load()).toBe('""');
  });

  it('never shows in a list of posts what is not public', async () => {
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
let category: number;
let ids: readonly number[];
beforeAll(async () => {
  site = await startPluginSite('B');
  category = await site.make('editor', '/categories', { name: 'A & B' });
  const made = [];
  for (let n = 1; n <= 12; n++) {
    const categories = n % 2 === 0 ? [category] : [];
    const content = `w${n} ${'word '.repeat(60)}`;
    const date = `2025-09-0${1 + (n % 9)}T0${n % 10}:00:00`;
    made.push(
      await site.make('editor', '/posts', { title: `N${n} & co`, content, categories, date, status: 'publish' }),
    );
  }
  ids = made;
});
afterAll(() => site.close());

let blocks = 0;

/** Returns the public answer for the rest of a block with the given attributes, and its total. */
async function more(
  attributes: object,
  { query = '', template = '<i>!#title!#</i>', name = 'cms:builder/posts' } = {},
) {
  blocks += 1;
  const json = JSON.stringify({ bldQueryId: `block-${blocks}`, ...attributes });
  const content = `<!-- ${name} ${json} -->${template}<!-- /${name} -->`;
  const holder = await site.make('editor', '/pages', { title: 'Holder', content, status: 'publish' });
  const path = `/builder/v3/load-more?bldQueryId=block-${blocks}${query}`;
  const { body, headers } = await callPlugin(site, 'anonymous', `GET ${path}`);
  const titles = [...body.matchAll(/<i>N(\d+)/g)].map(([, number]) => Number(number));
  return { body, titles, total: headers.get('x-bld-total_posts'), holder };
}

const byId = { orderBy: 'id', order: 'asc' };
const from = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, n) => first + n * step);

describe('load-more of a block', () => {
  it('returns six entries after the first six by default, or the requested page', async () => {
    expect(await more(byId)).toMatchObject({ titles: from(7, 12), total: '12' });
    expect((await more({ ...byId, numberOfItems: 2 })).titles).toEqual([3, 4]);
    expect((await more({ ...byId, numberOfItems: 2 }, { query: '&page=4&num=3' })).titles).toEqual([9, 10, 11]);
    expect(await more({ ...byId, numberOfItems: 2, postOffset: 3 })).toMatchObject({ titles: [6, 7], total: '9' });
    expect((await more({ ...byId, numberOfItems: 2 }, { query: '&page=1&num=100' })).titles).toEqual(from(1, 12));
    expect((await more({ ...byId, postOffset: 4 }, { query: '&page=1&num=100' })).titles).toEqual(from(5, 12));
    expect(await more({ postOffset: 99 })).toMatchObject({ body: '', total: '0' });
  });

  it('finds blocks of any vendor, ordered by date by default', async () => {
    for (const name of ['cms:builder/posts', 'wp:acme-builder/posts', 'acme:builder/posts']) {
      expect((await more({ numberOfItems: 1 }, { name })).titles).toHaveLength(1);
    }
    expect((await more({ numberOfItems: 9 })).titles).toEqual(
      (await more({ numberOfItems: 9, orderBy: 'date', order: 'desc' })).titles,
    );
    expect((await more({ numberOfItems: 2 }, { name: 'cms:builder/others' })).body).toBe('');
  });

  it('filters by terms and taxonomy, or excludes them', async () => {
    const few = { ...byId, numberOfItems: 1, taxonomy: String(category) };
    expect((await more(few, { query: '&num=50' })).titles).toEqual(from(4, 12, 2));
    expect((await more({ ...few, taxonomyFilterType: '__not_in' }, { query: '&num=50' })).titles).toEqual(
      from(3, 11, 2),
    );
    expect(await more({ ...few, taxonomyType: 'tag' })).toMatchObject({ body: '', total: '0' });
  });

  it('includes and excludes named posts and the current entry', async () => {
    const named = { ...byId, numberOfItems: 1, postInclude: ids.slice(0, 4).join() };
    expect((await more(named)).titles).toEqual([2]);
    expect((await more({ ...named, postExclude: [ids[1]] })).titles).toEqual([3]);
    const pages = { ...byId, type: 'page', numberOfItems: 1 };
    const without = await more({ ...pages, excludeCurrentPost: true });
    const withIt = await more(pages);
    expect(Number(withIt.total) - Number(without.total)).toBe(2);
  });

  it('fills in the template with escaped values and the featured image', async () => {
    const image = (await uploadBody(site, 'author', { name: 'm.png', type: 'image/png', bytes: pngOf(8, 4) })).body;
    const last = ids[11] ?? 0;
    await site.call('editor', `PUT /posts/${last}`, { featured_media: image.id });
    const marks = [
      'title',
      'category',
      'metaSeparator',
      'authorName',
      'date',
      'dateTime',
      'commentsNum',
      'excerpt',
      'postLink',
      'readmoreText',
    ];
    const template = `<figure class="x"><img src="a.png" alt=""></figure>${marks.map((mark) => `!#${mark}!#`).join('|')}!#other!#<img src="b.png">`;
    const attributes = { ...byId, excerptLength: 2, readmoreText: '<More>', metaSeparator: 'pipe', numberOfItems: 10 };
    const [plain = '', pictured = ''] = (await more(attributes, { template })).body.split('<img src="b.png">');
    expect(plain).toBe(
      'N11 &amp; co||||editor|September 3, 2025|2025-09-03T01:00:00|0 comments|w11 word...|http://site.example/n11-co/|&lt;More&gt;!#other!#',
    );
    expect(pictured).toContain(`<figure class="x"><img src="${image.source_url}" width="8" height="4"`);
    expect(pictured).toContain('N12 &amp; co|A &amp; B|||editor|');
    const shown = await more({ ...attributes, categoryHighlighted: true }, { template: '!#category!#' });
    expect(shown.body).toBe('<span class="category-highlighted">A &amp; B</span>');
    await site.call('editor', `PUT /posts/${last}`, { title: '' });
    expect((await more({ ...attributes, numberOfItems: 11 }, { template: '!#title!#' })).body).toBe('Untitled');
  });

  it.each(['&page=0', '&page=1.5', '&num=0', '&num=x', '&page[]=2', `&bldQueryId=${'x'.repeat(501)}`])(
    'is refused for %s',
    async (query) => {
      const { status, body } = await callPlugin(site, 'anonymous', `GET /builder/v3/load-more?bldQueryId=x${query}`);
      expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    },
  );

  it.each(['', '?bldQueryId=', '?bldQueryId=unknown', '?bldQueryId=__proto__'])(
    'returns nothing for "%s"',
    async (query) => {
      const { status, body, headers } = await callPlugin(site, 'anonymous', `GET /builder/v3/load-more${query}`);
      expect([status, body, headers.get('x-bld-total_posts')]).toEqual([200, '', null]);
    },
  );
});

describe('the page with a block', () => {
  const visit = async (path: string) => (await fetch(`http://127.0.0.1:${site.port}${path}`)).text();
  const titlesIn = (page: string) => [...page.matchAll(/<i>N(\d+) &amp; co<\/i>/g)].map(([, n]) => Number(n));

  it('and its content show its list with links to further pages', async () => {
    const json = JSON.stringify({ ...byId, bldQueryId: 'on a page', numberOfItems: 5, postInclude: ids.slice(0, 11) });
    const content = `<p>Before</p><!-- cms:builder/posts ${json} --><i>!#title!#</i><!-- /cms:builder/posts --><p>After</p>`;
    await site.make('editor', '/pages', { title: 'Listing', content, status: 'publish' });
    const [record] = (await site.call('anonymous', 'GET /pages?slug=listing')).body;
    const rendered: string = record.content.rendered;
    expect([titlesIn(rendered), rendered.includes('!#')]).toEqual([from(1, 5), false]);
    const turned = (await site.call('anonymous', `GET /pages/${record.id}?on-a-page-page=2`)).body;
    expect(titlesIn(turned.content.rendered)).toEqual(from(6, 10));
    const first = await visit('/listing/');
    expect(first).toMatch(/<p>Before<\/p>\s*<i>N1.*<nav class="more".*<\/nav>\s*<p>After<\/p>/s);
    expect([titlesIn(first), first.includes('!#')]).toEqual([from(1, 5), false]);
    const seen = [titlesIn(first)];
    for (let page = first; seen.length < 9; ) {
      const [, next] = /<a rel="next" href="http:\/\/site\.example([^"]*)"/.exec(page) ?? [];
      if (next === undefined) break;
      page = await visit(next.replaceAll('&amp;', '&'));
      seen.push(titlesIn(page));
    }
    expect(seen).toEqual([from(1, 5), from(6, 10), [11]]);
  });

  it('does not interpret shortcodes and markup in listed titles', async () => {
    const json = JSON.stringify({ bldQueryId: 'hostile', numberOfItems: 1, orderBy: 'id' });
    const content = `<!-- cms:builder/posts ${json} --><b>!#title!#</b><!-- /cms:builder/posts -->`;
    await site.make('editor', '/posts', { title: '[gallery] <script>x</script>', content: 'c', status: 'publish' });
    await site.make('editor', '/pages', { title: 'Hostile', content, status: 'publish' });
    const page = await visit('/hostile/');
    expect(page).toMatch(/<b>\[gallery\][^<]*<\/b>/);
  });
});

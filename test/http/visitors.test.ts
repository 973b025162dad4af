import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
const visit = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${site.port}${path.replace(SITE, '')}`, { redirect: 'manual', ...init });
const textAt = async (path: string) => (await visit(path)).text();

async function write(path: string, fields: Record<string, unknown>) {
  const { status, body } = await site.call('editor', `POST ${path}`, { status: 'publish', ...fields });
  if (status !== 201 && status !== 200) throw new Error(body.code);
  return body as { id: number; link: string };
}

let image = 0;
beforeAll(async () => {
  site = await startSite();
  const news = await write('/categories', { name: 'News & more' });
  const { body } = await uploadBody(site, 'editor', { name: 'wide.png', type: 'image/png', bytes: pngOf(1200, 600) });
  image = body.id;
  await site.call('editor', `PUT /media/${image}`, { alt_text: 'A "wide" field' });
  const post = { categories: [news.id], featured_media: image };
  await write('/posts', {
    title: 'First <b>words</b>',
    content: 'Apples & pears',
    date: '2020-01-01T10:00:00',
    ...post,
  });
  await write('/posts', { title: 'Second', content: 'Plums', date: '2020-01-02T10:00:00', slug: 'second' });
  await write('/posts', { title: 'Third', content: 'Figs', date: '2020-01-03T10:00:00', sticky: true });
  await write('/posts', {
    title: 'Locked',
    content: 'The apples are hidden',
    password: 'x',
    date: '2020-01-04T10:00:00',
  });
  await write('/posts', { title: 'Own', content: 'Apples for few', status: 'private' });
  const about = await write('/pages', { title: 'About us', slug: 'about', content: 'We', menu_order: 2 });
  await write('/pages', { title: 'Contact', slug: 'contact', content: 'Write', menu_order: 1 });
  await write('/pages', {
    title: 'Team',
    slug: 'team',
    content: 'People',
    parent: about.id,
    template: 'page-no-title',
  });
});
afterAll(() => site.close());

describe('the search page', () => {
  it('finds public entries, and says when nothing is found', async () => {
    const found = await textAt('/?s=apples');
    expect([...found.matchAll(/rel="bookmark" href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
      `${SITE}/first-words/`,
    ]);
    expect(await textAt('/?s=nothing-like-it')).toContain('Nothing was found.');
    expect(await textAt('/?s=')).toContain('What are you looking for?');
  });

  it('escapes the searched text, repeats its form, and is not indexed', async () => {
    const found = await textAt(`/?s=${encodeURIComponent('"><b>x')}`);
    expect(found).toContain('value="&quot;&gt;&lt;b&gt;x"');
    expect(found).not.toContain('<b>x');
    expect(found).toContain('<meta name="robots" content="noindex">');
  });

  it('has further pages', async () => {
    for (let i = 0; i < 12; i++)
      await write('/posts', { title: `Quince ${i}`, content: 'x', date: '2019-01-01T00:00:00' });
    const first = await textAt('/?s=quince');
    const next = /rel="next" href="([^"]*)"/.exec(first)?.[1] ?? '';
    expect(next).toBe(`${SITE}/page/2/?s=quince`);
    expect((await textAt(next)).match(/rel="bookmark"/g)).toHaveLength(2);
    expect((await visit('/page/9/?s=quince')).status).toBe(404);
  });
});

describe('feeds', () => {
  it.each([
    ['/feed/', 'application/rss+xml; charset=UTF-8', 'item'],
    ['/feed/atom/', 'application/atom+xml; charset=UTF-8', 'entry'],
  ])(
    '%s has the newest posts without protected content, and answers 304 to a matching tag',
    async (path, type, element) => {
      const answer = await visit(path);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      const titles = [...text.matchAll(new RegExp(`<${element}>\\s*<title>([^<]*)</title>`, 'g'))].map(
        ([, title]) => title,
      );
      expect(titles.slice(0, 4)).toEqual(['Protected: Locked', 'Third', 'Second', 'First words']);
      expect(text).toContain('&lt;p&gt;Apples &amp;#038; pears&lt;/p&gt;');
      expect(text).not.toContain('hidden');
      const again = await visit(path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    },
  );

  it('exist for each category and author, linked by their pages', async () => {
    const category = await textAt('/category/news-more/feed/');
    expect(category.match(/<item>/g)).toHaveLength(1);
    expect(category).toContain('<category>News &amp; more</category>');
    expect((await visit('/author/editor/feed/')).status).toBe(200);
    expect(await textAt('/category/news-more/')).toContain(`href="${SITE}/category/news-more/feed/"`);
    expect((await visit('/feed')).headers.get('location')).toBe(`${SITE}/feed/`);
    for (const path of ['/category/none/feed/', '/page/2/feed/', '/none/feed/']) {
      expect([path, (await visit(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('data for search engines', () => {
  it('lists every public address once in the sitemap', async () => {
    const index = await textAt('/sitemap.xml');
    const files = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
    expect(files).toContain(`${SITE}/sitemap-posts-1.xml`);
    const lists = await Promise.all(files.map((file) => textAt(file)));
    const addresses = lists.flatMap((list) => [...list.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address));
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses).toEqual(
      expect.arrayContaining([`${SITE}/second/`, `${SITE}/about/team/`, `${SITE}/category/news-more/`]),
    );
    expect(addresses.some((address) => address?.includes('own'))).toBe(false);
    for (const path of ['/sitemap-posts-2.xml', '/sitemap-posts-0.xml', '/sitemap-none-1.xml']) {
      expect([path, (await visit(path)).status]).toEqual([path, 404]);
    }
  });

  it('names the sitemap in robots.txt, which disallows everything during maintenance', async () => {
    expect(await textAt('/robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const own = await startSite();
    const { status } = await own.call('administrator', 'POST /cms-json/host-tools-plugin/v1/update-settings', {
      maintenance_mode: true,
    });
    expect(status).toBe(200);
    const rules = await fetch(`http://127.0.0.1:${own.port}/robots.txt`);
    expect([rules.status, await rules.text()]).toEqual([200, 'User-agent: *\nDisallow: /\n']);
    await own.close();
  });

  it('includes Open Graph and JSON-LD in the head of a post', async () => {
    const text = await textAt('/first-words/');
    expect(text).toContain('<meta property="og:title" content="First words">');
    expect(text).toMatch(/<meta property="og:image" content="[^"]*wide\.png">/);
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'BlogPosting',
      headline: 'First words',
      url: `${SITE}/first-words/`,
    });
  });

  it('includes a cacheable 204 for a missing icon', async () => {
    const answer = await visit('/favicon.ico');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'public, max-age=86400']);
  });
});

describe('navigation of the pages', () => {
  it('links to top-level pages in their order, and from nested pages to their parents', async () => {
    const front = await textAt('/');
    const [, menu = ''] = /<nav aria-label="Pages">(.*?)<\/nav>/s.exec(front) ?? [];
    expect([...menu.matchAll(/>([^<]+)<\/a>/g)].map(([, title]) => title)).toEqual(['Contact', 'About us']);
    const team = await textAt('/about/team/');
    const [, trail = ''] = /<nav aria-label="Breadcrumbs">(.*?)<\/nav>/s.exec(team) ?? [];
    expect(trail).toContain(`<a href="${SITE}/about/">About us</a>`);
    expect(await textAt('/about/')).toContain(`<a href="${SITE}/about/" aria-current="page">About us</a>`);
  });

  it('links from a post to its neighbours', async () => {
    const text = await textAt('/second/');
    expect(text).toContain(`<a rel="prev" href="${SITE}/first-words/">← First words</a>`);
    expect(text).toContain(`<a rel="next" href="${SITE}/third/">Third →</a>`);
  });

  it('marks sticky posts, shows featured images with srcset, and hides titles by template', async () => {
    expect(await textAt('/')).toContain('>Third</a> <small>Featured</small>');
    const post = await textAt('/first-words/');
    expect(post).toMatch(/<img [^>]*alt="A &quot;wide&quot; field" srcset="[^"]*300w[^"]*"[^>]*fetchpriority="high">/);
    expect(await textAt('/about/team/')).not.toContain('<h1>');
  });
});

describe('links between neighbouring posts', () => {
  it('skip no post of the same second, and are symmetrical', async () => {
    const own = await startSite();
    for (const [index, date] of ['2020-01-01T10:00:00', ...Array(3).fill('2020-01-02T10:00:00')].entries()) {
      await own.make('editor', '/posts', { title: `Post ${index}`, slug: `post-${index}`, date, status: 'publish' });
    }
    const next = async (path: string, rel: string) => {
      const text = await (await fetch(`http://127.0.0.1:${own.port}${path}`)).text();
      return new RegExp(`rel="${rel}" href="${SITE}([^"]+)">`).exec(
        text.slice(text.indexOf('aria-label="Posts"')),
      )?.[1];
    };
    const way = async (rel: string, from: string) => {
      const seen: string[] = [];
      for (let path: string | undefined = from; path !== undefined && seen.length < 9; path = await next(path, rel))
        seen.push(path);
      return seen;
    };
    const up = await way('next', '/post-0/');
    expect([...up].sort()).toEqual(['/post-0/', '/post-1/', '/post-2/', '/post-3/']);
    expect(await way('prev', up.at(-1) ?? '')).toEqual(up.toReversed());
    await own.close();
  });
});

it('show no table in an excerpt, whose cells would read like a sentence', async () => {
  const table =
    '<!-- wp:table --><figure class="wp-block-table"><table><tbody><tr><td>cell</td></tr></tbody></table></figure><!-- /wp:table -->';
  const said = '<!-- wp:paragraph --><p>Said before</p><!-- /wp:paragraph -->';
  const { link } = await write('/posts', { title: 'Counted', content: `${said}\n\n${table}` });
  expect(await textAt(link)).toContain('<meta name="description" content="Said before">');
  const own = await write('/posts', { title: 'Told', content: table, excerpt: 'By hand' });
  expect(await textAt(own.link)).toContain('<meta name="description" content="By hand">');
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

async function visit(path: string) {
  const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

const titleOf = (text: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];
const set = (settings: object) => site.call('administrator', 'POST /settings', settings);

describe('a page in front', () => {
  let welcome: number;
  let news: number;
  beforeAll(async () => {
    welcome = await site.make('editor', '/pages', { title: 'Welcome', content: 'Hello', status: 'publish' });
    news = await site.make('editor', '/pages', { title: 'News', status: 'publish' });
    await site.make('editor', '/pages', { title: 'Below', status: 'publish', parent: welcome });
    await site.make('author', '/posts', { title: 'A post', status: 'publish' });
    await set({ show_on_front: 'page', page_on_front: welcome, page_for_posts: news });
  });

  it('is shown at the address of the site, which is its link; its own address leads there', async () => {
    const { body } = await site.call('anonymous', `GET /pages/${welcome}`);
    expect(body.link).toBe('http://site.example/');
    expect(titleOf((await visit('/')).text)).toBe('Welcome');
    for (const path of ['/welcome/', `/?page_id=${welcome}`])
      expect(await visit(path)).toMatchObject({ status: 301, to: 'http://site.example/' });
    expect(titleOf((await visit('/welcome/below/')).text)).toBe('Below');
    expect((await visit('/page/2/')).status).toBe(404);
  });

  it('leaves the posts to another page, their feed where it was', async () => {
    const { text } = await visit('/news/');
    expect(titleOf(text)).toBe('News');
    expect(text).toContain('A post');
    expect((await visit('/feed/')).text).toContain('<title>A post</title>');
    expect(titleOf((await visit('/?s=post')).text)).toBe('Search: post');
  });

  it('is in the sitemap and described by its address', async () => {
    expect((await visit('/sitemap-pages-1.xml')).text).toContain('<loc>http://site.example/</loc>');
    expect((await visit('/sitemap-home-1.xml')).status).toBe(404);
    const { body } = await site.call('anonymous', 'GET /cms-json/oembed/1.0/embed?url=http%3A%2F%2Fsite.example%2F');
    expect(body.title).toBe('Welcome');
  });

  it('gives way to the posts when it is trashed, in the same commit', async () => {
    await site.call('administrator', `DELETE /pages/${news}?force=true`);
    expect((await site.call('administrator', 'GET /settings')).body).toMatchObject({
      show_on_front: 'page',
      page_on_front: welcome,
      page_for_posts: 0,
    });
    await site.call('administrator', `DELETE /pages/${welcome}`);
    expect((await site.call('administrator', 'GET /settings')).body).toMatchObject({
      show_on_front: 'posts',
      page_on_front: 0,
    });
    expect(titleOf((await visit('/')).text)).toBe('Latest posts');
  });

  it('has no effect while it is not public', async () => {
    const draft = await site.make('editor', '/pages', { title: 'Draft', status: 'draft' });
    await set({ show_on_front: 'page', page_on_front: draft });
    expect(titleOf((await visit('/')).text)).toBe('Latest posts');
    await set({ show_on_front: 'posts', page_on_front: 0 });
  });
});

describe('two public items', () => {
  it.each([
    ['/posts', '/pages'],
    ['/pages', '/posts'],
  ])('never share an address: of %s, then of %s', async (first, second) => {
    const slug = `shared-${first.slice(1)}`;
    const [one, two] = [
      await site.call('administrator', `POST ${first}`, { title: 'First', slug, status: 'publish' }),
      await site.call('administrator', `POST ${second}`, { title: 'Second', slug, status: 'publish' }),
    ];
    expect([one.body.slug, two.body.slug]).toEqual([slug, `${slug}-2`]);
    expect(titleOf((await visit(`/${slug}/`)).text)).toBe('First');
    expect(titleOf((await visit(`/${slug}-2/`)).text)).toBe('Second');
  });

  it('do so neither when a draft, a page below another or one from the trash comes later', async () => {
    const draft = await site.make('author', '/posts', { title: 'Late', slug: 'late', status: 'draft' });
    const top = await site.make('editor', '/pages', { title: 'Top', status: 'publish' });
    const below = await site.make('editor', '/pages', { title: 'Late', slug: 'late', parent: top, status: 'publish' });
    const page = await site.make('editor', '/pages', { title: 'Late', slug: 'late', status: 'publish' });
    const change = async (path: string, body: object) =>
      (await site.call('administrator', `PUT ${path}`, body)).body.slug as string;
    expect(await change(`/posts/${draft}`, { status: 'publish' })).toBe('late-2');
    expect(await change(`/pages/${below}`, { parent: 0 })).toBe('late-3');
    await site.call('administrator', `DELETE /pages/${page}`);
    await site.make('author', '/posts', { title: 'Late', slug: 'late', status: 'publish' });
    expect(await change(`/pages/${page}`, { status: 'publish' })).toBe('late-4');
  });

  it('do so neither when the page above one is deleted, and it comes to the top', async () => {
    const above = await site.make('editor', '/pages', { title: 'Goes', status: 'publish' });
    const below = async (slug: string) =>
      await site.make('editor', '/pages', { title: 'x', slug, status: 'publish', parent: above });
    const [one, two, three] = [await below('taken'), await below('uploads'), await below('free')];
    await site.make('author', '/posts', { title: 'Taken', status: 'publish' });
    await site.call('administrator', `DELETE /pages/${above}?force=true`);
    const slugOf = async (id: number) => (await site.call('administrator', `GET /pages/${id}`)).body.slug;
    expect([await slugOf(one), await slugOf(two), await slugOf(three)]).toEqual(['taken-2', 'uploads-2', 'free']);
    expect(titleOf((await visit('/taken/')).text)).toBe('Taken');
  });

  it.each(['uploads', 'cms-json', 'cms-audit'])('is never called %s, which is the server’s', async (slug) => {
    for (const path of ['/posts', '/pages']) {
      const { body } = await site.call('administrator', `POST ${path}`, { title: slug, slug, status: 'publish' });
      expect(body.slug).toMatch(new RegExp(`^${slug}-\\d$`));
      expect((await visit(new URL(body.link).pathname)).status).toBe(200);
    }
  });
});

describe('what identifies an item', () => {
  it('stays when the address of the site changes', async () => {
    const id = await site.make('author', '/posts', { title: 'Stays', status: 'publish' });
    const comment = await site.make('administrator', '/comments', { post: id, content: 'Said' });
    const ids = async () => [
      (await site.call('anonymous', `GET /posts/${id}`)).body.guid.rendered,
      ...[...(await visit('/feed/atom/')).text.matchAll(/<id>(.*?)<\/id>/g)].map(([, one]) => one),
      ...[...(await visit('/comments/feed/')).text.matchAll(/<guid[^>]*>(.*?)<\/guid>/g)].map(([, one]) => one),
    ];
    const before = await ids();
    expect(before).toContain(`http://site.example/?p=${id}#comment-${comment}`);
    await site.restart(undefined, { env: { SITE_URL: 'https://elsewhere.example' } });
    expect(await ids()).toEqual(before);
    const later = await site.make('author', '/posts', { title: 'Later', status: 'publish' });
    expect((await site.call('anonymous', `GET /posts/${later}`)).body.guid.rendered).toBe(
      `https://elsewhere.example/?p=${later}`,
    );
    await site.restart(undefined, { env: { SITE_URL: 'http://site.example' } });
  });
});

describe('parameters of the family', () => {
  let post: number;
  let category: number;
  beforeAll(async () => {
    category = await site.make('editor', '/categories', { name: 'Red' });
    const tag = await site.make('editor', '/tags', { name: 'Round' });
    post = await site.make('author', '/posts', {
      title: 'Apple',
      status: 'publish',
      categories: [category],
      tags: [tag],
      date: '2019-05-06T07:08:09',
    });
    await site.make('editor', '/posts', { title: 'Cherry', status: 'publish', categories: [category] });
  });

  it.each([
    ['?author=3', '/author/author/'],
    ['?author_name=author', '/author/author/'],
    ['?cat=CAT', '/category/red/'],
    ['?tag=round', '/tag/round/'],
    ['?year=2019', '/2019/'],
    ['?year=2019&monthnum=5', '/2019/05/'],
    ['?year=2019&monthnum=5&day=6', '/2019/05/06/'],
    ['?m=201905', '/2019/05/'],
    ['?name=apple', '/apple/'],
    ['?p=POST', '/apple/'],
    ['?name=apple&cat=CAT', '/apple/'],
    ['?paged=1', '/'],
    ['page/1/', '/'],
    ['apple/?author=3', '/apple/'],
    ['?cat=CAT&paged=2', '/category/red/page/2/'],
    ['feed/?tag=round', '/tag/round/feed/'],
    ['?feed=atom&cat=CAT', '/category/red/feed/atom/'],
    ['?feed=rdf', '/feed/'],
    ['feed/rdf/', '/feed/'],
    ['?feed=rss2&p=POST', '/apple/feed/'],
  ])('%s leads to %s', async (given, to) => {
    const path = given.replaceAll('CAT', `${category}`).replaceAll('POST', `${post}`);
    expect(await visit(`/${path}`)).toMatchObject({ status: 301, to: `http://site.example${to}` });
  });

  it.each([
    ['?author=99'],
    ['?author_name=nobody'],
    ['?cat=9999'],
    ['?cat=x'],
    ['?tag=none'],
    ['?year=1990'],
    ['?monthnum=5'],
    ['?name=none'],
    ['?pagename=none'],
    ['?p=abc'],
    ['?paged=x'],
    ['apple/?cat=9999'],
    ['apple/?author=2'],
    ['apple/?paged=2'],
    ['feed/?paged=99'],
    ['feed/?tag=none'],
    ['?feed=none'],
  ])('%s is not found', async (path) => {
    const { status, to } = await visit(`/${path}`);
    expect([status === 301 ? (await visit(new URL(to ?? '').pathname)).status : status]).toEqual([404]);
  });

  it('together find what fits all of them, on pages and in feeds', async () => {
    const { text } = await visit(`/?author=3&cat=${category}`);
    expect([text.includes('Apple'), text.includes('Cherry')]).toEqual([true, false]);
    const feed = await visit(`/feed/?author=3&cat=${category}`);
    expect([feed.status, feed.text.includes('Apple'), feed.text.includes('Cherry')]).toEqual([200, true, false]);
    const found = await visit('/feed/?s=cherry');
    expect([found.text.includes('Apple'), found.text.includes('Cherry')]).toEqual([false, true]);
    expect((await visit('/?s=apple&author=2')).text).not.toContain('>Apple<');
    expect((await visit('/author/author/?tag=round')).text).toContain('Apple');
  });
});

describe('a list', () => {
  it('is described for search engines and for those who share it', async () => {
    await set({ description: 'Notes on herons' });
    const { body } = await site.call('editor', 'POST /categories', {
      name: 'Waders',
      description: 'Birds with long legs.',
    });
    await site.make('author', '/posts', { title: 'Stork', status: 'publish', categories: [body.id] });
    const described = async (path: string) => {
      const { text } = await visit(path);
      const [, plain] = /<meta name="description" content="([^"]*)">/.exec(text) ?? [];
      const [, shared] = /<meta property="og:description" content="([^"]*)">/.exec(text) ?? [];
      return [plain, shared, /<meta property="og:title" content="([^"]*)">/.exec(text)?.[1]];
    };
    expect(await described('/category/waders/')).toEqual([
      'Birds with long legs.',
      'Birds with long legs.',
      expect.stringContaining('Waders'),
    ]);
    const front = await described(new URL((await site.call('anonymous', 'GET /cms-json/')).body.home).pathname);
    expect(front[1]).toBe(front[0]);
  });
});

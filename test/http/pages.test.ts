import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { frameScript } from '#site/markup/frame-script.ts';
import { eventually } from '../support/patience.ts';
import { SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Requests a path or URL of the site like a browser, without following redirects. */
function visit(address: string, init: RequestInit = {}): Promise<Response> {
  const path = address.startsWith(SITE) ? address.slice(SITE.length) : address;
  return fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual', ...init });
}

async function textAt(address: string, init: RequestInit = {}): Promise<string> {
  return (await visit(address, init)).text();
}

async function statusAt(address: string): Promise<number> {
  const response = await visit(address);
  await response.arrayBuffer();
  return response.status;
}

async function write(path: string, fields: Record<string, unknown>): Promise<{ id: number; link: string }> {
  const { status, body } = await site.call('editor', `POST ${path}`, { status: 'publish', ...fields });
  if (status !== 201 && status !== 200) throw new Error(body.code);
  return body;
}

const form = (password: string): RequestInit => ({ method: 'POST', body: new URLSearchParams({ password }) });

describe('links in answers work', () => {
  it('from posts with any slug', async () => {
    for (const fields of [
      { title: 'Plain words' },
      { title: 'Grüße 日本 👋' },
      { title: '1987' },
      { title: '!!!' },
      { title: 'x', slug: 'per%25cent%41' },
      { title: 'Long '.repeat(80) },
    ]) {
      const { link } = await write('/posts', { content: 'c', ...fields });
      expect([link, await statusAt(link)]).toEqual([link, 200]);
    }
  });

  it('from pages, also nested ones and those below drafts', async () => {
    const top = await write('/pages', { title: 'Top' });
    const middle = await write('/pages', { title: 'Middle', parent: top.id, status: 'draft', slug: 'middle' });
    const { link } = await write('/pages', { title: 'Leaf', parent: middle.id });
    expect(link).toBe(`${SITE}/top/middle/leaf/`);
    expect([await statusAt(link), await statusAt('/leaf/'), await statusAt('/top/leaf/')]).toEqual([200, 404, 404]);
  });

  it('from categories, tags and authors, and show their posts', async () => {
    const above = await write('/categories', { name: 'Arts & Crafts' });
    const below = await write('/categories', { name: 'Pottery', parent: above.id });
    const tag = await write('/tags', { name: 'Ton 陶' });
    await write('/posts', { title: 'A bowl', content: 'c', categories: [below.id], tags: [tag.id] });
    const users = await site.call('administrator', 'GET /users/2');
    for (const link of [above.link, below.link, tag.link, users.body.link]) {
      const text = await textAt(link);
      expect([link, text.includes('>A bowl</a>')]).toEqual([link, true]);
    }
    expect(await textAt(above.link)).toContain('<h1>Category: Arts &amp; Crafts</h1>');
  });

  it('in plain form, by a redirect to the permalink', async () => {
    const { id, link } = await write('/posts', { title: 'Plainly linked', content: 'c' });
    const page = await write('/pages', { title: 'Plainly linked page' });
    for (const [address, place] of [
      [`/?p=${id}`, link],
      [`/?x=1&page_id=${page.id}`, page.link],
    ] as const) {
      const response = await visit(address);
      expect([response.status, response.headers.get('location')]).toEqual([301, place]);
    }
  });

  it('from lists to choose from, by a form without a script', async () => {
    const category = await write('/categories', { name: 'Chosen ones' });
    const tag = await write('/tags', { name: 'Chosen tag' });
    const dated = { date: '1999-12-31T23:00:00', categories: [category.id], tags: [tag.id] };
    await write('/posts', { title: 'Last of the century', content: 'c', ...dated });
    const { link } = await write('/pages', {
      title: 'Choices',
      content: [
        ...['monthly', 'weekly'].map((type) => `<!-- wp:archives {"displayAsDropdown":true,"type":"${type}"} /-->`),
        '<!-- wp:categories {"displayAsDropdown":true} /-->',
        '<!-- wp:categories {"displayAsDropdown":true,"taxonomy":"post_tag"} /-->',
      ].join(''),
    });
    const text = await textAt(link);
    const forms = [
      ...text.matchAll(/<form action="(\S+)" method="get">(.*?)<button type="submit">Go<\/button><\/form>/gs),
    ];
    expect(forms.map(([, action]) => action)).toEqual(Array(4).fill(`${SITE}/`));
    const chosen = ["value='http://site.example/1999/12/'", 'm=1999&', 'chosen-ones', 'chosen-tag'];
    for (const [i, part] of chosen.entries()) {
      const [, , fields = ''] = forms[i] ?? [];
      const [, name = ''] = /<select +[^>]*name=['"]([^'"]+)/.exec(fields) ?? [];
      const option = [...fields.matchAll(/<option[^>]*value=['"]([^'"]+)['"]/g)].find(([markup]) =>
        markup.includes(part),
      );
      const value = (option?.[1] ?? '').replaceAll('&#038;', '&');
      const { status, headers } = await visit(`/?${new URLSearchParams({ [name]: value })}`);
      const list = await textAt(headers.get('location') ?? '');
      expect([part, status, list.includes('>Last of the century</a>')]).toEqual([part, 301, true]);
    }
  });

  it('from archives by year, month and day, and from their plain forms', async () => {
    const { link } = await write('/posts', { title: 'Of a leap day', content: 'c', date: '1996-02-29T12:00:00' });
    for (const path of ['/1996/', '/1996/02/', '/1996/02/29/', '/?m=1996&w=9']) {
      expect([path, (await textAt(path)).includes(link)]).toEqual([path, true]);
    }
    expect(await textAt('/1996/02/')).toContain('<h1>February 1996</h1>');
    expect(await textAt('/1996/feed/')).toContain('<title>Of a leap day</title>');
    for (const [plain, path] of [
      ['/?m=1996', '/1996/'],
      ['/?m=19960229', '/1996/02/29/'],
      ['/?cat=1', '/category/uncategorized/'],
      ['/?category_name=-1', '/'],
      ['/?archive-dropdown=', '/'],
    ] as const) {
      expect([plain, (await visit(plain)).headers.get('location')]).toEqual([plain, SITE + path]);
    }
  });

  it.each([
    ...['/1995/', '/1996/03/', '/1996/2/', '/1996/02/30/', '/1996/02/00/', '/1996/13/', '/1996/02/29/1/', '/0000/'],
    ...['/9999/', '/?m=9999', '/?m=x', '/?m=1996&w=54', '/?m=9999&w=1', '/?cat=99999', '/?cat=x', '/?tag=none'],
    ...['/?archive-dropdown=https://evil.example/', `/?archive-dropdown=${SITE}.evil.example/`],
  ])('not to what is not there: %s', async (path) => {
    expect(await statusAt(path)).toBe(404);
  });

  it('from feed readers, in any form of the address of a feed', async () => {
    const { link } = await write('/posts', { title: 'Fed to readers', content: 'c' });
    for (const path of [
      '/feed/',
      '/feed/rss2/',
      '/feed/rss/',
      '/?feed=rss2',
      '/?feed=feed',
      '/category/uncategorized/?feed=rss2',
    ]) {
      const text = await textAt(path);
      expect([path, text.includes('<rss version="2.0"'), text.includes(link)]).toEqual([path, true, true]);
    }
    expect(await textAt('/?feed=atom')).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">');
    expect(await statusAt('/?feed=none')).toBe(404);
    expect(await statusAt('/none/?feed=rss2')).toBe(404);
    const head = `<link rel="https://rels.palimpsest.example/index" href="${SITE}/cms-json/">`;
    for (const path of ['/', link, '/none/']) expect(await textAt(path)).toContain(head);
  });

  it('without the trailing slash and in capitals', async () => {
    const { link } = await write('/posts', { title: 'Über slash', content: 'c' });
    expect((await visit(link.slice(0, -1))).headers.get('location')).toBe(link);
    expect(await statusAt(link.toUpperCase().replace(SITE.toUpperCase(), ''))).toBe(200);
    expect((await visit(`${link}embed`)).headers.get('location')).toBe(`${link}embed/`);
  });

  it('to each item when a page and a post want the same slug', async () => {
    await write('/posts', { title: 'Twin', content: 'in the post' });
    await write('/pages', { title: 'Twin', content: 'on the page' });
    expect(await textAt('/twin/')).toContain('in the post');
    expect(await textAt('/twin-2/')).toContain('on the page');
  });
});

describe('anything that is not public answers 404', () => {
  it.each(['draft', 'pending', 'private', 'future'])('%s entries at any of their addresses', async (status) => {
    const date = status === 'future' ? { date: '2036-01-01T00:00:00' } : {};
    for (const kind of ['posts', 'pages']) {
      const slug = `hidden-${status}-${kind}`;
      const { id } = await write(`/${kind}`, { title: 'Unseen words', content: 'Unseen', status, slug, ...date });
      for (const address of [`/${slug}/`, `/${slug}`, `/${slug}/embed/`, `/?p=${id}`, `/?page_id=${id}`]) {
        const response = await visit(address, { headers: { authorization: site.authorization('administrator') } });
        expect([address, response.status]).toEqual([address, 404]);
        expect(await response.text()).not.toMatch(/unseen/i);
      }
    }
    expect(await textAt('/')).not.toContain('Unseen');
  });

  it('trashed and deleted entries', async () => {
    const { id, link } = await write('/posts', { title: 'Soon gone', content: 'c' });
    await site.call('editor', `DELETE /posts/${id}`);
    expect([await statusAt(link), await statusAt('/soon-gone__trashed/'), await statusAt(`/?p=${id}`)]).toEqual([
      404, 404, 404,
    ]);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    expect(await statusAt(`/?p=${id}`)).toBe(404);
  });

  it('authors who have published nothing', async () => {
    expect([await statusAt('/author/subscriber/'), await statusAt('/author/nobody/')]).toEqual([404, 404]);
  });

  it('with the same page for hidden and for missing entries', async () => {
    await write('/posts', { title: 'Known to few', content: 'c', status: 'private' });
    expect(await textAt('/known-to-few/')).toBe(await textAt('/never-was/'));
  });

  it.each([
    ...['/nothing/', '/page/2000/', '/page/0/', '/category/', '/category/none/', '/tag/a/b/', '/author/', '/embed/'],
    ...[
      '/?p=99999',
      '/?p=0',
      '/category/none/feed/',
      '/%zz/',
      '/%',
      '/%00/',
      '//evil.example/',
      '/..%2f..%2fetc/',
      '/cms-jsonx',
    ],
  ])('%s', async (path) => {
    const response = await visit(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect(await response.text()).toContain('<h1>Not found</h1>');
  });
});

describe('a protected entry', () => {
  const secret = { title: 'Closed', content: 'Hidden words', excerpt: 'Hidden short', password: 'open & shut+ü' };
  let link: string;
  beforeAll(async () => {
    ({ link } = await write('/posts', secret));
  });

  it('shows its title and a password form everywhere', async () => {
    for (const address of [link, `${link}embed/`, '/', '/category/uncategorized/']) {
      const text = await textAt(address);
      expect([address, text.includes('Protected: Closed'), text.includes('Hidden')]).toEqual([address, true, false]);
    }
    expect(await textAt(link)).toContain('<input id="password" name="password" type="password"');
  });

  it('opens for its password once, without a cookie', async () => {
    const opened = await visit(link, form(secret.password));
    expect([opened.status, opened.headers.get('cache-control'), opened.headers.get('set-cookie')]).toEqual([
      200,
      'no-store',
      null,
    ]);
    expect(await opened.text()).toContain('Hidden words');
    expect(await textAt(link)).not.toContain('Hidden');
  });

  it.each(['', 'wrong', 'OPEN & SHUT+Ü', 'x'.repeat(20_000)])('stays closed for a wrong password', async (password) => {
    const response = await visit(link, form(password));
    const text = await response.text();
    expect([response.status, text.includes('Hidden'), text.includes('role="alert"')]).toEqual([403, false, true]);
  });

  it('does not open with the password in the query', async () => {
    expect(await textAt(`${link}?password=${encodeURIComponent(secret.password)}`)).not.toContain('Hidden');
  });
});

describe('the page of an entry', () => {
  it('shows title, date, author, content and categories', async () => {
    const { link } = await write('/posts', {
      title: 'Whole',
      content: 'First paragraph.\n\nSecond one.',
      date: '2021-07-03T12:00:00',
    });
    const text = await textAt(link);
    expect(text).toContain('<h1>Whole</h1>');
    expect(text).toContain('<time datetime="2021-07-03T12:00:00+02:00">July 3, 2021</time>');
    expect(text).toContain(`<a rel="author" href="${SITE}/author/editor/">editor</a>`);
    expect(text).toContain('<p>Second one.</p>');
    expect(text).toContain(`<a rel="tag" href="${SITE}/category/uncategorized/">Uncategorized</a>`);
  });

  it('links to its canonical address, its oEmbed description and its record', async () => {
    const { id, link } = await write('/posts', { title: 'Findable', content: 'c' });
    const response = await visit(link);
    const text = await response.text();
    const described = `${SITE}/cms-json/oembed/1.0/embed?url=${encodeURIComponent(link)}`;
    expect(text).toContain(`<link rel="canonical" href="${link}">`);
    expect(text).toContain(`<link rel="alternate" type="application/json+oembed" href="${described}">`);
    expect(text).toContain(`<link rel="alternate" type="text/xml+oembed" href="${described}&amp;format=xml">`);
    expect(response.headers.get('link')).toBe(
      `<${SITE}/cms-json/>; rel="https://rels.palimpsest.example/index", ` +
        `<${SITE}/cms-json/cms/v2/posts/${id}>; rel="alternate"; type="application/json"`,
    );
    const { body } = await site.call('anonymous', `GET ${described.slice(SITE.length)}`);
    expect(body.title).toBe('Findable');
  });

  it('escapes markup in titles, names and excerpts', async () => {
    const title = '<img src=x onerror=alert(1)>"\' </title><script>alert(2)</script> & <b>bold</b> 1 < 2';
    const { link } = await write('/posts', { title, content: 'c', excerpt: '<!-- <script>alert(3)</script>' });
    for (const address of [link, '/', `${link}embed/`]) {
      const text = (await textAt(address)).replace(`<script>${frameScript}</script>`, '');
      expect(text).not.toMatch(/<script(?! type="application\/ld\+json">)|<img|alert\(3/);
      expect(text.match(/<\/title>/g)).toHaveLength(1);
      expect(text).toContain('&amp;');
    }
  });

  it('executes no stored scripts, and can be framed by its own site only', async () => {
    const content = '<script>document.title = "owned"</script><p onclick="x()" style="color:teal">Styled</p>';
    const { link } = await write('/posts', { title: 'Scripted', content });
    const response = await visit(link);
    const policy = response.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
      ]),
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(await response.text()).toContain('style="color:teal"');
  });

  it('answers 304 to a matching entity tag until it changes', async () => {
    const { id, link } = await write('/posts', { title: 'Tagged', content: 'c' });
    const first = await visit(link);
    const tag = first.headers.get('etag') ?? '';
    const again = await visit(link, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    await site.call('editor', `PUT /posts/${id}`, { content: 'changed' });
    const changed = await visit(link, { headers: { 'if-none-match': tag } });
    expect([changed.status, (await changed.text()).includes('changed')]).toEqual([200, true]);
  });

  it('answers HEAD without a body, and no other methods', async () => {
    const { link } = await write('/posts', { title: 'Headed', content: 'c' });
    const headers = { 'accept-encoding': 'identity' };
    const [get, head] = [await visit(link, { headers }), await visit(link, { method: 'HEAD', headers })];
    const length = String(Buffer.byteLength(await get.text()));
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, '']);
    const put = await visit(link, { method: 'PUT' });
    expect([put.status, JSON.parse(await put.text()).code]).toEqual([404, 'rest_no_route']);
  });

  it('is the same with and without credentials', async () => {
    const headers = { authorization: site.authorization('administrator') };
    expect(await textAt('/', { headers })).toBe(await textAt('/'));
  });

  it('does not take over the paths of uploads and of the REST interface', async () => {
    expect(JSON.parse(await textAt('/uploads/none.png')).code).toBe('rest_no_route');
    expect(JSON.parse(await textAt('/cms-json/none')).code).toBe('rest_no_route');
    expect(JSON.parse(await textAt('/?rest_route=/none')).code).toBe('rest_no_route');
  });
});

describe('the embeddable card of an entry', () => {
  it('can be framed anywhere, and runs only the script that reports its height', async () => {
    const { link } = await write('/posts', { title: 'Framed', content: 'What it is about' });
    const response = await visit(`${link}embed/`);
    const text = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(
      /script-src '(sha256-[^']+)'; .*frame-ancestors \*$/,
    );
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(text) ?? [];
    const digest = `sha256-${hash('sha256', script, 'base64')}`;
    expect(response.headers.get('content-security-policy')).toContain(`script-src '${digest}';`);
    expect(text).toContain(`<h1><a href="${link}">Framed</a></h1>`);
    expect(text).toContain('<p>What it is about</p>');
  });

  it('can be framed anywhere as a 404, too', async () => {
    const response = await visit('/nothing/embed/');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *');
  });
});

describe('the front page', () => {
  it('shows the newest posts, ten per page, sticky ones first, and links to the documentation', async () => {
    const own = await startSite();
    const dates = Array.from({ length: 23 }, (_, i) => `2020-01-${String(i + 1).padStart(2, '0')}T00:00:00`);
    for (const [i, date] of dates.entries()) {
      await own.make('editor', '/posts', { title: `No. ${i + 1}.`, content: 'c', status: 'publish', date });
    }
    await own.call('editor', 'PUT /posts/1', { sticky: true });
    const at = async (path: string) => (await fetch(`http://127.0.0.1:${own.port}${path}`)).text();
    const titles = (text: string) => [...text.matchAll(/>No\. (\d+)\.</g)].map(([, number]) => Number(number));
    const pages = [await at('/'), await at('/page/2/'), await at('/page/3/'), await at('/page/4/')];
    expect(pages.map(titles)).toEqual([
      [1, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14],
      [13, 12, 11, 10, 9, 8, 7, 6, 5, 4],
      [3, 2, 1],
      [],
    ]);
    expect(pages[0]).toContain(`<a href="${SITE}/cms-json/docs/">`);
    expect(pages[0]).toContain(`<a rel="next" href="${SITE}/page/2/">`);
    expect(pages[1]).toContain(`<a rel="prev" href="${SITE}/">`);
    expect(pages[2]).not.toContain('rel="next"');
    await own.close();
  });

  it('says when nothing has been published', async () => {
    const own = await startSite();
    const response = await fetch(`http://127.0.0.1:${own.port}/`);
    expect([response.status, (await response.text()).includes('Nothing has been published')]).toEqual([200, true]);
    await own.close();
  });
});

it('makes wide code blocks scrollable by keyboard', async () => {
  const content = '<pre class="x">a long line</pre>\n<prefix>no</prefix>';
  const { link } = await write('/posts', { title: 'Code', content });
  const text = await textAt(link);
  expect(text).toContain('<pre tabindex=0 class="x">');
  expect(text.match(/tabindex/g)).toHaveLength(1);
});

it('states the language of the site, and language and direction of entries in others', async () => {
  const { link } = await write('/posts', { title: 'مرحبا', content: '<p>مرحبا بالعالم</p>' });
  const wrapped = await write('/posts', { title: 'Hallo', content: '<div lang="de"><p>Guten Tag</p></div>' });
  const text = await textAt(link);
  expect(text).toContain('<html lang="en-US">');
  expect(text).toContain('<article lang="ar" dir="rtl">');
  expect(await textAt(wrapped.link)).toContain('<article lang="de" dir="ltr">');
  expect(await textAt('/')).toContain('<article lang="ar" dir="rtl">\n<h2>');
  const long = `<p>${'Words '.repeat(100)}</p><p>${'12 '.repeat(22_000)}</p><p>${'مرحبا '.repeat(300)}</p>`;
  expect(await textAt((await write('/posts', { title: 'Long', content: long })).link)).not.toContain('<article lang');
});

describe('a page that is requested repeatedly', () => {
  it('is sent compressed with its own entity tag, until it changes', async () => {
    const { id, link } = await write('/posts', { title: 'Often read', content: 'many words '.repeat(200) });
    const plain = await textAt(link, { headers: { 'accept-encoding': 'identity' } });
    const packed = await eventually(async () => {
      const response = await visit(link, { headers: { 'accept-encoding': 'gzip, br' } });
      expect(response.headers.get('content-encoding')).toBe('br');
      return response;
    });
    expect(await packed.text()).toBe(plain);
    const tag = packed.headers.get('etag') ?? '';
    const again = await visit(link, { headers: { 'accept-encoding': 'br', 'if-none-match': tag } });
    expect([packed.headers.get('vary'), again.status, again.headers.get('etag')]).toEqual([
      'Accept-Encoding',
      304,
      tag,
    ]);
    const head = await visit(link, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect([head.headers.get('etag'), await head.text()]).toEqual([tag, '']);
    await site.call('editor', `PUT /posts/${id}`, { content: 'changed' });
    expect(await textAt(link)).toContain('changed');
  });

  it('is rendered every time when it shows relative dates', async () => {
    const content = '<!-- wp:post-date {"format":"human-diff"} /-->';
    const { link } = await write('/posts', { title: 'Timely', content });
    for (let i = 0; i < 4; i += 1) await textAt(link);
    const later = Date.now() + 5 * 365 * 24 * 60 * 60 * 1000;
    const now = vi.spyOn(Date, 'now').mockReturnValue(later);
    onTestFinished(() => now.mockRestore());
    expect(await textAt(link)).toMatch(/>[56] years ago</);
  });
});

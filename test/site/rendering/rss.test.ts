import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outside, PUBLIC, startOutside } from '../../outgoing/support.ts';
import { eventually, patience } from '../../support/patience.ts';
import { type Site, startSite } from '../../support/site.ts';

const HOUR = 60 * 60 * 1000;

let site: Site;
let outside: Outside;
let listener: RequestListener;
const asked = new Map<string, number>();
beforeAll(async () => {
  outside = await startOutside(
    (request, response) => {
      asked.set(request.url ?? '', (asked.get(request.url ?? '') ?? 0) + 1);
      listener(request, response);
    },
    { 'blog.example': [PUBLIC], 'inner.example': ['10.0.0.1'] },
    { deadline: patience },
  );
  site = await startSite({ outgoing: outside.outgoing });
});
afterAll(async () => {
  await site.close();
  await outside.close();
});

let fresh = 0;
const address = () => `http://blog.example/${++fresh}/feed`;
const rss = (attributes: object) => `<!-- wp:rss ${JSON.stringify(attributes)} /-->`;

async function reader(attributes: object): Promise<() => Promise<string>> {
  const content = rss(attributes);
  const id = await site.make('editor', '/posts', { title: 'Feed', content, status: 'publish' });
  return async () => (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
}

async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  return eventually(async () => {
    const value = await read();
    expect(isThere(value)).toBe(true);
    return value;
  });
}

async function page(path: string) {
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`);
  return { status: response.status, text: await response.text() };
}

/** What a post shows once its feed has been fetched. */
async function shown(attributes: object): Promise<string> {
  const read = await reader(attributes);
  return until(read, (html) => !html.includes('not there yet'));
}

const serve =
  (body: string, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/rss+xml' }).end(body);
  };
const item = (inside: string) => `<item>${inside}</item>`;
const channel = (items: string) =>
  `<?xml version="1.0"?><rss xmlns:dc="d"><channel><title>C</title>${items}</channel></rss>`;

describe('the RSS block', () => {
  it('shows a feed as a list, with its markup as text', async () => {
    listener = serve(
      channel(
        item(
          '<title>A &amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt; &amp;amp; "more"</title><link>https://blog.example/1?a=1&amp;b=2</link><pubDate>Sat, 03 Feb 2001 04:05:06 GMT</pubDate><dc:creator>Ada &lt;i&gt;L&lt;/i&gt;</dc:creator><description><![CDATA[<p>One two <script>x()</script>three four</p>]]></description>',
        ) + item('<link>javascript:alert(1)</link>'),
      ),
    );
    const options = { displayDate: true, displayAuthor: true, displayExcerpt: true, excerptLength: 2 };
    const more = { openInNewTab: true, rel: 'nofollow', blockLayout: 'grid', columns: 3 };
    expect(await shown({ feedURL: address(), ...options, ...more })).toBe(
      '<ul class="is-grid columns-3 has-dates has-authors has-excerpts wp-block-rss">' +
        "<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'><a href='https://blog.example/1?a=1&#038;b=2' target=\"_blank\" rel=\"nofollow\">A bold &amp; &quot;more&quot;</a></div>" +
        '<time datetime="2001-02-03T05:05:06+01:00" class="wp-block-rss__item-publish-date">February 3, 2001</time> ' +
        '<span class="wp-block-rss__item-author">by Ada L</span>' +
        '<div class="wp-block-rss__item-excerpt">One two [&hellip;]</div></li>' +
        "<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'>(no title)</div></li></ul>",
    );
  });

  it('reads Atom, limited to the requested number of items', async () => {
    const entry = (n: number) =>
      `<entry><title>E${n}</title><link rel="self" href="/self"/><link href="https://blog.example/${n}"/><author><name>N</name></author></entry>`;
    listener = serve(`<feed xmlns="http://www.w3.org/2005/Atom">${[1, 2, 3].map(entry).join('')}</feed>`);
    const html = await shown({ feedURL: address(), itemsToShow: 2, displayAuthor: true });
    expect(html.match(/<a href='[^']+'>E\d<\/a>/g)).toEqual([
      "<a href='https://blog.example/1'>E1</a>",
      "<a href='https://blog.example/2'>E2</a>",
    ]);
    expect(html).toContain('by N');
  });

  it('is fetched again after half a day, and a failure after some minutes; until then it shows what it had', async () => {
    const has = (title: string) => (html: string) => html.includes(title);
    listener = serve(channel(item('<title>First</title>')));
    const feedURL = address();
    const times = () => asked.get(new URL(feedURL).pathname);
    const read = await reader({ feedURL });
    await until(read, has('First'));
    for (let i = 0; i < 3; i++) expect(await read()).toContain('First');
    expect(times()).toBe(1);
    listener = serve(channel(item('<title>Second</title>')));
    site.clock.now += 13 * HOUR;
    site.node.store.feeds.onWanted();
    await until(read, has('Second'));
    listener = serve('', 500);
    site.clock.now += 13 * HOUR;
    site.node.store.feeds.onWanted();
    await until(
      async () => times(),
      (count) => count === 3,
    );
    expect(await read()).toContain('Second');
    listener = serve(channel(item('<title>Third</title>')));
    site.clock.now += HOUR / 10;
    site.node.store.feeds.onWanted();
    await until(read, has('Third'));
    expect(times()).toBe(4);
  });

  it('is there at once after a restart', async () => {
    listener = serve(channel(item('<title>Kept</title>')));
    const read = await reader({ feedURL: address() });
    await until(read, (html) => html.includes('Kept'));
    await site.restart();
    expect(await read()).toContain('Kept');
  });

  it.each([
    ['is no feed', () => serve('<html><body>No</body></html>'), () => address()],
    ['is not public', () => serve(channel(item('x'))), () => 'http://inner.example/feed'],
    ['is no address', () => serve(channel(item('x'))), () => 'file:///etc/passwd'],
    ['is of this site', () => serve(channel(item('x'))), () => 'http://site.example/feed/'],
  ])('shows a notice when the feed %s', async (_, what, where) => {
    listener = what();
    const html = await shown({ feedURL: where() });
    expect(html).toMatch(/^<div class="components-placeholder"><div class="notice notice-error">/);
  });

  it('does not take the feeds of others away by a text with many', async () => {
    listener = serve(channel(item('<title>There before</title>')));
    const read = await reader({ feedURL: address() });
    await until(read, (html) => html.includes('There before'));
    const content = Array.from({ length: 400 }, (_, n) => rss({ feedURL: `http://f${n}.invalid/` })).join('');
    const id = await site.make('author', '/posts', { title: 'Greedy', content, status: 'publish' });
    for (let i = 0; i < 3; i++) {
      const { status } = await site.call('anonymous', `GET /posts/${id}`);
      expect([status, (await read()).includes('There before')]).toEqual([200, true]);
    }
    await site.call('author', `DELETE /posts/${id}?force=true`);
    site.clock.now += 3 * 24 * HOUR;
    expect(site.node.store.feeds.due()).toEqual([]);
  });

  it('shows all of its feeds', async () => {
    listener = serve(channel(item('<title>One</title>')));
    const content = Array.from({ length: 9 }, () => rss({ feedURL: address() })).join('');
    const id = await site.make('editor', '/posts', { title: 'Many', content, status: 'publish' });
    const read = async () => (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
    const html = await until(read, (text) => !text.includes('not there yet'));
    expect(html.match(/>One</g)).toHaveLength(9);
  });

  it('never fails where its text is shown, whether it has been fetched or not', async () => {
    listener = serve(channel(item('<title>Everywhere</title>')));
    const wanted = { feedURL: address() };
    const content = `<p>Before</p>${rss(wanted)}`;
    const id = await site.make('editor', '/posts', { title: 'Shown', content, status: 'publish' });
    const locked = await site.make('editor', '/posts', {
      title: 'Locked',
      content,
      status: 'publish',
      password: 'open',
    });
    const { link, slug } = (await site.call('anonymous', `GET /posts/${id}`)).body;
    const path = new URL(link).pathname;
    const list = '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->';
    const holder = await site.make('editor', '/pages', { title: 'Holder', content: list, status: 'publish' });
    const holderPath = new URL((await site.call('anonymous', `GET /pages/${holder}`)).body.link).pathname;
    const paths = [
      path,
      `${path}embed/`,
      '/',
      '/feed/',
      '/feed/atom/',
      holderPath,
      '/?s=before',
      '/cms-json/cms/v2/posts',
    ];
    for (let round = 0; round < 2; round++) {
      for (const one of paths) expect([one, (await page(one)).status]).toEqual([one, 200]);
      expect((await site.call('editor', `GET /posts/${id}?context=edit`)).status).toBe(200);
      expect((await site.call('anonymous', `GET /posts/${locked}?password=open`)).status).toBe(200);
      await until(
        () => page(path),
        ({ text }) => text.includes('Everywhere'),
      );
    }
    expect((await page('/feed/')).text).toContain('Everywhere');
    expect(slug).toBe('shown');
  });
});

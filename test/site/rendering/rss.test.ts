import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Outside, PUBLIC, startOutside } from '../../outgoing/support.ts';
import { patience } from '../../support/patience.ts';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
let outside: Outside;
let listener: RequestListener;
let asked = 0;
beforeAll(async () => {
  outside = await startOutside(
    (request, response) => {
      asked += 1;
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
beforeEach(() => {
  asked = 0;
});

let fresh = 0;
const address = () => `http://blog.example/${++fresh}/feed`;
const rss = (attributes: object) => `<!-- wp:rss ${JSON.stringify(attributes)} /-->`;

async function reader(attributes: object): Promise<() => Promise<string>> {
  const content = rss(attributes);
  const id = await site.make('editor', '/posts', { title: 'Feed', content, status: 'publish' });
  return async () => (await site.call('anonymous', `GET /posts/${id}`)).body.content.rendered;
}
const shown = async (attributes: object) => (await reader(attributes))();

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

  it('caches a feed for half a day, and a failure for some minutes', async () => {
    listener = serve(channel(item('<title>First</title>')));
    const read = await reader({ feedURL: address() });
    for (let i = 0; i < 3; i++) expect(await read()).toContain('First');
    expect(asked).toBe(1);
    listener = serve(channel(item('<title>Second</title>')));
    site.clock.now += 13 * 60 * 60 * 1000;
    expect(await read()).toContain('Second');
    listener = serve('', 500);
    site.clock.now += 13 * 60 * 60 * 1000;
    for (let i = 0; i < 2; i++) expect(await read()).toContain('notice-error');
    expect(asked).toBe(3);
    listener = serve(channel(item('<title>Third</title>')));
    site.clock.now += 6 * 60 * 1000;
    expect(await read()).toContain('Third');
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

  it('shows at most five feeds in one answer', async () => {
    listener = serve(channel(item('<title>One</title>')));
    const content = Array.from({ length: 9 }, () => rss({ feedURL: address() })).join('');
    const id = await site.make('editor', '/posts', { title: 'Many', content, status: 'publish' });
    const { body } = await site.call('anonymous', `GET /posts/${id}`);
    expect(body.content.rendered.match(/>One</g)).toHaveLength(5);
    expect(asked).toBeLessThanOrEqual(10);
  });
});

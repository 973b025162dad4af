import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { pngOf, uploadForm } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Texts as they come from other programs: control characters, noncharacters, halves of pairs, what XML gives a meaning. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u0001',
        '\u0007',
        '\u0008',
        '\u000b',
        '\u000c',
        '\u001f',
        '\u007f',
        '\u0085',
        '\ufffe',
        '\uffff',
      ),
      fc.constantFrom(
        '\ud800',
        '\udc00',
        '\u{1ffff}',
        ']]>',
        '<!--',
        '-->',
        '<?xml',
        '&#0;',
        '&#x1F;',
        '&nbsp;',
        '<b>',
        '"',
        "'",
        '&',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
      fc.constant('word '),
    ),
    { minLength: 1, maxLength: 12 },
  )
  // Halves of pairs are refused in JSON.
  .map((parts) => `x${parts.join('')}`.toWellFormed());

function faultsOf(xml: string): string[] {
  const faults: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => faults.push(error.message));
  parser.write(xml).close();
  return faults;
}

it('no text in any field makes a feed, sitemap or description unreadable', async () => {
  const texts = fc.record({
    title: text,
    content: text,
    excerpt: text,
    tag: text,
    author: text,
    site: text,
    tagline: text,
    comment: text,
    visitor: text,
    caption: text,
    page: text,
  });
  const property = fc.asyncProperty(texts, async (given) => {
    await site.call('administrator', 'POST /settings', { title: given.site, description: given.tagline });
    await site.call('editor', 'PATCH /users/me', { name: given.author, description: given.content });
    const { body: tag } = await site.call('editor', 'POST /tags', { name: given.tag, description: given.content });
    const tags = typeof tag.id === 'number' ? [tag.id] : [];
    const { title, content, excerpt } = given;
    const entry = { title, content, excerpt, status: 'publish' };
    const { body: post } = await site.call('editor', 'POST /posts', { ...entry, tags });
    const { body: page } = await site.call('editor', 'POST /pages', { ...entry, title: given.page });
    await site.call('administrator', 'POST /comments', {
      post: post.id,
      content: given.comment,
      author_name: given.visitor,
    });
    const file = { name: 'a.png', type: 'image/png', bytes: pngOf(3, 3) };
    await uploadForm(site, 'editor', file, { fields: { caption: given.caption, title, post: String(post.id) } });
    expect([post.code, page.code]).toEqual([undefined, undefined]);
    const { pathname } = new URL(post.link);
    const described = [post, page].map(
      ({ link }) => `/cms-json/oembed/1.0/embed?format=xml&url=${encodeURIComponent(link)}`,
    );
    const tagged = typeof tag.link === 'string' ? [`${new URL(tag.link).pathname}feed/`] : [];
    const sitemaps = ['/sitemap.xml', '/sitemap-posts-1.xml', '/sitemap-pages-1.xml'];
    const feeds = ['/feed/', '/feed/atom/', '/comments/feed/', '/author/editor/feed/', `${pathname}feed/`, ...tagged];
    for (const path of [...feeds, ...sitemaps, ...described]) {
      const response = await fetch(`http://127.0.0.1:${site.port}${path}`);
      // A site without pages has no sitemap of pages.
      if (path === '/sitemap-pages-1.xml' && response.status === 404) continue;
      expect([path, response.status, faultsOf(await response.text())]).toEqual([path, 200, []]);
    }
    await site.call('editor', `DELETE /posts/${post.id}?force=true`);
    await site.call('editor', `DELETE /pages/${page.id}?force=true`);
  });
  await fc.assert(property, { numRuns: 40 });
});

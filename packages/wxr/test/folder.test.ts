import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFolderSource } from '../src/folder.ts';
import { parseFolderMapping } from '../src/folder-mapping.ts';
import { markdownToBlocks } from '../src/folder-markdown.ts';
import { folderOf, ofKind, readFolder as read } from './folders.ts';

it('an export of Ghost beside its pictures', async () => {
  const paths = { a: '/content/images/2020/a.png', none: '/content/images/2020/none.png' };
  const data = {
    posts: [
      {
        ...{
          id: '5f0000000000000000000002',
          title: 'Second',
          slug: 'second',
          type: 'page',
          status: 'draft',
          html: null,
        },
        ...{ lexical: '{"root":{}}', created_at: '2020-01-01T00:00:00.000Z', published_at: null },
      },
      {
        ...{
          id: '5f0000000000000000000001',
          title: 'First',
          slug: 'first',
          type: 'post',
          status: 'published',
          featured: 1,
        },
        ...{
          html: `<p><img src="__GHOST_URL__${paths.a}"> <a href="__GHOST_URL__/second/">x</a></p>`,
          custom_excerpt: 'Short',
        },
        ...{
          feature_image: `__GHOST_URL__${paths.a}`,
          published_at: '2020-02-03T04:05:06.000Z',
          updated_at: '2020-02-04 05:06:07',
        },
      },
    ],
    tags: [
      { id: 't1', name: 'Ink', slug: 'ink', description: 'Wet' },
      { id: 't2', name: '#hidden', slug: 'hash-hidden' },
    ],
    posts_tags: [{ post_id: '5f0000000000000000000001', tag_id: 't1', sort_order: 0 }],
    users: [{ id: 'u1', name: 'Ada', slug: 'ada', email: 'ada@example.org', bio: 'Writes', website: null }],
    posts_authors: [{ post_id: '5f0000000000000000000001', author_id: 'u1', sort_order: 0 }],
    settings: [
      { key: 'title', value: 'Old' },
      { key: 'timezone', value: 'Etc/UTC' },
    ],
  };
  const files = {
    'old.ghost.json': JSON.stringify({ db: [{ meta: { version: '5.0' }, data }] }),
    'content/images/2020/a.png': 'PNG',
  };
  const { records, item, items, notices, source } = await read(folderOf(files));
  expect(records[0]).toMatchObject({ kind: 'site', title: 'Old', generator: 'Ghost 5.0', timezone: 'Etc/UTC' });
  expect(ofKind(records, 'author')).toMatchObject([{ login: 'ada', email: 'ada@example.org', description: 'Writes' }]);
  expect(ofKind(records, 'term').map(({ slug, description }) => [slug, description])).toEqual([
    ['ink', 'Wet'],
    ['hash-hidden', ''],
  ]);
  expect(ofKind(records, 'item').find(({ slug }) => slug === 'first')).toMatchObject({
    ...{
      type: 'post',
      status: 'publish',
      title: 'First',
      excerpt: 'Short',
      sticky: true,
      link: 'https://folder.invalid/first/',
      author: { name: 'ada' },
    },
    ...{
      dateGmt: '2020-02-03T04:05:06',
      modifiedGmt: '2020-02-04T05:06:07',
      terms: [{ taxonomy: 'post_tag', name: 'ink' }],
    },
    content: `<p><img src="https://folder.invalid${paths.a}"> <a href="/second/">x</a></p>`,
    featured: item('content/images/2020/a.png').id,
  });
  expect(notices).toMatchObject([{ code: 'no_html', what: 'skipped', message: expect.stringContaining('second') }]);
  expect(items.size).toBe(2);
  const { file } = item('content/images/2020/a.png');
  expect(String(Buffer.concat(await Array.fromAsync((file && (await source.file(file))) ?? [])))).toBe('PNG');
});

it('what looks like a number in front matter stays what was written', async () => {
  const folder = folderOf({ 'a.md': '---\ntitle: 1.10\nslug: 007\ntags: [0123, 2020]\n---\nText' });
  const { item, records } = await read(folder);
  expect(item('a.md')).toMatchObject({ title: '1.10', slug: '007' });
  expect(ofKind(records, 'term').map(({ name }) => name)).toEqual(['0123', '2020']);
});

describe('Markdown becomes blocks', () => {
  const block = (name: string, html: string, attributes = '') =>
    `<!-- wp:${name} ${attributes}-->\n${html}\n<!-- /wp:${name} -->`;
  const listItem = (html: string) => block('list-item', `<li>${html}</li>`);
  it.each([
    ['A *b* & `c`\nd', block('paragraph', '<p>A <em>b</em> &amp; <code>c</code> d</p>')],
    ['a  \nb', block('paragraph', '<p>a<br>b</p>')],
    ['## Two', block('heading', '<h2 class="wp-block-heading">Two</h2>')],
    ['### Three', block('heading', '<h3 class="wp-block-heading">Three</h3>', '{"level":3} ')],
    [
      '- a\n- b\n  1. c',
      block(
        'list',
        `<ul class="wp-block-list">${listItem('a')}\n\n${listItem(`b${block('list', `<ol class="wp-block-list">${listItem('c')}</ol>`, '{"ordered":true} ')}`)}</ul>`,
      ),
    ],
    ['3. a', block('list', `<ol start="3" class="wp-block-list">${listItem('a')}</ol>`, '{"ordered":true,"start":3} ')],
    ['- a\n\n  more', block('html', '<ul>\n<li><p>a</p>\n<p>more</p>\n</li>\n</ul>')],
    ['> a', block('quote', `<blockquote class="wp-block-quote">${block('paragraph', '<p>a</p>')}</blockquote>`)],
    [
      '```js\na < [b]\n```',
      block(
        'code',
        '<pre class="wp-block-code language-js"><code>a &lt; &#91;b]</code></pre>',
        '{"className":"language-js"} ',
      ),
    ],
    ['    a', block('code', '<pre class="wp-block-code"><code>a</code></pre>')],
    [
      '| a | b |\n|---|--:|\n| 1 | *2* |',
      block(
        'table',
        '<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>a</th><th class="has-text-align-right" data-align="right">b</th></tr></thead><tbody><tr><td>1</td><td class="has-text-align-right" data-align="right"><em>2</em></td></tr></tbody></table></figure>',
      ),
    ],
    ['---', block('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>')],
    [
      '![A "b"](/c.png "D")',
      block('image', '<figure class="wp-block-image"><img src="/c.png" alt="A &quot;b&quot;" title="D"/></figure>'),
    ],
    ['<div>\nx\n</div>', block('html', '<div>\nx\n</div>')],
    [
      'a\n\n<!--more-->\n\nb',
      [block('paragraph', '<p>a</p>'), block('more', '<!--more-->'), block('paragraph', '<p>b</p>')].join('\n\n'),
    ],
  ])('%j', (markdown, blocks) => {
    expect(markdownToBlocks(markdown)).toBe(blocks);
  });

  it('and its addresses are changed, also those of markup in it', () => {
    const mapped = (address: string) => `/new${address}`;
    const markdown = '![a](/1) and [b](/2)\n\n<img src=\'/3\' alt="src=">\n\n- [c](/4)\n\n[d]\n\n[d]: /5';
    const found = markdownToBlocks(markdown, mapped).match(/\/new\/\d/g);
    expect(found).toEqual(['/new/1', '/new/2', '/new/3', '/new/4', '/new/5']);
  });
});

it('a folder of Hugo', async () => {
  const folder = folderOf({
    'hugo.toml':
      'baseURL = "https://old.example/blog/"\ntitle = "Old"\nlanguageCode = "en-gb"\n[params]\ndescription = "Notes"',
    'content/_index.md':
      '---\ntitle: Front\n---\n{{< figure src="/img/logo.svg" alt="L" caption="A & B" >}}\n\n[leaf]({{< ref "posts/leaf" >}}) {{< other >}}',
    'content/about/_index.md': '---\ntitle: About\nweight: 3\n---\nUs',
    'content/about/team.md': '+++\ntitle = "Team"\nurl = "/team-page/"\n+++\nSee [about](_index.md#top).',
    'content/posts/leaf/index.md':
      '---\ntitle: "A leaf"\ndate: 2020-05-01T10:00:00+02:00\nlastmod: 2021-01-01\ntags: [Ink, "Iron Gall"]\ncategories: ["Notes"]\nauthor: Ada Lovelace\nfeatured_image: leaf.png\naliases: [/old/leaf/]\nmood: {a: 1}\n---\n![Leaf](leaf.png)\n\nAnd ![logo](/img/logo.svg), ![none](none.png), [pdf](/doc.pdf).',
    'content/posts/leaf/leaf.png': 'PNG',
    'content/posts/draft.md': '{\n"title": "Draft",\n"draft": true\n}\nText',
    'content/posts/soon.md': '+++\ntitle = "Soon"\ndate = 2031-01-01T00:00:00Z\nslug = "later"\n+++\nText',
    'static/img/logo.svg': '<svg/>',
    'static/unused.png': 'PNG',
    'static/doc.pdf': 'PDF',
    'themes/x/README.md': '# No',
  });
  const { source, records, notices, items, item } = await read(folder);
  expect(notices.map(({ code, place: { file, line } }) => [code, `${file}:${line}`])).toEqual([
    ['not_translated', 'content/_index.md:6'],
    ['leads_nowhere', 'content/posts/leaf/index.md:14'],
  ]);
  expect(records[0]).toMatchObject({
    kind: 'site',
    generator: 'Hugo',
    title: 'Old',
    description: 'Notes',
    language: 'en-gb',
    url: 'https://old.example/blog',
  });
  expect(ofKind(records, 'author')).toMatchObject([{ login: 'ada-lovelace', displayName: 'Ada Lovelace' }]);
  expect(ofKind(records, 'term').map(({ taxonomy, slug, name }) => [taxonomy, slug, name])).toEqual([
    ['category', 'notes', 'Notes'],
    ['post_tag', 'ink', 'Ink'],
    ['post_tag', 'iron-gall', 'Iron Gall'],
  ]);
  const leaf = item('content/posts/leaf/index.md');
  expect(leaf).toMatchObject({
    ...{ type: 'post', status: 'publish', slug: 'leaf', title: 'A leaf', link: 'https://old.example/blog/posts/leaf/' },
    ...{ date: '2020-05-01T10:00:00', dateGmt: '2020-05-01T08:00:00', modifiedGmt: '2021-01-01T00:00:00' },
    ...{ author: { name: 'ada-lovelace' }, featured: item('content/posts/leaf/leaf.png').id, parent: 0 },
    meta: [
      { key: 'aliases', value: '["/blog/old/leaf/"]' },
      { key: 'frontmatter:mood', value: '{"a":1}' },
    ],
  });
  expect(leaf.terms.map(({ name }) => name)).toEqual(['notes', 'ink', 'iron-gall']);
  expect(leaf.content).toContain('<img src="https://old.example/blog/posts/leaf/leaf.png" alt="Leaf"/>');
  expect(leaf.content).toContain(
    '<img src="https://old.example/blog/img/logo.svg" alt="logo">, <img src="none.png" alt="none">, <a href="https://old.example/blog/doc.pdf">pdf</a>',
  );
  expect(item('content/about/team.md')).toMatchObject({
    type: 'page',
    link: 'https://old.example/blog/team-page/',
    parent: item('content/about/_index.md').id,
  });
  expect(item('content/about/team.md').content).toContain('href="https://old.example/blog/about/#top"');
  expect(item('content/about/_index.md')).toMatchObject({ slug: 'about', menuOrder: 3, parent: 0 });
  expect(item('content/_index.md').content.split('\n\n')).toEqual([
    '<!-- wp:html -->\n<figure class="wp-block-image"><img src="https://old.example/blog/img/logo.svg" alt="L"/><figcaption class="wp-element-caption">A &amp; B</figcaption></figure>\n<!-- /wp:html -->',
    '<!-- wp:paragraph -->\n<p><a href="https://old.example/blog/posts/leaf/">leaf</a> {{&lt; other &gt;}}</p>\n<!-- /wp:paragraph -->',
  ]);
  expect(item('content/_index.md')).toMatchObject({ slug: 'home', link: 'https://old.example/blog/' });
  expect(item('content/posts/draft.md')).toMatchObject({ status: 'draft', title: 'Draft' });
  expect(item('content/posts/soon.md')).toMatchObject({
    status: 'future',
    slug: 'later',
    link: 'https://old.example/blog/posts/later/',
  });
  const files = [...items].filter(([, { type }]) => type === 'attachment');
  expect(files.map(([path]) => path)).toEqual(['content/posts/leaf/leaf.png', 'static/doc.pdf', 'static/img/logo.svg']);
  expect(files[2]?.[1]).toMatchObject({
    status: 'inherit',
    link: '',
    file: { url: 'https://old.example/blog/img/logo.svg', path: 'img/logo.svg', type: 'image/svg+xml' },
  });
  const [, { file } = { file: null }] = files[0] ?? [];
  expect(String(Buffer.concat(await Array.fromAsync((file && (await source.file(file))) ?? [])))).toBe('PNG');
  expect([source.total, source.done(), source.unit]).toEqual([6, 6, 'files']);
  const again = await read(folder);
  expect(again.records).toEqual(records);
  const known = await Array.fromAsync(
    source.read({ isKnown: ({ id, modifiedGmt }) => id === leaf.id && modifiedGmt === leaf.modifiedGmt }),
  );
  expect(known.filter((part) => 'record' in part)).toHaveLength(records.length - 1);
});

it('a folder of Jekyll', async () => {
  const { item, records, items } = await read(
    folderOf({
      '_config.yml': 'title: Old\nurl: https://old.example\nbaseurl: /b\npermalink: pretty\n',
      '_posts/2019-03-04-first-post.md':
        '---\ncategories: ink quill\ntags: [a]\ndate: 2019-03-04 10:11:12 +0100\n---\n# First\n\n![x](/assets/x.jpg)',
      '_drafts/later.markdown': '---\ntitle: Later\n---\nText',
      '_posts/2019-05-06-own.html':
        '---\ntitle: Own\npermalink: /:year/own.html\npublished: false\n---\n<p><img src="../assets/x.jpg"></p>',
      'about.md':
        '---\nlayout: page\ntitle: About\n---\n![x]({{ site.baseurl }}/assets/x.jpg)\n\n[f]({{ "/assets/x.jpg" | relative_url }})\n\n{% highlight ruby linenos %}\na\n{% endhighlight %}',
      'index.html': '<html>{% comment %}</html>',
      '_layouts/post.html': '---\nlayout: x\n---\n{{ content }}',
      '_site/about/index.html': '---\ntitle: No\n---\n',
      'assets/x.jpg': 'JPG',
    }),
  );
  const first = item('_posts/2019-03-04-first-post.md');
  expect(first).toMatchObject({
    type: 'post',
    slug: 'first-post',
    title: 'First',
    dateGmt: '2019-03-04T09:11:12',
    date: '2019-03-04T10:11:12',
  });
  expect(first.link).toBe('https://old.example/b/ink/quill/2019/03/04/first-post/');
  expect(first.content).toBe(
    '<!-- wp:image -->\n<figure class="wp-block-image"><img src="https://old.example/b/assets/x.jpg" alt="x"/></figure>\n<!-- /wp:image -->',
  );
  expect(item('_posts/2019-05-06-own.html')).toMatchObject({
    link: 'https://old.example/b/2019/own.html',
    status: 'draft',
    date: '2019-05-06T00:00:00',
    content: '<p><img src="https://old.example/b/assets/x.jpg"></p>',
  });
  expect(item('_drafts/later.markdown')).toMatchObject({ type: 'post', status: 'draft', slug: 'later' });
  expect(item('about.md')).toMatchObject({
    type: 'page',
    link: 'https://old.example/b/about/',
    meta: [{ key: 'frontmatter:layout', value: '"page"' }],
  });
  expect(item('about.md').content.match(/<(?:img|a|pre)[^<>]*>/g)).toEqual([
    '<img src="https://old.example/b/assets/x.jpg" alt="x"/>',
    '<a href="https://old.example/b/assets/x.jpg">',
    '<pre class="wp-block-code language-ruby">',
  ]);
  expect(ofKind(records, 'term').map(({ slug }) => slug)).toEqual(['ink', 'quill', 'a']);
  expect(items.size).toBe(5);
});

it('a folder of Astro', async () => {
  const { item, items } = await read(
    folderOf({
      'astro.config.mjs': '',
      'src/content/blog/first.md':
        "---\ntitle: First\ndescription: Short\npubDate: 'Jul 08 2022'\nheroImage: '../../assets/hero.jpg'\n---\n[Next](./second.mdx) ![p](/p.png)",
      'src/content/blog/second.mdx':
        '---\ntitle: Second\npubDate: 2022-07-09\nupdatedDate: 2022-07-10T12:30:00Z\n---\nText',
      'src/assets/hero.jpg': 'JPG',
      'public/p.png': 'PNG',
      'src/pages/index.astro': '---\n---\n',
    }),
  );
  expect(item('src/content/blog/first.md')).toMatchObject({
    type: 'post',
    excerpt: 'Short',
    dateGmt: '2022-07-08T00:00:00',
    link: 'https://folder.invalid/blog/first/',
    featured: item('src/assets/hero.jpg').id,
    meta: [],
  });
  expect(item('src/content/blog/first.md').content).toContain(
    '<a href="https://folder.invalid/blog/second/">Next</a> <img src="https://folder.invalid/p.png" alt="p">',
  );
  expect(item('src/content/blog/second.mdx').modifiedGmt).toBe('2022-07-10T12:30:00');
  expect(items.size).toBe(4);
});

it('any other folder, as a mapping says', async () => {
  const mapping = parseFolderMapping(
    'fields: {title: [heading], date: [when]}\ntypes: {notes: post, "": page}\nleaveOut: ["private/**"]\nfiles: [pics]\nbaseUrl: https://old.example\npermalinks: {post: "/:year/:slug"}',
    'mapping.yaml',
  );
  const files = {
    'notes/a.md': '---\nheading: A\nwhen: 2020-02-03T04:05\n---\n![b](/b.gif)',
    'private/b.md': '---\nheading: B\n---\nText',
    'plain.md': 'No front matter here.',
    'README.md': '# Read me',
    'pics/b.gif': 'GIF',
  };
  const { item, items } = await read(folderOf(files), { mapping });
  expect(item('notes/a.md')).toMatchObject({
    type: 'post',
    title: 'A',
    link: 'https://old.example/2020/a',
    date: '2020-02-03T04:05:00',
    dateGmt: '2020-02-03T04:05:00',
  });
  expect(item('plain.md')).toMatchObject({ type: 'page', title: 'Plain', status: 'publish' });
  expect([...items.keys()].sort()).toEqual(['notes/a.md', 'pics/b.gif', 'plain.md']);
});

it.each([
  ['[1]', '"fields"'],
  ['{"field": {}}', '"field" is not known'],
  ['{"fields": {"titel": ["x"]}}', '"fields.titel"'],
  ['{"fields": {"title": 1}}', 'our names and theirs'],
  ['{"types": {"a": 1}}', '"types" has to be'],
  ['{"leaveOut": "x"}', 'list of globs'],
  ['{"a": [}', 'mapping.json:1'],
])('a mapping %s is refused', (text, message) => {
  expect(() => parseFolderMapping(text, 'mapping.json')).toThrow(
    expect.objectContaining({ code: 'wrong_mapping', message: expect.stringContaining(message) }),
  );
});

it('what cannot be read is named with its line, and what is outside is not followed', async () => {
  const outside = folderOf({ 'secret.md': '---\ntitle: Secret\n---\nSecret' });
  const folder = folderOf({
    'posts/bad.md': '---\ntitle: [a\nb: c\n---\nText',
    'posts/open.md': '---\ntitle: a\n',
    'posts/alias.md': '---\ntitle: *a\n---\n',
    'posts/list.md': '---\n- a\n---\n',
    'posts/toml.md': '+++\na = 1\nb = = 2\n+++\n',
    'posts/latin.md': Buffer.from('---\ntitle: Caf\xe9\n---\n', 'latin1'),
    'posts/good.md': '\ufeff---\r\ntitle: Good\r\n---\r\nText\r\n',
    'posts/sub/x.md': 'X',
    'posts/deep.md': `${'>'.repeat(20_000)} a`,
  });
  symlinkSync(outside, join(folder, 'linked'));
  symlinkSync(join(outside, 'secret.md'), join(folder, 'posts/secret.md'));
  symlinkSync(folder, join(folder, 'posts/sub/round'));
  symlinkSync(join(folder, 'posts/good.md'), join(folder, 'posts/inside.md'));
  const { notices, items, item } = await read(folder);
  expect(notices.map(({ what, code, place }) => [what, code, `${place.file}:${place.line}`])).toEqual([
    ['skipped', 'leads_outside', 'linked:0'],
    ['skipped', 'leads_outside', 'posts/secret.md:0'],
    ['skipped', 'front_matter', 'posts/alias.md:2'],
    ['skipped', 'front_matter', 'posts/bad.md:3'],
    ['skipped', 'too_deep', 'posts/deep.md:0'],
    ['skipped', 'not_utf8', 'posts/latin.md:0'],
    ['skipped', 'front_matter', 'posts/list.md:2'],
    ['skipped', 'front_matter', 'posts/open.md:1'],
    ['skipped', 'front_matter', 'posts/toml.md:3'],
  ]);
  expect([...items.keys()]).toEqual(['posts/good.md', 'posts/inside.md', 'posts/sub/x.md']);
  expect(item('posts/good.md')).toMatchObject({
    title: 'Good',
    content: '<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->',
  });
  await expect(openFolderSource(join(folder, 'none'))).rejects.toMatchObject({ code: 'no_folder' });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openFolderSource } from '../src/folder.ts';
import { emptyAuthor, emptyItem } from '../src/folder-defaults.ts';
import { markdownToBlocks } from '../src/folder-markdown.ts';
import { type ItemRecord, type SiteRecord, SourceFault, type SourceFile, type SourceRecord } from '../src/records.ts';
import { type FolderTarget, writeFolderSite } from '../src/write-folder.ts';

const site: SiteRecord = {
  ...{ kind: 'site', generator: 'x', title: 'A site', description: '', language: 'en-US', timezone: 'Europe/Berlin' },
  ...{ url: 'https://a.example', baseUrl: 'https://a.example', settings: { posts_per_page: 7 } },
};
const picture: SourceFile = {
  ...{ url: 'https://a.example/up/2019/03/leaf.png', path: '2019/03/leaf.png', type: 'image/png', altText: 'A leaf' },
  ...{ width: 4, height: 2, original: '', sizes: [{ name: 'thumbnail', file: 'leaf-1x1.png', width: 1, height: 1 }] },
};
const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;
const words = block('paragraph', '<p>Some <strong>words</strong> &amp; <a href="https://b.example/">a link</a>.</p>');
const exact = `${words}\n\n${block('columns', '<div class="wp-block-columns"></div>')}`;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function* streamOf(records: readonly SourceRecord[]) {
  yield* records;
}

async function written(
  records: readonly SourceRecord[],
  form: FolderTarget['form'] = 'markdown',
  file: FolderTarget['file'] = async () => null,
) {
  const folder = newFolder();
  const told = await writeFolderSite(streamOf(records), { folder, form, file });
  const source = await openFolderSource(folder);
  const parts = await Array.fromAsync(source.read());
  const notices = parts.flatMap((part) => ('notice' in part ? [part.notice] : []));
  const read = parts.flatMap((part) => ('record' in part ? [part.record] : []));
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return { folder, told, source, read, notices, paths };
}

const inOrder = (records: readonly SourceRecord[]) =>
  [...records].sort((a, b) => (JSON.stringify(sortedKeys(a)) < JSON.stringify(sortedKeys(b)) ? -1 : 1));
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortedKeys(one)]),
  );
}

const everything: readonly SourceRecord[] = [
  site,
  { ...emptyAuthor, id: 1, login: 'ada', displayName: 'Ada', roles: ['editor'] },
  {
    kind: 'term',
    id: 3,
    taxonomy: 'category',
    slug: 'ink',
    name: 'Ink',
    description: '',
    parent: { id: 2 },
    meta: [{ key: 'a', value: 'b' }],
  },
  {
    ...emptyItem,
    ...{
      id: 5,
      title: 'Hello: "there"',
      slug: 'hello',
      content: words,
      date: '2019-03-01T10:00:00',
      dateGmt: '2019-03-01T09:00:00',
    },
    ...{
      author: { id: 1, name: 'ada' },
      terms: [{ taxonomy: 'category', id: 3, name: 'ink', label: 'Ink' }],
      sticky: true,
      featured: 9,
    },
    meta: [
      { key: 'k', value: 'two\nlines' },
      { key: 'k', value: '---\n' },
    ],
  },
  {
    ...emptyItem,
    id: 6,
    type: 'page',
    slug: 'team',
    title: 'Team',
    content: exact,
    link: 'https://a.example/about/team/',
    parent: 7,
    status: 'private',
  },
  { ...emptyItem, id: 9, type: 'attachment', status: 'inherit', slug: 'leaf', title: 'leaf', file: picture },
  {
    ...emptyItem,
    id: 10,
    type: 'nav_menu_item',
    slug: '10',
    menuItem: {
      type: 'custom',
      object: 'custom',
      objectId: 10,
      parent: 0,
      url: 'https://b.example/',
      target: '',
      classes: ['x'],
      xfn: [],
    },
  },
  {
    kind: 'template',
    id: 4,
    type: 'wp_template',
    theme: 'plain',
    slug: 'index',
    title: 'All',
    description: '',
    content: words,
    area: '',
  },
  { kind: 'styles', id: 8, theme: 'plain', settings: {}, styles: { color: { text: '#000' } } },
  {
    kind: 'revision',
    id: 11,
    of: 5,
    isAutosave: false,
    author: {},
    date: null,
    dateGmt: null,
    title: 'Hello',
    content: words,
    excerpt: '',
    footnotes: '',
  },
  {
    ...{
      kind: 'comment',
      id: 12,
      of: 5,
      type: 'comment',
      status: 'approved',
      parent: 0,
      name: 'Bo',
      email: '',
      url: '',
      ip: '',
      agent: '',
    },
    ...{ author: {}, date: '2019-03-02T10:00:00', dateGmt: '2019-03-02T09:00:00', content: 'Well "said"\n', meta: [] },
  },
];

it('a site becomes a folder that people can read, and is the same when it is read back', async () => {
  const bytes = async function* () {
    yield Buffer.from('not really');
    yield Buffer.from(' a picture');
  };
  const { folder, told, source, read, notices, paths } = await written(everything, 'markdown', async () => bytes());
  expect(notices).toEqual([]);
  expect(read).toEqual(expect.arrayContaining([...everything]));
  expect(read).toHaveLength(everything.length);
  expect(read.slice(0, 3)).toEqual(everything.slice(0, 3));
  expect(told).toEqual({ records: everything.length, files: 1, notices: [] });
  expect(paths).toEqual([
    ...[
      'data/authors.jsonl',
      'data/comments/5.jsonl',
      'data/revisions/5.jsonl',
      'data/styles.jsonl',
      'data/templates.jsonl',
    ],
    ...['data/terms.jsonl', 'media/leaf.md', 'nav_menu_item/10.md', 'pages/about/team.md', 'posts/2019-03-01-hello.md'],
    ...['site.json', 'uploads/2019/03/leaf.png'],
  ]);
  const post = readFileSync(join(folder, 'posts/2019-03-01-hello.md'), 'utf8');
  expect(post).toContain('title: \'Hello: "there"\'\n');
  expect(post).toMatch(/---\n\nSome \*\*words\*\* & \[a link\]\(https:\/\/b\.example\/\)\.\n$/);
  const page = readFileSync(join(folder, 'pages/about/team.md'), 'utf8');
  expect(page).toMatch(
    /---\n\nSome \*\*words\*\* .*\n\n<!-- wp:columns -->\n<div class="wp-block-columns"><\/div>\n<!-- \/wp:columns -->\n$/,
  );
  const kept = await source.file(picture);
  expect(Buffer.concat(await Array.fromAsync(kept ?? []))).toEqual(Buffer.from('not really a picture'));
  expect([source.total, source.done()]).toEqual([10, 10]);
});

it.each(['html', 'json'] as const)('a site in the form %s is the same when it is read back', async (form) => {
  const { read, notices, paths } = await written(everything, form);
  expect(notices).toEqual([]);
  expect(inOrder(read)).toEqual(inOrder(everything));
  expect(paths).toContain(`posts/2019-03-01-hello.${form}`);
});

it('bytes that are missing are named, and the folder has to be empty', async () => {
  const missing = async () => {
    throw new SourceFault('file_missing', 'It is not there.');
  };
  const { folder, told, read } = await written(everything, 'html', missing);
  expect(told).toMatchObject({
    files: 0,
    notices: [{ what: 'skipped', code: 'file_missing', place: { file: picture.url } }],
  });
  expect(read).toHaveLength(everything.length);
  const again = writeFolderSite(streamOf([]), { folder, form: 'json', file: async () => null });
  await expect(again).rejects.toMatchObject({ code: 'folder_not_empty' });
});

it.each([
  ['## A\n\n- b\n- c\n  1. d\n\n> e\n\n```js\nf < [g]\n```', 'md'],
  ['| a | b |\n|:-:|---|\n| *1* | 2 \\| 3 |\n\n---\n\n![d](/e.png "f")', 'md'],
  ['a\n\n<!--more-->\n\nH<sub>2</sub>O, ~~old~~, 2*3*4, [l](/m_n_o)', 'md'],
  ['<div>\nx\n</div>', 'html'],
])('a text that was written as Markdown is Markdown again, if that says all of it: %j', async (markdown, ending) => {
  const content = markdownToBlocks(markdown);
  const { paths, read } = await written([site, { ...emptyItem, slug: 'a', content }]);
  expect(paths).toEqual([`posts/a.${ending}`, 'site.json']);
  expect(read[1]).toMatchObject({ content });
});

const group = (inner: string) => block('group', `<div class="wp-block-group">${inner}</div>`);
const sample = markdownToBlocks('```\n<!-- wp:group -->\n```\n\n| a |\n|--:|\n| 1 |');
it.each([
  ['blocks within blocks', [words, group(`${group(words)}\n\n${words}`), words], 'md'],
  ['blocks that stand alone', [words, '<!-- wp:footnotes /-->', '<!-- wp:acme/x {"a":"/"} /-->'], 'md'],
  ['code that shows blocks', [words, sample, group(sample), words], 'md'],
  ['empty lines in a block', [words, block('html', '<pre>\na\n\n\n- b\n</pre>'), words], 'md'],
  ['a block without an end', [words, '<!-- wp:group -->\n<div>', words], 'html'],
  ['only such blocks', [group(words)], 'html'],
  ['no blocks', ['Some <b>words</b>\n\nand more'], 'html'],
])('what Markdown cannot say stands in it as it is: %s', async (_, blocks, ending) => {
  const content = blocks.join('\n\n');
  const { paths, read } = await written([site, { ...emptyItem, slug: 'a', content }]);
  expect(paths).toEqual([`posts/a.${ending}`, 'site.json']);
  expect(read[1]).toMatchObject({ content });
});

it('texts that are nested too deeply for Markdown are kept as they are', async () => {
  const content = `${'<blockquote>'.repeat(20_000)}a`;
  const { read } = await written([site, { ...emptyItem, content }]);
  expect(read[1]).toMatchObject({ content });
});

it('names that some system cannot have, or that differ only by case, become others', async () => {
  const slugs = [
    '../../up',
    'con',
    'COM1',
    'A',
    'a',
    'ä',
    'a\u0308',
    '',
    'x'.repeat(500),
    'a/b',
    'a:b',
    '.',
    '..',
    'trailing. ',
    '日本',
    '%2e%2e%2fup',
  ];
  const pages = slugs.map(
    (slug, i): ItemRecord => ({
      ...emptyItem,
      id: i + 1,
      type: 'page',
      slug,
      link: `https://a.example/${slug}/${slug}/`,
    }),
  );
  const odd = ['../etc', 'data', 'Uploads', 'con'].map((type, i): ItemRecord => ({ ...emptyItem, id: i + 100, type }));
  const files = ['../../../up.png', 'a.png', 'A.PNG', 'a.png/b', 'nul.png'].map(
    (path, i): ItemRecord => ({ ...emptyItem, id: i + 200, type: 'attachment', file: { ...picture, path } }),
  );
  const all = [site, ...pages, ...odd, ...files];
  const { paths, read, source } = await written(all, 'markdown', async ({ id }) => streamOfBytes(String(id)));
  expect(inOrder(read)).toEqual(inOrder(all));
  const keys = paths.map((path) => path.normalize('NFKC').toLowerCase());
  expect(new Set(keys).size).toBe(all.length + files.length);
  for (const path of paths) {
    expect(path.length).toBeLessThan(200);
    expect(path).not.toMatch(/(?:^|\/)(?:\.|con\.|com1\.|nul\.)|[<>:"\\|?*]|[. ](?:\/|$)/i);
  }
  for (const { id, file } of files) {
    const kept = file && (await source.file(file));
    expect(Buffer.concat(await Array.fromAsync(kept ?? [])).toString()).toBe(String(id));
  }
});

async function* streamOfBytes(text: string) {
  yield Buffer.from(text);
}

it('files that somebody broke are named by their lines, and the others are read', async () => {
  const { folder } = await written(everything);
  writeFileSync(join(folder, 'posts/2019-03-01-hello.md'), '---\nid: 5\ntitle: [a\n---\n');
  writeFileSync(join(folder, 'data/terms.jsonl'), '\n{"kind":"term"\n');
  mkdirSync(join(folder, 'odd'));
  writeFileSync(join(folder, 'odd/a.md'), '---\nid: five\n---\nText');
  writeFileSync(join(folder, 'odd/b.json'), '[');
  writeFileSync(join(folder, 'odd/c.json'), '{"terms":[1]}');
  writeFileSync(join(folder, 'odd/d.json'), '{"tilte":"x"}');
  const parts = await Array.fromAsync((await openFolderSource(folder)).read());
  const told = parts.flatMap((part) =>
    'notice' in part ? [`${part.notice.place.file}:${part.notice.place.line}`] : [],
  );
  expect(told).toEqual([
    'data/terms.jsonl:2',
    'odd/a.md:1',
    'odd/b.json:1',
    'odd/c.json:1',
    'odd/d.json:1',
    'posts/2019-03-01-hello.md:4',
  ]);
  expect(parts.filter((part) => 'record' in part)).toHaveLength(everything.length - 2);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '---\n',
    'a\r\nb',
    '\ufeffx',
    'yes',
    '1e3',
    '0x1f',
    '~',
    '2020-01-01',
    ' x ',
    '\ud800',
    '#',
    '- a',
    words,
    exact,
    '\u0085\u2028',
    '*a* _b_ [c](d) <e> `f` | g',
  ),
);
const moment = fc.constantFrom(null, '2019-03-01T10:00:00', '2031-12-31T23:59:59');
const id = fc.integer({ min: 0, max: 2 ** 31 });
const meta = fc.array(fc.record({ key: text, value: text }), { maxLength: 2 });
const ref = fc.oneof(fc.constant({}), fc.record({ id, name: text }), fc.record({ id }));
const item: fc.Arbitrary<ItemRecord> = fc.record({
  ...{
    kind: fc.constant('item' as const),
    id,
    type: fc.oneof(fc.constantFrom('post', 'page', 'attachment'), text),
    status: text,
  },
  ...{
    slug: text,
    title: text,
    content: fc.array(text, { maxLength: 3 }).map((all) => all.join('\n\n')),
    excerpt: text,
  },
  ...{ footnotes: text, link: text, guid: text, author: ref, date: moment, dateGmt: moment, modified: moment },
  ...{
    modifiedGmt: moment,
    parent: id,
    menuOrder: fc.integer(),
    commentStatus: text,
    pingStatus: text,
    password: text,
  },
  ...{ sticky: fc.boolean(), template: text, format: text, featured: id, syncStatus: text, meta },
  terms: fc.array(fc.record({ taxonomy: text, name: text, label: text }), { maxLength: 2 }),
  file: fc.oneof(
    fc.constant(null),
    text.map((path) => ({ ...picture, path })),
  ),
  menuItem: fc.oneof(
    fc.constant(null),
    fc.constant({ type: 'custom', object: '', objectId: 0, parent: 0, url: '', target: '', classes: ['a'], xfn: [] }),
  ),
});
const comment = fc
  .record({ of: id, content: text, name: text, author: ref, meta })
  .map((said): SourceRecord => ({ ...(everything.at(-1) as SourceRecord & { kind: 'comment' }), ...said }));
const term = fc
  .record({ slug: text, name: text, meta })
  .map((said): SourceRecord => ({ ...(everything[2] as SourceRecord & { kind: 'term' }), ...said }));

it('any records are the same when they are read back, in every form', async () => {
  const form = fc.constantFrom<FolderTarget['form']>('markdown', 'html', 'json');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(item, comment, term), { maxLength: 6 }), form, async (records, wanted) => {
      const { read, notices } = await written([site, ...records], wanted);
      expect(notices).toEqual([]);
      expect(inOrder(read)).toEqual(inOrder([site, ...records]));
    }),
    { numRuns: 60 },
  );
});

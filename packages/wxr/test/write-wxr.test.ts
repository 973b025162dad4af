import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { AuthorRecord, CommentRecord, ItemRecord, SiteRecord, SourceRecord, TermRecord } from '../src/records.ts';
import { type WxrWritten, writeWxr } from '../src/write-wxr.ts';
import { ofKind, readExport } from './exports.ts';

async function write(
  records: readonly SourceRecord[],
  maxBytes = 1e9,
): Promise<{ readonly files: readonly string[]; readonly written: WxrWritten }> {
  const files: string[] = [];
  const ended: number[] = [];
  const open = async (part: number) => {
    files[part - 1] = '';
    return {
      write: async (text: string) => {
        files[part - 1] += text;
      },
      end: async () => {
        ended.push(part);
      },
    };
  };
  const source = (async function* () {
    yield* records;
  })();
  const written = await writeWxr(source, { maxBytes, open, now: new Date('2024-03-04T10:00:00Z') });
  expect(ended).toEqual(files.map((_, index) => index + 1));
  return { files, written };
}

/** Throws if a text is not well-formed. */
function check(text: string): void {
  new SaxesParser({ xmlns: true }).write(text).close();
}

const site: SiteRecord = {
  ...{ kind: 'site', generator: 'Quill/1', title: 'Harbour & <Tides>', description: 'x', language: 'en-GB' },
  ...{ url: 'https://example.com/blog', baseUrl: 'https://example.com', timezone: '', settings: {} },
};
const author: AuthorRecord = {
  ...{ kind: 'author', id: 4, login: 'mira', email: 'm@example.com', displayName: 'Mira &amp; <Co>', firstName: 'M' },
  ...{ lastName: '', slug: '', url: '', description: '', roles: [] },
};
const item: ItemRecord = {
  ...{ kind: 'item', id: 1, type: 'post', status: 'publish', slug: '007', title: 'T', content: 'c', excerpt: '' },
  ...{ footnotes: '', link: 'https://example.com/?p=1&x', guid: 'g', author: { id: 4, name: 'mira' }, date: null },
  ...{ dateGmt: null, modified: null, modifiedGmt: null, parent: 0, menuOrder: 0, commentStatus: 'open', password: '' },
  ...{
    pingStatus: 'open',
    sticky: false,
    template: '',
    format: '',
    terms: [],
    featured: 0,
    file: null,
    menuItem: null,
  },
  ...{ syncStatus: '', meta: [] },
};
const comment: CommentRecord = {
  ...{ kind: 'comment', id: 1, of: 1, type: 'comment', status: 'approved', parent: 0, name: 'A', email: '', url: '' },
  ...{ ip: '', agent: '', author: {}, date: null, dateGmt: null, content: 'yes', meta: [] },
};
const term: TermRecord = {
  ...{ kind: 'term', id: 7, taxonomy: 'category', slug: 'a', name: 'A', description: '', parent: null, meta: [] },
};

// Texts as XML can contain them, made of what is hard to write.
const hard = fc
  .constantFrom(...[']]>', ']]', '>', '<', '&', '&amp;', '&#8217;', '&nbsp;', '<![CDATA[', '</item>', '\n<item>\n'])
  .map((text) => text);
const text = fc
  .array(
    fc.oneof(
      hard,
      fc.constantFrom('\r\n', '\r', '\t', ' ', '"', "'", '\u2028', '\u0085', '\u{1f600}', 'ä', '<!--', '-->'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join('').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''));
const id = fc.integer({ min: 1, max: 1e9 });
const moment = fc
  .option(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }))
  .map((date) => date?.toISOString().slice(0, 19) ?? null);
/** Keys that no field has. */
const meta = fc.array(fc.record({ key: text.map((key) => `_x${key}`), value: text }), { maxLength: 3 });
const size = fc.integer({ min: 0, max: 9999 });
const word = text.map((one) => one.replace(/\s/g, '')).filter((one) => one !== '');
const file = fc.record({
  ...{
    url: text.map((one) => one.trim()),
    path: word,
    type: fc.constantFrom('', 'image/png'),
    altText: text,
    width: size,
    height: size,
    original: text,
  },
  sizes: fc.uniqueArray(
    fc.record({ name: word.filter((one) => !/^\d+$/.test(one)), file: text, width: size, height: size }),
    { maxLength: 3, selector: ({ name }) => name },
  ),
});
const menuItem = fc.record({
  ...{ type: text, object: text, objectId: size, parent: size, url: text, target: text },
  ...{ classes: fc.array(word, { maxLength: 3 }), xfn: fc.array(word, { maxLength: 3 }) },
});
const itemTerm = fc.record({ taxonomy: word.filter((one) => one !== 'tag'), name: word, label: word });
const items = fc
  .record({
    ...{ id, slug: text, title: text, content: text, excerpt: text, footnotes: text, link: text, guid: text },
    ...{ status: word, date: moment, dateGmt: moment, modified: moment, modifiedGmt: moment, parent: size },
    ...{ menuOrder: fc.integer({ min: -99, max: 99 }), commentStatus: text, pingStatus: text, password: text },
    ...{
      sticky: fc.boolean(),
      template: text.filter((one) => one !== 'default'),
      format: fc.constantFrom('', 'aside'),
    },
    ...{ terms: fc.array(itemTerm, { maxLength: 3 }), featured: size, meta, author: fc.constantFrom({}, item.author) },
  })
  .chain((fields) =>
    fc
      .oneof(
        fc.record({ type: fc.constant('attachment'), file, menuItem: fc.constant(null), syncStatus: fc.constant('') }),
        fc.record({
          type: fc.constant('nav_menu_item'),
          file: fc.constant(null),
          menuItem,
          syncStatus: fc.constant(''),
        }),
        fc.record({
          type: fc.constant('wp_block'),
          file: fc.constant(null),
          menuItem: fc.constant(null),
          syncStatus: text,
        }),
        fc.record({
          type: fc.constant('x-product'),
          file: fc.constant(null),
          menuItem: fc.constant(null),
          syncStatus: fc.constant(''),
        }),
      )
      .map((typed): ItemRecord => ({ kind: 'item', ...fields, ...typed })),
  );
const status = fc.constantFrom('approved', 'hold', 'spam', 'trash', 'post-trashed');
const comments = fc.record({
  ...{ kind: fc.constant('comment' as const), id, of: fc.constant(1), type: word, status, parent: size, name: text },
  ...{
    email: text,
    url: text,
    ip: text,
    agent: fc.constant(''),
    author: fc.constantFrom({}, item.author),
    date: moment,
  },
  ...{ dateGmt: moment, content: text, meta },
});
const terms = fc.record({
  ...{
    kind: fc.constant('term' as const),
    id,
    taxonomy: fc.constantFrom('category', 'nav_menu', 'x_shelf'),
    slug: word,
  },
  ...{ name: text, description: text, parent: fc.option(fc.record({ name: word })), meta },
});
const templates = fc.record({
  ...{
    kind: fc.constant('template' as const),
    id,
    type: fc.constantFrom('wp_template', 'wp_template_part'),
    theme: word,
  },
  ...{ slug: text, title: text, description: text, content: text, area: fc.constantFrom('', 'header') },
});
// JSON has no -0.
const json = fc
  .dictionary(word, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
  .map((value) => JSON.parse(JSON.stringify(value)));
const styles = fc.record({
  ...{ kind: fc.constant('styles' as const), id, theme: word, settings: json, styles: json },
});

describe('an export that was written', () => {
  it('is well-formed and gives the same records when it is read', async () => {
    const record = fc.oneof(items, terms, templates, styles);
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 4 }),
        fc.array(comments, { maxLength: 3 }),
        text,
        async (list, answers, title) => {
          const heads = list.filter(({ kind }) => kind === 'term') as TermRecord[];
          const unique = [...Map.groupBy(heads, ({ taxonomy, slug }) => `${taxonomy} ${slug}`).values()].map(
            ([one]) => one!,
          );
          // Each has an id of its own.
          const others = list.flatMap((one, i): SourceRecord[] => {
            if (one.kind !== 'item') return one.kind === 'term' ? [] : [one];
            const of = 10 * one.id + i;
            return [
              { ...one, id: of },
              ...answers.map((answer, j) => ({ ...answer, of, id: 100 * answer.id + 10 * j + i })),
            ];
          });
          const records: readonly SourceRecord[] = [
            { ...site, title },
            { ...author, displayName: title },
            ...unique,
            ...others,
          ];
          const { files, written } = await write(records);
          for (const one of files) check(one);
          const read = await readExport(...files);
          expect(read.records).toEqual(records);
          expect(read.notices).toEqual([]);
          expect(written.dropped.count).toBe(0);
          expect(Object.values(written.left).every((count) => count === 0)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has the site, authors and terms in each part, and items as fit', async () => {
    const list = Array.from({ length: 40 }, (_, index) => ({ ...item, id: index + 1, content: 'x'.repeat(500) }));
    const answers = list.flatMap((one) => [one, { ...comment, id: one.id, of: one.id }]);
    const { files, written } = await write([site, author, term, ...answers], 10_000);
    expect(files.length).toBeGreaterThan(3);
    expect(written).toMatchObject({ parts: files.length, items: 40, comments: 40 });
    expect(written.bytes).toBe(Buffer.byteLength(files.join('')));
    for (const one of files) {
      check(one);
      expect(Buffer.byteLength(one)).toBeLessThanOrEqual(10_000);
      const { records } = await readExport(one);
      expect(records.slice(0, 3)).toEqual([site, author, term]);
    }
    expect((await readExport(...files)).records).toEqual([site, author, term, ...answers]);
  });

  it('is well-formed without records, and with one item that is longer than a part', async () => {
    const none = await write([]);
    check(none.files[0] ?? '');
    const { files } = await write([site, { ...item, content: 'x'.repeat(5000) }, { ...item, id: 2 }], 2000);
    expect(files).toHaveLength(2);
    for (const one of files) check(one);
  });

  it('drops characters that XML forbids, and says how many and where', async () => {
    const { files, written } = await write([site, { ...item, title: 'a\0\u001f\ud800b\uffff', slug: 'x\udc00' }]);
    check(files[0] ?? '');
    expect(written.dropped).toEqual({ count: 5, places: ['item 1'] });
    expect(ofKind(await readExport(...files), 'item')[0]).toMatchObject({ title: 'ab', slug: 'x' });
  });

  it('splits long texts into sections that other readers take, and never a character', async () => {
    const long = await write([site, { ...item, content: `x${'\u{1f600}'.repeat(3_000_000)}` }]);
    const pieces = long.files[0]?.split('<![CDATA[').map((one) => Buffer.byteLength(one)) ?? [];
    expect(Math.max(...pieces)).toBeLessThan(8_000_000);
    const hash = (one: string) => createHash('sha256').update(one).digest('hex');
    const [found] = ofKind(await readExport(...long.files), 'item');
    expect(hash(found?.content ?? '')).toBe(hash(`x${'\u{1f600}'.repeat(3_000_000)}`));
  });

  it('counts what the form cannot say', async () => {
    const revision = {
      ...{
        kind: 'revision' as const,
        id: 5,
        of: 1,
        isAutosave: false,
        author: {},
        date: null,
        dateGmt: null,
        title: '',
      },
      ...{ content: '', excerpt: '', footnotes: '' },
    };
    const { written } = await write([
      { ...site, timezone: 'Europe/Berlin', settings: { posts_per_page: 5 } },
      { ...author, roles: ['editor'] },
      { ...item, author: { id: 99 }, terms: [{ taxonomy: 'category', id: 3, label: '' }] },
      revision,
      { ...revision, isAutosave: true },
      { ...comment, of: 77 },
      { ...comment, agent: 'x/1' },
    ]);
    expect(written.left).toEqual({
      ...{ revision: 1, autosave: 1, comment: 1, term: 1, author: 1, setting: 2, profile: 1, agent: 1 },
    });
  });

  it('names terms and authors that records call by number alone', async () => {
    const child = { ...term, id: 8, slug: 'b', parent: { id: 7 } };
    const { files } = await write([
      site,
      author,
      term,
      child,
      { ...item, author: { id: 4 }, terms: [{ taxonomy: 'category', id: 8, label: '' }] },
    ]);
    const read = await readExport(...files);
    expect(ofKind(read, 'term')[1]?.parent).toEqual({ name: 'a' });
    expect(ofKind(read, 'item')[0]).toMatchObject({
      ...{ author: { id: 4, name: 'mira' }, terms: [{ taxonomy: 'category', name: 'b', label: 'A' }] },
    });
  });

  it('gives back meta of which fields say a part, and meta that stands several times', async () => {
    const raw = 'a:3:{s:5:"width";i:20;s:6:"height";i:10;s:10:"image_meta";a:0:{}}';
    const file = {
      url: 'https://example.com/uploads/a.jpg',
      path: 'a.jpg',
      type: '',
      altText: '',
      width: 20,
      height: 10,
    };
    const attachment = { ...item, type: 'attachment', file: { ...file, original: '', sizes: [] } };
    const records: SourceRecord[] = [
      site,
      author,
      { ...attachment, meta: [{ key: '_wp_attachment_metadata', value: raw }] },
      {
        ...item,
        id: 2,
        featured: 5,
        meta: [
          { key: '_thumbnail_id', value: '7' },
          { key: '_thumbnail_id', value: 'x' },
        ],
      },
    ];
    const { files } = await write(records);
    expect(files[0]?.split('_wp_attachment_metadata')).toHaveLength(2);
    expect((await readExport(...files)).records).toEqual(records);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { type MigrationEvent, migrations } from '#domain/migration/area.ts';
import { siteRecords } from '#ops/migrate/site-records.ts';
import type { CommentRecord, ItemRecord, RevisionRecord, SourceRecord, TermRecord } from '#wxr/records.ts';
import { emptyTarget } from '../support/moved-sites.ts';
import { openTestNode } from '../support/node.ts';
import {
  aComment,
  aFile,
  anAuthor,
  anItem,
  aRevision,
  aSite,
  aTerm,
  folderOf,
  sourceUrl,
} from '../support/source-records.ts';
import { pngOf } from '../support/uploads.ts';

/** Random sites, of which all has to arrive that the store has a place for. */

const people = [
  anAuthor({
    id: 21,
    login: 'ada',
    displayName: 'Ada Ł',
    firstName: 'Ada',
    url: 'https://ada.example',
    description: 'Æ',
  }),
  anAuthor({ id: 22, login: 'bede', roles: ['editor'] }),
];
const author = fc.constantFrom({ id: 21, name: 'ada' }, { id: 22, name: 'bede' });
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    ...['', ' ', 'One\r\nTwo', ']]>', '007', '&#8217; & <b>', '{"a":1}', '---\ntitle: x\n---\n', '\ud83e\udeb6 日本'],
    ...[
      '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->',
      '[gallery ids="1,2"]',
      '<script>x()</script>',
      '# x\n\n- y',
    ],
  ),
);
const moment = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2025-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));
const meta = fc.array(fc.record({ key: fc.constantFrom('_a', 'b c', 'ü', '__proto__'), value: text }), {
  maxLength: 3,
});
const openness = fc.constantFrom('open', 'closed');

const item = fc.record({
  type: fc.constantFrom('post', 'post', 'page', 'wp_block', 'recipe'),
  status: fc.constantFrom('publish', 'publish', 'draft', 'pending', 'private', 'trash'),
  ...{ title: text, content: text, excerpt: text, author, date: moment, modified: moment },
  ...{ commentStatus: openness, pingStatus: openness, menuOrder: fc.integer({ min: -9, max: 9 }), meta },
  password: fc.constantFrom('', '', 'vellum & öl'),
  sticky: fc.boolean(),
  format: fc.constantFrom('', 'aside', 'gallery', 'unheard-of'),
  featured: fc.constantFrom(0, 900),
  /** Of a page: which of those before it is its parent. */
  above: fc.nat(9),
  terms: fc.subarray([0, 1, 2, 3]),
  revisions: fc.array(fc.record({ content: text, title: text, author, isAutosave: fc.boolean() }), { maxLength: 2 }),
  comments: fc.array(
    fc.record({
      ...{ content: text.filter((one) => one.trim() !== ''), answers: fc.boolean(), meta },
      status: fc.constantFrom('approved', 'hold', 'spam', 'trash'),
      email: fc.constantFrom('', 'reader@old.example'),
    }),
    { maxLength: 3 },
  ),
});
type Random = typeof item extends fc.Arbitrary<infer T> ? T : never;

const terms: readonly TermRecord[] = [
  aTerm({ id: 31, slug: 'above', name: 'Above & beyond', description: 'On <b>top</b>' }),
  aTerm({ id: 32, slug: 'below', parent: { id: 31, name: 'above' } }),
  aTerm({ id: 33, slug: 'ink', taxonomy: 'post_tag', meta: [{ key: '_x', value: 'y' }] }),
  aTerm({ id: 34, slug: 'quill', taxonomy: 'tool' }),
];

/** `url`: of the site. */
function recordsOf(all: readonly Random[], url = sourceUrl): readonly SourceRecord[] {
  const pages: number[] = [];
  const found = all.flatMap(({ above, terms: used, revisions, comments, ...own }, i): SourceRecord[] => {
    const id = 100 + 10 * i;
    const isPost = own.type === 'post';
    const parent = own.type === 'page' && pages.length > 0 ? (pages[above % (pages.length + 1)] ?? 0) : 0;
    if (own.type === 'page') pages.push(id);
    const record = anItem({
      link: `${url}/item-${id}/`,
      ...{ ...own, id, parent, dateGmt: own.date, modifiedGmt: own.modified, slug: `item-${id}` },
      ...{ sticky: own.sticky && isPost, format: isPost ? own.format : '', featured: isPost ? own.featured : 0 },
      // What is private has no password.
      password: own.status === 'private' ? '' : own.password,
      terms: isPost
        ? used.map((at) => ({
            taxonomy: terms[at]?.taxonomy ?? '',
            id: 31 + at,
            name: terms[at]?.slug ?? '',
            label: terms[at]?.name ?? '',
          }))
        : [],
    });
    const kept = revisions.filter(
      (one, at) => !one.isAutosave || revisions.findIndex(({ isAutosave }) => isAutosave) === at,
    );
    return [
      record,
      ...(own.type === 'recipe'
        ? []
        : kept.map((one, at) =>
            aRevision({
              ...one,
              id: 5000 + 10 * i + at,
              of: id,
              date: `201${at}-01-01T00:00:00`,
              dateGmt: `201${at}-01-01T00:00:00`,
            }),
          )),
      ...comments.map(({ answers, ...one }, at) =>
        aComment({
          ...one,
          id: 10 * i + at + 1,
          of: id,
          parent: answers && at > 0 ? 10 * i + at : 0,
          date: own.date,
          dateGmt: own.date,
        }),
      ),
    ];
  });
  const file = aFile(900, '2019/03/leaf.png', {
    slug: 'leaf',
    title: 'Leaf',
    author: { id: 21, name: 'ada' },
    excerpt: 'Cap',
    content: 'Des',
  });
  return [aSite({ timezone: 'UTC', url, baseUrl: url }), ...people, ...terms, file, ...found];
}

/** What the store can say of each record, by what tells it apart; what a site has from the beginning is left out. */
function said(records: Iterable<SourceRecord>): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const record of records) {
    if (record.kind === 'author' && people.some(({ login }) => login === record.login))
      all[`author ${record.login}`] = { ...record };
    if (record.kind === 'term' && terms.some(({ slug }) => slug === record.slug)) all[`term ${record.slug}`] = record;
    if (record.kind === 'item' && record.id >= 100) all[`item ${record.id}`] = saidOfItem(record);
    if (record.kind === 'revision') all[`revision ${record.id}`] = saidOf(record);
    if (record.kind === 'comment') all[`comment ${record.id}`] = saidOf(record);
  }
  return all;
}

function saidOfItem({ link: _, guid: __, file, terms: used, meta: all, ...item }: ItemRecord) {
  const kept = all.filter(({ key }) => key !== '_wp_trash_meta_status' && key !== '_wp_desired_post_slug');
  return { ...item, terms: used.map(({ name }) => name).sort(), meta: kept, path: file?.path };
}

function saidOf<R extends RevisionRecord | CommentRecord>(record: R): object {
  const { meta: all = [], ...rest } = record as CommentRecord;
  return { ...rest, meta: all.filter(({ key }) => key !== '_wp_trash_meta_status') };
}

it('a random site comes whole, is equal to its source, and goes out as it came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 8 }), async (all) => {
      const records = recordsOf(all);
      const folder = await folderOf(records, Buffer.from(pngOf(20, 10)));
      const target = await emptyTarget('hilda');
      const run = await target.type('migrate', 'run', folder, '--json');
      expect(run).toMatchObject({ status: 0, err: '' });
      expect(JSON.parse(run.out).remarks).toEqual([]);
      expect(await target.type('migrate', 'verify', folder)).toMatchObject({ status: 0 });
      const { node } = await openTestNode(target.directory);
      const found = said(siteRecords(node.store.reader, node.log, 'plain'));
      await node.close();
      expect(found).toEqual(said(records));
    }),
    { numRuns: 60 },
  );
});

it('two random sites with the same ids and slugs come whole, and neither changes the other', async () => {
  const some = fc.array(item, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(some, some, async (one, other) => {
      const bytes = Buffer.from(pngOf(20, 10));
      const linked = (all: readonly Random[], url: string) =>
        all.map((own, i) => ({
          ...own,
          content: `${own.content} <a href="${url}/?p=${100 + 10 * i}">a</a> <a href="${url}/item-100/">b</a>`,
        }));
      const urls = ['https://one.example', 'https://other.example/deep'] as const;
      const folders = [
        await folderOf(recordsOf(linked(one, urls[0]), urls[0]), bytes),
        await folderOf(recordsOf(linked(other, urls[1]), urls[1]), bytes),
      ];
      const target = await emptyTarget('hilda');
      for (const folder of folders)
        expect(await target.type('migrate', 'run', folder)).toMatchObject({ status: 0, err: '' });
      for (const folder of folders) {
        const { status, out } = await target.type('migrate', 'verify', folder);
        expect([status, status === 0 ? '' : out]).toEqual([0, '']);
      }
      await expectOwnLinks(target.directory, [one, other]);
      const again = await target.type('migrate', 'run', folders[0] ?? '', '--json');
      const dids = Object.values(JSON.parse(again.out).counts as Record<string, object>).flatMap((row) =>
        Object.keys(row),
      );
      expect(dids.filter((did) => did !== 'same' && did !== 'matched')).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

/** Asserts that the links of each site lead to its own items. */
async function expectOwnLinks(directory: string, sites: readonly (readonly Random[])[]): Promise<void> {
  const { node } = await openTestNode(directory);
  const ids = new Map<string, number>();
  for (const stored of node.log.read({ stream: migrations.stream })) {
    const { type, data } = codec.decode(stored) as MigrationEvent;
    if (type === 'ItemsImported') for (const { key, id } of data.items) ids.set(`${data.run} ${key}`, id);
  }
  const { reader } = node.store;
  for (const [run, all] of sites.entries()) {
    const idOf = (i: number) => ids.get(`${run + 1} item ${100 + 10 * i}`) ?? 0;
    const first = reader.entry(idOf(0));
    for (const [i, { type }] of all.entries()) {
      if (type === 'recipe') continue;
      const content = reader.texts(idOf(i))?.content;
      expect(content).toContain(`/?p=${idOf(i)}">a</a>`);
      if (first?.kind === 'post' && first.status === 'publish') expect(content).toContain(`/${first.slug}/">b</a>`);
    }
  }
  await node.close();
}

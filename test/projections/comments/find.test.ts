import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentStatuses } from '#domain/comment/vocabulary.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CommentQuery, CommentRow, CommentThread } from '#projections/comments/types.ts';
import type { Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { foldText } from '#text/fold.ts';
import { manyActs } from '../../support/acts.ts';
import { live } from '../../support/live.ts';
import { pastStateOf } from '../../support/past-state.ts';

const some = fc.array(fc.nat(7), { maxLength: 3 });
const query: fc.Arbitrary<CommentQuery> = fc.record(
  {
    include: some,
    exclude: some,
    posts: some,
    parents: some,
    notParents: some,
    authors: some,
    notAuthors: some,
    email: fc.constantFrom('ada@example.org', 'bob@example.org'),
    after: fc.constantFrom('2019-05-06T07:08:09', '2025-01-01T00:00:00'),
    before: fc.constantFrom('2030-05-06T07:08:09', '2025-01-01T00:00:00'),
    search: fc.constantFrom('words', 'word', 'wo', 'ada', '192.0.2', 'more"', 'example.org'),
    statuses: fc.oneof(fc.constant(null), fc.subarray([...commentStatuses])),
    kinds: fc.constantFrom(null, ['comment' as const], ['note' as const]),
    orderBy: fc.constantFrom('date', 'date_gmt', 'id', 'include', 'post', 'parent', 'kind'),
    order: fc.constantFrom('asc', 'desc'),
    offset: fc.nat(3),
    limit: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['statuses', 'kinds', 'orderBy', 'order', 'offset', 'limit'] },
);

function there<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

/** All comments, one by one. */
function allOf(model: Model, highest: number): readonly CommentRow[] {
  return Array.from({ length: highest }, (_, i) => model.comments.get(i + 1)).filter((row) => row !== undefined);
}

/** The result of looking at every comment. */
function naive(rows: readonly CommentRow[], query: CommentQuery): Found {
  const among = (list: readonly number[] | undefined, value: number) => !list?.length || list.includes(value);
  const notAmong = (list: readonly number[] | undefined, value: number) => !list?.includes(value);
  const fits = rows.filter(
    (row) =>
      among(query.include, row.id) &&
      notAmong(query.exclude, row.id) &&
      among(query.posts, row.post) &&
      among(query.parents, row.parent) &&
      notAmong(query.notParents, row.parent) &&
      among(query.authors, row.author) &&
      notAmong(query.notAuthors, row.author) &&
      (query.email === undefined || foldText(row.email) === query.email) &&
      (query.after === undefined || row.date > query.after) &&
      (query.before === undefined || row.date < query.before) &&
      (query.search === undefined ||
        [row.name, row.email, row.url, row.ip, row.content].some((text) =>
          foldText(text).includes(query.search ?? ''),
        )) &&
      (query.statuses === null || query.statuses.includes(row.status)) &&
      (query.kinds === null || query.kinds.includes(row.kind)),
  );
  const { orderBy, order, offset, limit, include = [] } = query;
  if (orderBy === 'include' && include.length === 0) return { ids: [], total: fits.length };
  const key = (row: CommentRow) => {
    if (orderBy === 'include') return include.indexOf(row.id);
    return orderBy === 'date_gmt' ? row.dateGmt : row[orderBy];
  };
  const sign = order === 'asc' || orderBy === 'include' ? 1 : -1;
  const ties = ['date', 'date_gmt', 'id'].includes(orderBy) ? sign : -1;
  fits.sort((a, b) => (key(a) === key(b) ? ties * (a.id - b.id) : key(a) < key(b) ? -sign : sign));
  return { ids: fits.slice(offset, offset + limit).map(({ id }) => id), total: fits.length };
}

function idsOf(threads: readonly CommentThread[]): number[] {
  return threads.flatMap(({ comment, answers }) => [comment.id, ...idsOf(answers)]);
}

interface Moment {
  readonly rows: readonly CommentRow[];
  readonly found: readonly Found[];
  readonly threads: readonly unknown[];
}

const posts = [1, 2, 3, 4, 5, 6, 7, 8];

function lookAt(model: Model, queries: readonly CommentQuery[], highest: number): Moment {
  return {
    rows: allOf(model, highest),
    found: queries.map((one) => model.comments.find(one)),
    threads: posts.map((post) => [model.comments.count(post), idsOf(model.comments.threads(post))]),
  };
}

describe('comments', () => {
  it('are found by any query, now and at every earlier position, as by a full scan', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.array(query, { minLength: 6, maxLength: 12 }), async (sequence, queries) => {
        const history: (Moment & { position: number })[] = [];
        const before = await live(sequence, async ({ node: { store } }) => {
          const moment = lookAt(store.reader, queries, 40);
          expect(moment.found).toEqual(queries.map((one) => naive(moment.rows, one)));
          for (const [i, post] of posts.entries()) {
            const approved = moment.rows.filter(
              (row) => row.post === post && row.kind === 'comment' && row.status === 'approved',
            );
            const [count, ids] = moment.threads[i] as [number, number[]];
            expect(count).toBe(approved.length);
            expect([...ids].sort((a, b) => a - b)).toEqual(approved.map(({ id }) => id));
          }
          history.push({ position: store.reader.position, ...moment });
        });
        for (const { position, ...moment } of history) {
          const then = there(before.node.store.past.asOf(String(position)));
          expect(lookAt(then, queries, 40)).toEqual(moment);
        }
        const { log } = before.node;
        const position = log.head().position;
        const state = await pastStateOf({ directory: before.directory, log, position });
        for (const { position: then, ...moment } of history) {
          expect(lookAt(state.past.at(then), queries, 40)).toEqual(moment);
        }
        state.close();
        await before.node.close();
      }),
      { numRuns: 8 },
    );
  });
});

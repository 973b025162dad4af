import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { dump } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';

/** One request, as a batch contains it. */
interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const make = (method: Request['method'], path: string, body: Request['body']): Request => ({ method, path, body });

// Few ids and names, so that requests interfere. No request whose validation depends on what is stored: a batch is
// validated before any of it is carried out.
const id = fc.integer({ min: 1, max: 9 });
const entry = fc.record(
  {
    title: fc.constantFrom('One', 'Two words', 'Über “this”', ''),
    content: fc.constantFrom('Text', '<b>bold</b> <script>x</script>', ''),
    status: fc.constantFrom('publish', 'draft', 'pending', 'private', 'bogus'),
    slug: fc.constantFrom('', 'own', 'feed'),
    date: fc.constantFrom('2019-05-06T07:08:09', '2036-01-02T03:04:05', 'never'),
    password: fc.constantFrom('', 'secret'),
    sticky: fc.boolean(),
    author: fc.constantFrom(2, 3, 99),
    categories: fc.subarray([1, 2, 99]),
    meta: fc.record({ footnotes: fc.constantFrom('[]', 5) }),
    parent: id,
    menu_order: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
);
const term = fc.record(
  {
    name: fc.constantFrom('Music', 'Art', ''),
    slug: fc.constantFrom('music', 'art'),
    parent: fc.constantFrom(0, 2, 99),
  },
  { requiredKeys: [] },
);
const kind = fc.constantFrom('posts', 'pages');
const update = fc.constantFrom<Request['method'][]>('POST', 'PUT', 'PATCH');
const request = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(kind, entry).map(([base, body]) => make('POST', `/${base}`, body)) },
  {
    weight: 5,
    arbitrary: fc.tuple(update, kind, id, entry).map(([method, base, n, body]) => make(method, `/${base}/${n}`, body)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('posts', 'pages', 'categories'), id, fc.boolean())
      .map(([base, n, force]) => make('DELETE', `/${base}/${n}`, { force })),
  },
  { weight: 2, arbitrary: term.map((body) => make('POST', '/categories', body)) },
  { weight: 1, arbitrary: term.map((body) => make('PATCH', '/categories/2', body)) },
  { weight: 1, arbitrary: fc.constantFrom('/nowhere', '/users').map((path) => make('PUT', path, {})) },
);
const requests = fc.array(request, { minLength: 1, maxLength: 10 });
const asker = fc.constantFrom<As>('editor', 'editor', 'author', 'contributor', 'anonymous');

const toItem = ({ path, ...rest }: Request) => ({ ...rest, path: `/cms/v2${path}` });
const sendBatch = (site: Site, as: As, list: readonly Request[], validation: string) =>
  site.call(as, 'POST /cms-json/batch/v1', { validation, requests: list.map(toItem) });

async function sendSingle(site: Site, as: As, { method, path, body }: Request) {
  const { status, headers, body: answer } = await site.call(as, `${method} ${path}`, body);
  const own = [
    ['Location', headers.get('location')],
    ['Allow', headers.get('allow')],
  ];
  return { body: answer, status, headers: Object.fromEntries(own.filter(([, value]) => value !== null)) };
}

const eventsSince = (site: Site, position: number) => [...site.node.log.read({ from: position + 1 })];

/**
 * All derived tables except those of users (passwords are random), of requests and of the log itself. What a commit replaces, and since when
 * a row is as it is, depends on the commits.
 */
function derived(site: Site): Record<string, unknown> {
  const { users: _, checkpoint: __, trail: ___, following: ____, ...tables } = dump(site.directory);
  const present = Object.entries(tables).filter(([name]) => !name.endsWith('_history'));
  // The checksum of a state covers it, too.
  const without = (row: unknown) => ({ ...(row as object), since: 0, state_sum: 0 });
  return Object.fromEntries(present.map(([name, rows]) => [name, rows.map(without)]));
}

describe('a batch of any requests', () => {
  let one: Site;
  let other: Site;
  beforeAll(async () => {
    one = await startSite();
    other = await startSite();
  });
  afterAll(async () => {
    await one.close();
    await other.close();
  });

  it('is answered and stored like the same requests one after the other, in one commit', async () => {
    await fc.assert(
      fc.asyncProperty(asker, requests, async (as, list) => {
        const before = one.position();
        expect(other.position()).toBe(before);
        const answers = [];
        for (const single of list) answers.push(await sendSingle(one, as, single));
        const { status, body } = await sendBatch(other, as, list, 'normal');
        expect([status, body]).toEqual([207, { responses: answers }]);

        const [singly, together] = [eventsSince(one, before), eventsSince(other, before)];
        // As they are stored, the salts differ.
        const what = (stored: (typeof singly)[number]) => ({ stream: stored.stream, ...codec.decode(stored) });
        expect(together.map(what)).toEqual(singly.map(what));
        expect(new Set(together.map((event) => event.commit.id)).size).toBe(together.length === 0 ? 0 : 1);
        for (const site of [one, other]) await site.node.store.followed();
        expect(derived(other)).toEqual(derived(one));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves log and projections untouched when all must be valid and one is not', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(asker, requests, async (as, list) => {
        await one.node.store.followed();
        const [head, tables] = [one.node.log.head(), dump(one.directory)];
        const listed = await one.call('editor', 'GET /posts?status=any&per_page=100');
        const { body } = await sendBatch(one, as, list, 'require-all-validate');
        if (body.failed === undefined) {
          expect(body.responses.every(({ status }: { status: number }) => status < 300)).toBe(true);
          return;
        }
        refused += 1;
        expect(body.responses).toHaveLength(list.length);
        expect(body.responses.some((answer: unknown) => answer !== null)).toBe(true);
        expect(one.node.log.head()).toEqual(head);
        expect(dump(one.directory)).toEqual(tables);
        expect((await one.call('editor', 'GET /posts?status=any&per_page=100')).text).toBe(listed.text);
      }),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(10);
  });
});

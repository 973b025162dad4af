import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery, Found } from '#projections/collection/types.ts';
import type { Later, Model } from '#projections/model.ts';
import { type Act, manyActs, perform } from '../support/acts.ts';
import { admin, openTestNode } from '../support/node.ts';

type TestNode = Awaited<ReturnType<typeof openTestNode>>;

const base = {
  kind: 'post',
  statuses: ['publish', 'future', 'draft', 'pending', 'private', 'trash'].map((status) => ({ status })),
  orderBy: 'date',
  order: 'desc',
  offset: 0,
  limit: 4,
} as const satisfies CollectionQuery;
const search = { columns: [], exact: false, skipProtected: false };

const anyQuery: fc.Arbitrary<CollectionQuery> = fc
  .record(
    {
      kind: fc.constantFrom('post', 'page'),
      statuses: fc.constantFrom<CollectionQuery['statuses']>(
        base.statuses,
        [{ status: 'publish' }],
        [{ status: 'future' }, { status: 'trash' }],
        [{ status: 'draft', author: 1 }],
      ),
      orderBy: fc.constantFrom('date', 'modified', 'id', 'title', 'slug', 'menu_order', 'parent'),
      order: fc.constantFrom('asc', 'desc'),
      offset: fc.nat(4),
      stickyFirst: fc.boolean(),
      sticky: fc.boolean(),
      search: fc.constantFrom('Text', 'one', 'two words', '"two words"', 'short -one', '日').map((text) => ({
        ...search,
        text,
      })),
      slugs: fc.constant(['own', 'one', 'own-2']),
      taxonomies: fc
        .record({
          by: fc.constant('term' as const),
          mode: fc.constantFrom('any' as const, 'none' as const),
          terms: fc.subarray([1, 2, 3, 4]),
        })
        .map((filter) => [filter]),
    },
    { requiredKeys: ['kind', 'statuses'] },
  )
  .map((query) => ({ ...base, ...query }));

const byRelevance = { ...base, orderBy: 'relevance', search: { ...search, text: 'two words' } } as const;

/** Does acts, each at a time of its own, and looks at the site after each. */
async function live(sequence: readonly Act[], look: (test: TestNode) => void): Promise<TestNode> {
  const test = await openTestNode();
  for (const act of sequence) {
    test.clock.now += 700;
    await test.node.store.submit(admin, (session) => {
      session.attempt(() => {
        const value = perform(session, act);
        return isRefusal(value) ? value : null;
      });
    });
    look(test);
  }
  return test;
}

async function there<T>(later: Later<T>): Promise<T> {
  const value = await later;
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

/** What a slug of an entry would be numbered by, and who has it. */
function names(model: Model): unknown {
  const owners = ['post', 'page'].flatMap((kind) => [0, 1, 3].map((parent) => ({ kind, id: 2, parent })));
  return ['own', 'own-2', 'one', 'term-2'].map((slug) => [
    model.named(slug),
    owners.map((owner) => model.slugTaken(slug, { ...owner, parent: owner.kind === 'post' ? -1 : owner.parent })),
  ]);
}

const terms = (model: Model) => [model.terms('category'), model.terms('post_tag')];

describe('the past', () => {
  it('answers collections as they were answered at that position, whatever has happened since', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.array(anyQuery, { minLength: 6, maxLength: 12 }), async (sequence, some) => {
        const queries = [...some, byRelevance];
        const history: { position: number; found: readonly Found[]; terms: unknown; names: unknown }[] = [];
        const { node } = await live(sequence, ({ node: { store } }) => {
          const { reader } = store;
          const found = queries.map((query) => reader.find(query));
          history.push({ position: reader.position, found, terms: terms(reader), names: names(reader) });
          // Asked for early, so that it has to follow what happens later.
          const first = store.at(String(history[0]?.position));
          if (!isRefusal(first)) expect(queries.map((query) => first.find(query))).toEqual(history[0]?.found);
        });
        for (const { position, found, terms: then, names: namesThen } of history) {
          const past = await there(node.store.at(String(position)));
          const answers = await Promise.all(queries.map((query) => there(past.find(query))));
          expect(answers).toEqual(found);
          expect(terms(await there(past.counted()))).toEqual(then);
          expect(names(past)).toEqual(namesThen);
        }
        await node.close();
      }),
      { numRuns: 15 },
    );
  });
});

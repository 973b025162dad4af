import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { keepState } from '../../src/node/past/kept-states.ts';
import { openState } from '../../src/node/past/open-state.ts';
import { manyActs } from '../support/acts.ts';
import { live } from '../support/live.ts';
import { openTestNode } from '../support/node.ts';

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
        [
          { status: 'publish', author: 2 },
          { status: 'trash', author: 2 },
        ],
      ),
      orderBy: fc.constantFrom('date', 'modified', 'id', 'title', 'slug', 'menu_order', 'parent', 'author'),
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

function there<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

/** Which entries have a slug, and for which owners it is taken. Nothing is given a parent that does not exist. */
function names(model: Model): unknown {
  const parents = [0, 1, 3].filter((id) => id === 0 || model.entry(id) !== undefined);
  const owners = ['post', 'page'].flatMap((kind) => parents.map((parent) => ({ kind, id: 2, parent })));
  return ['own', 'own-2', 'one', 'own__trashed', 'one__trashed', 'term-2'].map((slug) => [
    model.named(slug),
    owners.map((owner) => model.slugTaken(slug, { ...owner, parent: owner.kind === 'post' ? -1 : owner.parent })),
  ]);
}

const terms = (model: Model) => [
  model.terms('category'),
  model.terms('post_tag'),
  model.users().map((user) => ({ ...user, published: 0 })),
];

interface Moment {
  readonly position: number;
  readonly found: readonly Found[];
  readonly terms: unknown;
  readonly names: unknown;
}

function lookAt(model: Model, queries: readonly CollectionQuery[]): Omit<Moment, 'position'> {
  const found = queries.map((query) => model.find(query));
  return { found, terms: terms(model), names: names(model) };
}

describe('the past', () => {
  it('gives the collections as they were at that position, whatever has happened since', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.array(anyQuery, { minLength: 6, maxLength: 12 }), async (sequence, some) => {
        const queries = [...some, byRelevance];
        const history: Moment[] = [];
        const { node } = await live(sequence, async ({ node: { store } }) => {
          history.push({ position: store.reader.position, ...lookAt(store.reader, queries) });
          // Requested early, so that it has to follow later changes.
          const first = there(store.past.asOf(String(history[0]?.position)));
          expect(lookAt(first, queries)).toMatchObject({ found: history[0]?.found });
        });
        for (const { position, ...moment } of history) {
          expect(lookAt(there(node.store.past.asOf(String(position))), queries)).toEqual(moment);
        }
        await node.close();
      }),
      { numRuns: 15 },
    );
  });

  it('gives the same results from a kept state of that position or of a later one', async () => {
    const someQueries = fc.array(anyQuery, { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(manyActs, someQueries, fc.nat(39), async (sequence, queries, which) => {
        const history: Moment[] = [];
        const before = await live(sequence, async ({ node: { store } }) => {
          history.push({ position: store.reader.position, ...lookAt(store.reader, queries) });
        });
        // Closing saves the search index, which earlier states use as far as it is valid for them.
        await before.node.close();
        const { node, directory } = await openTestNode(before.directory);
        const { log } = node;
        const present = join(directory, 'projections.db');
        // A state of some position, and one of the end, which is made from it.
        const kept = [history[which % history.length]?.position ?? 0, log.head().position];
        for (const position of kept) {
          const path = keepState({ log, directory: join(directory, 'past'), position, clock: () => 0 });
          const state = openState({ log, path, position, present });
          const until = history.filter((moment) => moment.position <= position);
          for (const { position: then, ...moment } of until) {
            expect(lookAt(state.past.at(then), queries)).toEqual(moment);
          }
          expect(lookAt(state.reader, queries)).toEqual(moment(until.at(-1)));
          state.close();
        }
        await node.close();
      }),
      { numRuns: 10 },
    );
  });
});

function moment({ position: _, ...rest }: Moment = { position: 0, found: [], terms: null, names: null }) {
  return rest;
}

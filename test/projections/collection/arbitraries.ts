import fc from 'fast-check';
import type { CollectionQuery, EntryFacets, TaxonomyFilter } from '#projections/kernel/collection-query.ts';

const anyKind = fc.constantFrom('post', 'post', 'page');
const anyStatus = fc.constantFrom('publish', 'publish', 'draft', 'private', 'trash');
const anyTime = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(2))
  .map(([day, hour]) => `2020-03-0${day}T0${hour}:00:00`);
const anyAuthor = fc.integer({ min: 1, max: 4 });
const anyFormat = fc.constantFrom('standard', 'standard', 'aside', 'quote');
const anyTermId = fc.integer({ min: 1, max: 6 });
const anyParent = fc.constantFrom(0, 0, 7, 9);
const anyWord = fc.constantFrom('Apfel', 'äpfel', 'zebra', 'Stone', 'stones', 'amber', 'ÉTÉ', '10', '9', 'the', 'x');
const anyWords = fc.array(anyWord, { maxLength: 4 }).map((words) => words.join(' '));
const anySlug = fc.constantFrom('', 'a', 'b', 'b__trashed', 'b-x', 'apfel', 'a-2', 'b-10', 'x1');

const anyGoods = fc.record({ onSale: fc.boolean(), featured: fc.boolean(), rating: fc.nat(3), sales: fc.nat(2) });

/** Ids run opposite to sequence numbers, so that confusing them is noticed. */
export const idOf = (ord: number): number => 1000 - ord * 3;
const anyId = fc.nat(25).map(idOf);

const anyPlace = fc.integer({ min: -2, max: 2 });

export const anyEntry = fc
  .record({
    ord: fc.nat(25),
    kind: anyKind,
    status: anyStatus,
    author: anyAuthor,
    slug: anySlug,
    date: anyTime,
    modified: anyTime,
    parent: anyParent,
    menuOrder: fc.integer({ min: -2, max: 2 }),
    values: fc.record({ format: anyFormat, place: anyPlace }),
    sticky: fc.boolean(),
    protected: fc.boolean(),
    terms: fc.uniqueArray(anyTermId, { maxLength: 3 }),
    goods: fc.option(anyGoods, { nil: null }),
    texts: fc.record({ title: anyWords, content: anyWords, excerpt: anyWords }),
  })
  .map(({ texts, goods, ...facets }) => {
    // An entry never changes its kind.
    const kind = facets.ord % 3 === 0 ? 'page' : 'post';
    const entry: EntryFacets = { ...facets, kind, id: idOf(facets.ord), title: texts.title };
    return { facets: goods === null ? entry : { ...entry, goods }, texts };
  });

const anyTaxonomy: fc.Arbitrary<TaxonomyFilter> = fc.oneof(
  fc.record({
    by: fc.constant('term' as const),
    mode: fc.constantFrom('any' as const, 'all' as const, 'none' as const),
    terms: fc.array(anyTermId, { maxLength: 3 }),
  }),
  fc.record({ by: fc.constant('format' as const), formats: fc.subarray(['standard', 'aside', 'quote', 'video']) }),
);

const anySearch = fc.record({
  text: fc.oneof(
    anyWords,
    fc.tuple(anyWord, anyWord).map(([a, b]) => `${a} -${b}`),
    fc.tuple(anyWord, anyWord).map(([a, b]) => `"${a} ${b}"`),
    fc.array(anyWord, { minLength: 7, maxLength: 10 }).map((words) => words.join('+')),
  ),
  columns: fc.subarray(['title' as const, 'content' as const, 'excerpt' as const]),
  exact: fc.boolean(),
  skipProtected: fc.boolean(),
});

const anyOrder = fc.constantFrom(
  ...(['date', 'modified', 'id', 'author', 'parent', 'menu_order', 'title', 'slug', 'relevance'] as const),
  ...(['rating', 'sales', 'include', 'include_slugs'] as const),
);

const anyStatuses = fc.oneof(
  fc.constant(['publish', 'draft', 'private'].map((status) => ({ status }))),
  fc.uniqueArray(fc.oneof(fc.record({ status: anyStatus }), fc.record({ status: anyStatus, author: anyAuthor })), {
    maxLength: 3,
  }),
);

export const anyQuery: fc.Arbitrary<CollectionQuery> = fc
  .tuple(
    fc.record({
      kind: anyKind,
      statuses: anyStatuses,
      orderBy: anyOrder,
      order: fc.constantFrom('asc' as const, 'desc' as const),
      offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(20) }),
      limit: fc.integer({ min: 1, max: 8 }),
    }),
    rarely({ include: fc.uniqueArray(anyId, { maxLength: 6 }), exclude: fc.array(anyId, { maxLength: 4 }) }),
    rarely({ authors: fc.array(anyAuthor, { maxLength: 2 }), notAuthors: fc.array(anyAuthor, { maxLength: 2 }) }),
    rarely({ after: anyTime, before: anyTime, modifiedAfter: anyTime, modifiedBefore: anyTime }),
    rarely({ parents: fc.array(anyParent, { maxLength: 2 }), notParents: fc.array(anyParent, { maxLength: 2 }) }),
    rarely({
      slugs: fc.uniqueArray(anySlug, { maxLength: 3 }),
      values: fc.record({ place: fc.uniqueArray(anyPlace) }),
    }),
    rarely({ goods: fc.constantFrom('onSale' as const, 'featured' as const) }),
    rarely({ sticky: fc.boolean(), stickyFirst: fc.boolean(), firstPage: fc.boolean() }),
    rarely({
      taxonomies: fc.array(anyTaxonomy, { maxLength: 3 }),
      relation: fc.constantFrom('AND' as const, 'OR' as const),
    }),
    rarely({ search: anySearch }),
  )
  .map((parts) => orderable(Object.assign({}, ...parts) as CollectionQuery));

/** Orders by a list require the list; without it the interface refuses them. */
function orderable(query: CollectionQuery): CollectionQuery {
  const list = query.orderBy === 'include' ? query.include : query.slugs;
  return query.orderBy.startsWith('include') && !list?.length ? { ...query, orderBy: 'date' } : query;
}

/** Each member occurs in one query of eight. */
function rarely<T extends Record<string, unknown>>(
  members: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<Partial<T>> {
  const names = Object.keys(members) as (keyof T)[];
  const flags = fc.array(fc.nat(7), { minLength: names.length, maxLength: names.length });
  return fc.tuple(fc.record(members), flags).map(([all, chances]) => {
    const kept = names.filter((_, i) => chances[i] === 0).map((name) => [name, (all as T)[name]]);
    return Object.fromEntries(kept) as Partial<T>;
  });
}

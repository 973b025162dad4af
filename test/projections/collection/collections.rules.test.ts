import { describe, expect, it } from 'vitest';
import { createCollections } from '#projections/collection/collections.ts';
import type { CollectionQuery, EntryFacets } from '#projections/kernel/collection-query.ts';

const plain: EntryFacets = {
  ord: 0,
  id: 0,
  kind: 'post',
  status: 'publish',
  author: 1,
  slug: '',
  date: '2020-01-01T00:00:00',
  modified: '2020-01-01T00:00:00',
  title: '',
  parent: 0,
  menuOrder: 0,
  values: { format: 'standard' },
  sticky: false,
  protected: false,
  terms: [],
};

function entry(id: number, facets: Partial<EntryFacets> = {}): EntryFacets {
  return { ...plain, ord: id, id, slug: `s${id}`, date: `2020-01-0${id}T00:00:00`, ...facets };
}

function found(entries: readonly EntryFacets[], query: Partial<CollectionQuery>) {
  const collections = createCollections({
    idsBySlug: (kind, slug) => entries.filter((e) => e.kind === kind && e.slug === slug).map(({ id }) => id),
  });
  collections.load(entries);
  return collections.find({
    kind: 'post',
    statuses: [{ status: 'publish' }],
    orderBy: 'id',
    order: 'asc',
    offset: 0,
    limit: 10,
    ...query,
  });
}

const four = [
  entry(1, { author: 1, terms: [10], sticky: true }),
  entry(2, { author: 2, terms: [10, 20], values: { format: 'aside' } }),
  entry(3, { author: 3, terms: [20] }),
  entry(4, { author: 1, values: { format: 'quote' } }),
];

describe('a collection', () => {
  it.each<[string, Partial<CollectionQuery>, number[]]>([
    ['has every published entry', {}, [1, 2, 3, 4]],
    ['has those of the given authors', { authors: [1, 3] }, [1, 3, 4]],
    ['leaves out authors rather than keep others', { authors: [1], notAuthors: [2, 3] }, [1, 4]],
    ['ignores authors beside those left out', { authors: [2], notAuthors: [2] }, [1, 3, 4]],
    [
      'is not narrowed by empty lists',
      { authors: [], notAuthors: [], exclude: [], slugs: [], taxonomies: [] },
      [1, 2, 3, 4],
    ],
    ['keeps what is included, whatever is excluded', { include: [2, 3], exclude: [3] }, [2, 3]],
    ['does not know unknown ids', { include: [99, 3], exclude: [99] }, [3]],
    ['is empty when nothing is included', { include: [] }, []],
    ['leaves out what is excluded', { exclude: [1, 4] }, [2, 3]],
    ['can be of the sticky ones', { sticky: true }, [1]],
    ['can be without the sticky ones', { sticky: false }, [2, 3, 4]],
    ['has sticky ones of those included', { sticky: true, include: [1, 2] }, [1]],
    ['ignores that sticky ones are unwanted when they are included', { sticky: false, include: [1, 2] }, [1, 2]],
    ['ignores exclusion of sticky ones when it is of sticky ones', { sticky: true, exclude: [1] }, [1]],
    ['leaves out both the sticky and the excluded', { sticky: false, exclude: [4] }, [2, 3]],
    ['is of the times strictly after', { after: '2020-01-02T00:00:00' }, [3, 4]],
    ['is of the times strictly before', { before: '2020-01-02T00:00:00' }, [1]],
    ['can be between two times', { after: '2020-01-01T00:00:00', before: '2020-01-04T00:00:00' }, [2, 3]],
    [
      'is empty between times that do not go together',
      { after: '2020-01-03T00:00:00', before: '2020-01-02T00:00:00' },
      [],
    ],
    ['is found by slugs', { slugs: ['s3', 's1', 'no'] }, [1, 3]],
    ['can be of formats', { taxonomies: [{ by: 'format', formats: ['aside', 'quote'] }] }, [2, 4]],
    ['can be of no format', { taxonomies: [{ by: 'format', formats: ['standard'] }] }, [1, 3]],
    ['can be of any of some terms', { taxonomies: [{ by: 'term', mode: 'any', terms: [10, 20] }] }, [1, 2, 3]],
    ['can be of all of some terms', { taxonomies: [{ by: 'term', mode: 'all', terms: [10, 20] }] }, [2]],
    ['can be of none of some terms', { taxonomies: [{ by: 'term', mode: 'none', terms: [10] }] }, [3, 4]],
    ['knows nothing of unknown terms', { taxonomies: [{ by: 'term', mode: 'any', terms: [99] }] }, []],
  ])('%s', (_, query, ids) => {
    expect(found(four, query)).toEqual({ ids, total: ids.length });
  });

  it('combines taxonomies with AND', () => {
    const taxonomies = [
      { by: 'term', mode: 'any', terms: [10] },
      { by: 'term', mode: 'none', terms: [20] },
    ] as const;
    expect(found(four, { taxonomies }).ids).toEqual([1]);
  });

  it('combines taxonomies with OR, including exclusions and formats, but not empty ones', () => {
    const taxonomies = [
      { by: 'term', mode: 'all', terms: [10, 20] },
      { by: 'term', mode: 'none', terms: [10, 20] },
      { by: 'format', formats: ['quote'] },
      { by: 'term', mode: 'any', terms: [] },
    ] as const;
    expect(found(four, { taxonomies, relation: 'OR' }).ids).toEqual([2, 4]);
  });

  it('can be limited to the author’s own entries for one status', () => {
    const entries = [...four, entry(5, { status: 'private', author: 2 }), entry(6, { status: 'private', author: 1 })];
    const statuses = [{ status: 'publish' }, { status: 'private', author: 2 }];
    expect(found(entries, { statuses }).ids).toEqual([1, 2, 3, 4, 5]);
  });

  it('contains only entries of its kind', () => {
    const entries = [...four, entry(5, { kind: 'page' })];
    expect(found(entries, { kind: 'page' })).toEqual({ ids: [5], total: 1 });
    expect(found(entries, { kind: 'media' })).toEqual({ ids: [], total: 0 });
  });

  it('has no entries beyond its end, but the same total', () => {
    expect(found(four, { offset: 4 })).toEqual({ ids: [], total: 4 });
    expect(found(four, { offset: 3, limit: 2 })).toEqual({ ids: [4], total: 4 });
  });
});

describe('a collection of pages', () => {
  const pages = [
    entry(1, { kind: 'page', menuOrder: 2, values: { menuOrder: 2 } }),
    entry(2, { kind: 'page', parent: 1, menuOrder: -5 }),
    entry(3, { kind: 'page', parent: 2, menuOrder: 2, values: { menuOrder: 2 } }),
  ];

  it.each<[string, Partial<CollectionQuery>, number[]]>([
    ['has those below given parents', { parents: [1, 2] }, [2, 3]],
    ['has those at the top', { parents: [0] }, [1]],
    ['leaves out those below given parents', { notParents: [0, 2] }, [2]],
    ['ignores parents that are left out beside parents that are asked for', { parents: [2], notParents: [2] }, [3]],
    ['has those at one place', { values: { menuOrder: [2] } }, [1, 3]],
    ['is ordered by place', { orderBy: 'menu_order' }, [2, 1, 3]],
  ])('%s', (_, query, ids) => {
    expect(found(pages, { kind: 'page', ...query }).ids).toEqual(ids);
  });
});

describe('the order of a collection', () => {
  const entries = [
    entry(1, { title: 'Zebra', slug: 'm', date: '2018-01-02T00:00:00', author: 2, modified: '2021-01-01T00:00:00' }),
    entry(2, { title: 'apple', slug: 'z', date: '2018-01-03T00:00:00', author: 1 }),
    entry(3, { title: 'Äpfel', slug: 'b', date: '2018-01-01T00:00:00', author: 3 }),
    entry(4, { title: '10', slug: 'b', date: '2018-01-01T00:00:00', author: 1 }),
    entry(5, { title: '9', slug: '9', date: '2018-01-04T00:00:00', author: 1 }),
  ];

  it.each<[CollectionQuery['orderBy'], number[]]>([
    ['date', [3, 4, 1, 2, 5]],
    ['modified', [2, 3, 4, 5, 1]],
    ['id', [1, 2, 3, 4, 5]],
    ['title', [4, 5, 3, 2, 1]],
    ['slug', [5, 3, 4, 1, 2]],
    ['author', [2, 4, 5, 1, 3]],
    ['parent', [1, 2, 3, 4, 5]],
  ])('by %s orders equal entries by id, and descending is the exact reverse', (orderBy, ids) => {
    expect(found(entries, { orderBy }).ids).toEqual(ids);
    expect(found(entries, { orderBy, order: 'desc' }).ids).toEqual(ids.toReversed());
  });

  it.each(['asc', 'desc'] as const)('can be that of the included ids, whatever the direction (%s)', (order) => {
    const query = { orderBy: 'include', order, include: [4, 99, 1, 3, 4] } as const;
    expect(found(entries, query).ids).toEqual([4, 1, 3]);
    expect(found(entries, { ...query, offset: 1, limit: 1 }).ids).toEqual([1]);
  });

  it.each(['asc', 'desc'] as const)('can be that of the slugs (%s)', (order) => {
    expect(found(entries, { orderBy: 'include_slugs', order, slugs: ['z', 'b', 'm'] }).ids).toEqual([2, 3, 4, 1]);
  });
});

describe('sticky entries', () => {
  const entries = [
    entry(1, { sticky: true }),
    entry(2),
    entry(3, { sticky: true, status: 'draft' }),
    entry(4),
    entry(5, { sticky: true }),
    entry(6),
    entry(7, { kind: 'page', sticky: true }),
    entry(8, { sticky: true, date: '2019-01-01T00:00:00' }),
  ];
  const newest = { orderBy: 'date', order: 'desc', limit: 3, stickyFirst: true } as const;

  it('come first, those of the page before other published ones, and make the page longer', () => {
    expect(found(entries, newest)).toEqual({ ids: [5, 1, 8, 6, 4], total: 6 });
  });

  it('come first in any order', () => {
    expect(found(entries, { ...newest, orderBy: 'id', order: 'asc' }).ids).toEqual([1, 5, 8, 2, 4]);
  });

  it('come first only on the first page', () => {
    expect(found(entries, { ...newest, offset: 3 }).ids).toEqual([2, 1, 8]);
    expect(found(entries, { ...newest, offset: 1, firstPage: true }).ids).toEqual([5, 1, 8, 4, 2]);
  });

  it('are omitted when they are excluded', () => {
    expect(found(entries, { ...newest, exclude: [1] }).ids).toEqual([5, 8, 6, 4]);
    expect(found(entries, { ...newest, sticky: false }).ids).toEqual([6, 4, 2]);
  });

  it.each<[string, Partial<CollectionQuery>]>([
    ['ids', { include: [1, 2, 4, 5, 6, 8] }],
    ['a format', { taxonomies: [{ by: 'format', formats: ['standard'] }] }],
    ['a search', { search: { text: '', columns: [], exact: false, skipProtected: false } }],
  ])('keep their regular place in a collection with %s', (_, query) => {
    expect(found(entries, { ...newest, ...query }).ids).toEqual([6, 5, 4]);
  });

  it('come first also in collections that exclude terms or are limited by date', () => {
    expect(found(entries, { ...newest, taxonomies: [{ by: 'term', mode: 'none', terms: [1] }] }).ids).toEqual([
      5, 1, 8, 6, 4,
    ]);
    expect(found(entries, { ...newest, after: '2020-01-03T00:00:00' }).ids).toEqual([5, 1, 8, 6, 4]);
  });
});

describe('the index of collections', () => {
  const all: CollectionQuery = {
    kind: 'post',
    statuses: [{ status: 'publish' }, { status: 'draft' }],
    orderBy: 'date',
    order: 'desc',
    offset: 0,
    limit: 10,
  };

  it('follows additions, changes and removals of entries', () => {
    const collections = createCollections({ idsBySlug: () => [] });
    for (const one of four) collections.upsert(one);
    collections.upsert(entry(2, { date: '2021-01-01T00:00:00', status: 'draft' }));
    collections.remove(3);
    collections.remove(99);
    expect(collections.find(all)).toEqual({ ids: [2, 4, 1], total: 3 });
    expect([collections.has(2), collections.has(3), collections.size]).toEqual([true, false, 3]);
  });

  it('can be loaded again over existing entries', () => {
    const collections = createCollections({ idsBySlug: () => [] });
    collections.load(four);
    collections.load([entry(4, { date: '2010-01-01T00:00:00' }), entry(5)]);
    expect(collections.find(all).ids).toEqual([5, 3, 2, 1, 4]);
  });

  it('refuses to search without a search index', () => {
    const collections = createCollections({ idsBySlug: () => [] });
    collections.load(four);
    const search = { text: 'word', columns: [], exact: false, skipProtected: false };
    expect(() => collections.find({ ...all, search })).toThrow();
  });
});

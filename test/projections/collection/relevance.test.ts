import { describe, expect, it } from 'vitest';
import { createCollections } from '#projections/collection/collections.ts';
import type { CollectionQuery, EntryFacets, EntryTexts } from '#projections/kernel/collection-query.ts';
import { createSearchIndex } from '#projections/search/index.ts';

/** Entries with ids from 1; each is a day newer than its predecessor. */
function siteOf(texts: readonly Partial<EntryTexts>[]) {
  const all = texts.map((some) => ({ title: '', content: '', excerpt: '', ...some }));
  const search = createSearchIndex({ texts: (ord) => all[ord] });
  const collections = createCollections({ idsBySlug: () => [] });
  collections.load(
    all.map(({ title }, ord): EntryFacets => {
      search.put(ord);
      const day = `2020-01-0${ord + 1}T00:00:00`;
      return {
        ...{ ord, id: ord + 1, title, kind: 'post', status: 'publish', author: 1, slug: '', date: day, modified: day },
        ...{ parent: 0, menuOrder: 0, values: {}, sticky: false, protected: ord === 8, terms: [] },
      };
    }),
  );
  return (text: string, query: Partial<CollectionQuery> = {}) =>
    collections.find(
      {
        kind: 'post',
        statuses: [{ status: 'publish' }],
        search: { text, columns: [], exact: false, skipProtected: false },
        orderBy: 'relevance',
        order: 'desc',
        offset: 0,
        limit: 10,
        ...query,
      },
      search,
    ).ids;
}

describe('relevance of one word', () => {
  const find = siteOf([
    { title: 'Stone' },
    { content: 'a stone' },
    { title: 'Gravestones' },
    { title: 'x', excerpt: 'stones' },
    { title: 'nothing' },
  ]);

  it('is higher for a match in the title, then for newer entries', () => {
    expect(find('stone')).toEqual([3, 1, 4, 2]);
  });

  it('reverses only the dates in ascending order', () => {
    expect(find('stone', { order: 'asc' })).toEqual([1, 3, 2, 4]);
  });

  it('can be paged', () => {
    expect([0, 1, 2, 3].map((page) => find('stone', { offset: page * 2, limit: 2 }))).toEqual([[3, 1], [4, 2], [], []]);
  });

  it('is the same for a phrase', () => {
    expect(find('"stone"')).toEqual([3, 1, 4, 2]);
  });
});

describe('relevance of several words', () => {
  const find = siteOf([
    { title: 'red stone wall' },
    { title: 'stone that is red' },
    { title: 'stone', content: 'red' },
    { title: 'a', excerpt: 'a red stone', content: 'red stone' },
    { title: 'b', content: 'some Red Stone' },
    { title: 'c', content: 'stone, red' },
    { title: 'red', excerpt: 'stone' },
    { title: 'Red stone' },
  ]);

  it('ranks the phrase in the title first, then words in the title, then the phrase elsewhere', () => {
    expect(find('red stone')).toEqual([8, 1, 2, 7, 3, 4, 5, 6]);
  });

  it('continues across pages', () => {
    expect([0, 3, 6].map((offset) => find('red stone', { offset, limit: 3 }))).toEqual([
      [8, 1, 2],
      [7, 3, 4],
      [5, 6],
    ]);
  });

  it('ignores the phrase when words are excluded', () => {
    expect(find('red stone -wall')).toEqual([8, 2, 7, 3, 6, 5, 4]);
  });

  it('counts very common words as part of the phrase only', () => {
    expect(find('stone that is')).toEqual([2, 8, 3, 1, 7, 6, 5, 4]);
  });

  it('of more than six words considers only the whole phrase', () => {
    const words = 'red stone ed st sto ton one';
    expect(find(words)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

describe('a search', () => {
  const find = siteOf([...Array.from({ length: 8 }, () => ({ title: 'word' })), { title: 'word' }]);

  it('omits password-protected entries if asked to', () => {
    const search = { text: 'word', columns: [], exact: false, skipProtected: true };
    expect(find('word', { orderBy: 'id', order: 'asc' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(find('word', { orderBy: 'id', order: 'asc', search })).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('without words omits nothing', () => {
    const search = { text: '<b></b>', columns: [], exact: false, skipProtected: true };
    expect(find('', { search, limit: 100 })).toHaveLength(9);
  });
});

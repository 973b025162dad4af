import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollections } from '#projections/collection/collections.ts';
import { createSearchIndex } from '#projections/search/index.ts';
import { anyEntry, anyQuery } from './arbitraries.ts';
import { type Entry, naiveFind } from './naive.ts';

const size = 3000;
const seed = 20_250_620;

// Sampled texts repeat; the entries differ in ids, dates and other fields.
const entries: Entry[] = fc.sample(anyEntry, { numRuns: size, seed }).map(({ facets, texts }, ord) => ({
  facets: { ...facets, ord, id: 10_000 - ord * 3, slug: `${facets.slug}-${ord % 50}`, terms: [...facets.terms, 7] },
  texts,
}));

const queries = fc.sample(anyQuery, { numRuns: 1500, seed });

function collectionsOf(loaded: readonly Entry[]) {
  return createCollections({
    idsBySlug: (kind, slug) =>
      loaded.filter(({ facets }) => facets.kind === kind && facets.slug === slug).map(({ facets }) => facets.id),
  });
}

describe('collections of thousands of entries', () => {
  const search = createSearchIndex({ texts: (ord) => entries[ord]?.texts });
  for (const { facets } of entries) search.put(facets.ord);
  while (search.indexStep());

  it('give the results of a full scan when they were loaded at once', () => {
    const collections = collectionsOf(entries);
    collections.load(entries.map(({ facets }) => facets));
    for (const query of queries) expect(collections.find(query, search)).toEqual(naiveFind(entries, query));
  });

  it('give the results of a full scan for several kinds', () => {
    const collections = collectionsOf(entries);
    collections.load(entries.map(({ facets }) => facets));
    for (const one of queries) {
      const query = { ...one, alsoKinds: ['posts', 'pages', 'none'] };
      expect(collections.find(query, search)).toEqual(naiveFind(entries, query));
    }
  });

  it('give the same results when entries came one by one and orders were built gradually', () => {
    const collections = collectionsOf(entries);
    for (const { facets } of entries.slice(0, 2000)) collections.upsert({ ...facets, author: 9, terms: [1, 8] });
    collections.warm();
    for (const { facets } of entries) collections.upsert(facets);
    while (collections.warm());
    for (const query of queries) expect(collections.find(query, search)).toEqual(naiveFind(entries, query));
  });
});

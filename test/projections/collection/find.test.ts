import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollections } from '#projections/collection/collections.ts';
import { find } from '#projections/collection/find.ts';
import { fittingAll } from '#projections/collection/fitting.ts';
import { OrdSet } from '#projections/collection/ord-set.ts';
import { createSearchIndex } from '#projections/search/index.ts';
import { anyEntry, anyQuery } from './arbitraries.ts';
import { type Entry, naiveFind } from './naive.ts';

/** An index of entries, with its own sequence numbers. */
function indexOf(entries: readonly Entry[]) {
  const placed = entries.map(({ facets, texts }, ord) => ({ facets: { ...facets, ord }, texts }));
  const collections = createCollections({
    idsBySlug: (kind, slug) =>
      placed.filter(({ facets }) => facets.kind === kind && facets.slug === slug).map(({ facets }) => facets.id),
  });
  const search = createSearchIndex({ texts: (ord) => placed[ord]?.texts });
  for (const { facets } of placed) {
    collections.upsert(facets);
    search.put(facets.ord);
  }
  return (kind: string) => collections.sources(kind, search);
}

describe('collections in two parts', () => {
  it('give the results of a single one, with hidden entries replaced', () => {
    const anyThing = fc.record({
      now: anyEntry,
      before: anyEntry,
      is: fc.constantFrom('same', 'other', 'gone', 'new'),
    });
    const anyThings = fc.uniqueArray(anyThing, { selector: ({ now }) => now.facets.ord, maxLength: 26 });
    fc.assert(
      fc.property(anyThings, fc.array(anyQuery, { minLength: 5, maxLength: 20 }), (things, queries) => {
        const live = things.filter(({ is }) => is !== 'gone').map(({ now }) => now);
        // An entry never changes its kind.
        const past = things
          .filter(({ is }) => is === 'other' || is === 'gone')
          .map(({ now, before }): Entry => {
            const { id, kind, ord } = now.facets;
            return { ...before, facets: { ...before.facets, id, kind, ord } };
          });
        const hidden = new OrdSet();
        const shown = things.filter(({ is }) => is !== 'gone');
        for (const [ord, { is }] of shown.entries()) if (is !== 'same') hidden.add(ord);
        const expected = [...things.filter(({ is }) => is === 'same').map(({ now }) => now), ...past];
        const [large, small] = [indexOf(live), indexOf(past)];
        for (const query of queries) {
          const [max, few] = [large(query.kind), small(query.kind)];
          const parts = [...(max ? [{ ...max, hidden }] : []), ...(few ? [few] : [])];
          expect(find(query, parts, fittingAll(query, parts))).toEqual(naiveFind(expected, query));
        }
      }),
      { numRuns: 200 },
    );
  });
});

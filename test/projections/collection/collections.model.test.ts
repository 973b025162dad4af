import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hierarchicalKinds } from '#domain/entry/kinds.ts';
import { lostSlug } from '#domain/entry/state.ts';
import { createCollections } from '#projections/collection/collections.ts';
import { createSearchIndex } from '#projections/search/index.ts';
import { anyEntry, anyQuery, idOf } from './arbitraries.ts';
import { type Entry, naiveFind } from './naive.ts';

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ upsert: anyEntry }) },
  { weight: 1, arbitrary: fc.record({ load: fc.array(anyEntry, { maxLength: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(25) }) },
  { weight: 1, arbitrary: fc.record({ removeAll: fc.uniqueArray(fc.nat(25)) }) },
  { weight: 1, arbitrary: fc.record({ pass: fc.record({ id: fc.nat(4), heir: fc.nat(4) }) }) },
  { weight: 1, arbitrary: fc.record({ raise: fc.record({ id: fc.integer({ min: 1, max: 4 }), heir: fc.nat(4) }) }) },
  { weight: 1, arbitrary: fc.constant({ warm: true }) },
  { weight: 1, arbitrary: fc.record({ work: fc.nat(40) }) },
  { weight: 6, arbitrary: fc.record({ query: anyQuery }) },
);

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** The index and plain objects, changed together. */
class Both {
  readonly #entries = new Map<number, Entry>();
  #ticks = 0;
  readonly #collections = createCollections({ idsBySlug: (kind, slug) => this.#idsBySlug(kind, slug) });
  readonly #search = createSearchIndex({
    texts: (ord) => this.#entries.get(ord)?.texts,
    now: () => this.#ticks++,
    sizes: { tail: 4, segment: 8, merge: 2, pause: 1 },
  });

  do(step: Step): void {
    if ('upsert' in step) {
      this.#keep(step.upsert);
      this.#collections.upsert(step.upsert.facets);
    } else if ('load' in step) {
      for (const entry of step.load) this.#keep(entry);
      this.#collections.load(step.load.map(({ facets }) => facets));
    } else if ('remove' in step) {
      this.#entries.delete(step.remove);
      this.#collections.remove(idOf(step.remove));
      this.#search.remove(step.remove);
    } else if ('removeAll' in step) {
      for (const ord of step.removeAll) {
        this.#entries.delete(ord);
        this.#search.remove(ord);
      }
      this.#collections.removeAll(step.removeAll);
    } else if ('pass' in step) {
      for (const entry of this.#entries.values()) this.#pass(entry, step.pass);
      this.#collections.pass(step.pass);
    } else if ('raise' in step) {
      expect(new Set(this.#collections.below(step.raise.id))).toEqual(new Set(this.#raise(step.raise)));
      this.#collections.raise(step.raise);
    } else if ('warm' in step) this.#collections.warm();
    else if ('work' in step) this.#search.indexSome(step.work);
    else {
      const expected = naiveFind([...this.#entries.values()], step.query);
      expect(this.#collections.find(step.query, this.#search)).toEqual(expected);
    }
    expect(this.#collections.size).toBe(this.#entries.size);
  }

  #keep(entry: Entry): void {
    this.#entries.set(entry.facets.ord, entry);
    this.#search.put(entry.facets.ord);
  }

  /** Applies the deletion of a user to an entry. */
  #pass({ facets, ...rest }: Entry, { id, heir }: { id: number; heir: number }): void {
    if (facets.author !== id) return;
    const isLost = heir === 0 && facets.status !== 'trash';
    const change = isLost ? { status: 'trash', sticky: false, slug: lostSlug(facets.slug) } : {};
    this.#entries.set(facets.ord, { ...rest, facets: { ...facets, ...change, author: heir || id } });
  }

  /** Applies the deletion of an entry to its children. Returns their ids. */
  #raise({ id, heir }: { id: number; heir: number }): number[] {
    const below = [...this.#entries.values()].filter(
      ({ facets }) => facets.parent === id && (hierarchicalKinds.has(facets.kind) || facets.kind === 'attachment'),
    );
    for (const { facets, ...rest } of below)
      this.#entries.set(facets.ord, { ...rest, facets: { ...facets, parent: heir } });
    return below.map(({ facets }) => facets.id);
  }

  #idsBySlug(kind: string, slug: string): number[] {
    const facets = [...this.#entries.values()].map((entry) => entry.facets);
    return facets.filter((e) => e.kind === kind && e.slug === slug).map(({ id }) => id);
  }
}

describe('collections', () => {
  it('give the same ids, order and total as a full scan for every query', () => {
    const anyEntries = fc.array(anyEntry, { minLength: 10, maxLength: 40 });
    const property = fc.property(anyEntries, fc.array(anyStep, { minLength: 30, maxLength: 100 }), (entries, steps) => {
      const both = new Both();
      for (const step of [{ load: entries }, ...steps]) both.do(step);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

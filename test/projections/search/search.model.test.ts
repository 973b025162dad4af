import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bits, bitsToArray, newBits, setBit } from '#projections/kernel/bits.ts';
import type { EntryTexts } from '#projections/kernel/collection-query.ts';
import { createSearchIndex, type SearchIndex } from '#projections/search/index.ts';
import type { TermQuery } from '#projections/search/types.ts';
import { anyPlace, anyTerm, anyTexts, cutTerm, hasByReading } from './texts.ts';

const capacity = 64;

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.nat(40), texts: anyTexts }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ steps: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.constant({ indexAll: true }) },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
  {
    weight: 5,
    arbitrary: fc.record({
      include: fc.array(anyTerm, { maxLength: 3 }),
      exclude: fc.array(anyTerm, { maxLength: 1 }),
      place: anyPlace,
    }),
  },
);

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** The index beside plain texts. Its clock advances at each reading, so that work is done step by step. */
class Both {
  readonly texts = new Map<number, EntryTexts>();
  #ticks = 0;
  index = this.#create();

  do(step: Step): void {
    if ('put' in step) {
      this.texts.set(step.put, step.texts);
      this.index.put(step.put);
    } else if ('remove' in step) {
      this.texts.delete(step.remove);
      this.index.remove(step.remove);
    } else if ('steps' in step) this.index.indexSome(step.steps);
    else if ('indexAll' in step) while (this.index.indexStep());
    else if ('reload' in step) this.#reload();
    else this.#compare(step);
  }

  #compare({ include, exclude, place }: Extract<Step, { place: unknown }>): void {
    const cut = (term: (typeof include)[number]) => cutTerm(term, [...this.texts.values()]);
    const query: TermQuery = { include: include.map(cut), exclude: exclude.map(cut), ...place };
    expect(bitsToArray(this.#narrow(query))).toEqual(this.#read(query));
  }

  #narrow(query: TermQuery): Bits {
    const found = this.#all();
    this.index.narrow(found, query);
    return found;
  }

  #read({ include, exclude, ...place }: TermQuery): number[] {
    const has = (texts: EntryTexts) => (term: string) => hasByReading(texts, term, place);
    const fits = (texts: EntryTexts) => include.every(has(texts)) && !exclude.some(has(texts));
    return [...this.texts].flatMap(([ord, texts]) => (fits(texts) ? [ord] : [])).sort((a, b) => a - b);
  }

  #all(): Bits {
    const all = newBits(capacity);
    for (const ord of this.texts.keys()) setBit(all, ord);
    return all;
  }

  #reload(): void {
    const { segments } = this.index;
    const state = this.index.saveState();
    this.index = this.#create();
    expect(this.index.load(state, segments)).toBe(true);
  }

  #create(): SearchIndex {
    return createSearchIndex({
      texts: (ord) => this.texts.get(ord),
      now: () => this.#ticks++,
      sizes: { tail: 3, segment: 8, merge: 2, pause: 1 },
    });
  }
}

describe('the search index', () => {
  it('finds at any moment exactly what a scan of all texts finds', () => {
    const property = fc.property(fc.array(anyStep, { minLength: 60, maxLength: 120 }), (steps) => {
      const both = new Both();
      for (const step of steps) both.do(step);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

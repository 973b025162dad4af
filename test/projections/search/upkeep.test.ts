import { describe, expect, it } from 'vitest';
import { bitsToArray, newBits, setBit } from '#projections/kernel/bits.ts';
import type { EntryTexts } from '#projections/kernel/collection-query.ts';
import { createSearchIndex, type SavedSegment, type SearchIndex } from '#projections/search/index.ts';
import { allColumns } from '#projections/search/types.ts';

const count = 400;

interface Saved {
  readonly state: Uint8Array;
  readonly segments: readonly SavedSegment[];
}

/** A site whose entries can change, with an index that does one step per tick of its clock. */
class Site {
  readonly texts = new Map<number, EntryTexts>();
  #ticks = 0;
  readonly index = this.another();

  another(): SearchIndex {
    return createSearchIndex({
      texts: (ord) => this.texts.get(ord),
      now: () => this.#ticks++,
      sizes: { tail: 20, segment: 50, merge: 3, pause: 1 },
    });
  }

  write(ord: number, content: string): void {
    this.texts.set(ord, { title: `Title ${ord}`, content, excerpt: '' });
    this.index.put(ord);
  }

  remove(ord: number): void {
    this.texts.delete(ord);
    this.index.remove(ord);
  }
}

function full(): Site {
  const site = new Site();
  for (let ord = 0; ord < count; ord++) site.write(ord, `the number ${ord} of the site`);
  return site;
}

function found(index: SearchIndex, term: string): number[] {
  const bits = newBits(count);
  for (let ord = 0; ord < count; ord++) setBit(bits, ord);
  index.narrow(bits, { include: [term], exclude: [], columns: allColumns, exact: false });
  return bitsToArray(bits);
}

describe('the maintenance of a search index', () => {
  it('indexes a long tail a little at a time, until it is short', () => {
    const { index } = full();
    expect(index.tailSize).toBe(count);
    let calls = 0;
    for (; index.indexSome(10); calls++) expect(found(index, 'number 7 of')).toEqual([7]);
    expect(calls).toBeGreaterThan(10);
    expect(index.tailSize).toBeLessThanOrEqual(20);
    expect(index.indexSome(10)).toBe(false);
  });

  it('indexes a short tail once it has long texts, of which every search would read all', () => {
    const lengthOf = (ord: number) => (ord === 3 ? 20_000_000 : 10);
    const index = createSearchIndex({
      texts: (ord) => ({ title: `Title ${ord}`, content: '', excerpt: '' }),
      lengthOf,
    });
    for (const ord of [1, 2]) index.put(ord);
    expect(index.indexSome(1000)).toBe(false);
    expect(index.tailSize).toBe(2);
    index.put(3);
    while (index.indexSome(1000));
    expect(index.tailSize).toBe(0);
    expect(found(index, 'title 3')).toEqual([3]);
  });

  it('does not index a short tail', () => {
    const site = new Site();
    for (let ord = 0; ord < 20; ord++) site.write(ord, 'word');
    expect(site.index.indexSome(10)).toBe(false);
    expect(site.index.tailSize).toBe(20);
  });

  it('indexes everything compactly if asked to', () => {
    const { index } = full();
    while (index.indexStep());
    expect(index.tailSize).toBe(0);
    expect(index.segments).toHaveLength(1);
  });

  it('merges parts, so that they stay few', () => {
    const site = full();
    for (let round = 0; round < 10; round++) {
      for (let ord = 0; ord < count; ord += 2) site.write(ord, `round ${round} of ${ord}`);
      while (site.index.indexSome(100));
    }
    expect(site.index.segments.length).toBeLessThan(11);
    expect(found(site.index, 'round 9')).toHaveLength(count / 2);
    expect(found(site.index, 'round 8')).toEqual([]);
  });

  it('finds the current text of an entry that changed while it was being indexed', () => {
    const site = full();
    for (let step = 0; site.index.indexSome(3); step++) {
      const ord = (step * 7) % count;
      site.write(ord, `changed at ${step}`);
      expect(found(site.index, `changed at ${step}`)).toContain(ord);
      expect(found(site.index, `number ${ord} of`)).toEqual([]);
      if (step === 300) break;
    }
    while (site.index.indexSome(1000));
    expect(found(site.index, 'changed at').length).toBeGreaterThan(100);
  });

  it('drops removed entries', () => {
    const site = full();
    while (site.index.indexStep());
    for (let ord = 0; ord < count; ord++) site.remove(ord);
    while (site.index.indexStep());
    expect(site.index.segments).toEqual([]);
    expect(found(site.index, 'number')).toEqual([]);
  });
});

/** As they would be read from files. */
function partsOf({ segments }: SearchIndex) {
  return segments.map(({ head, lists }) => ({ head, lists }));
}

describe('a saved search index', () => {
  it('finds the same after loading, and can be changed further', () => {
    const site = full();
    while (site.index.indexSome(100));
    site.write(5, 'in the tail');
    site.remove(6);
    const loaded = site.another();
    const segments = partsOf(site.index);
    const state = site.index.saveState();
    expect(loaded.load(state, segments)).toBe(true);
    expect([found(loaded, 'tail'), found(loaded, 'number 5 '), found(loaded, 'number 6 ')]).toEqual([[5], [], []]);
    expect(found(loaded, 'number')).toEqual(found(site.index, 'number'));
    site.texts.set(7, { title: '', content: 'after loading', excerpt: '' });
    loaded.put(7);
    expect([found(loaded, 'after loading'), found(loaded, 'number 7 ')]).toEqual([[7], []]);
  });

  it('has the same segments as long as they do not change', () => {
    const site = full();
    while (site.index.indexSome(100));
    const { segments } = site.index;
    site.write(5, 'in the tail');
    expect(site.index.segments.every((segment, i) => segment === segments[i])).toBe(true);
  });

  it('can be loaded from bytes that start anywhere', () => {
    const site = full();
    while (site.index.indexStep());
    const { segments } = site.index;
    const state = site.index.saveState();
    const shifted = segments.map(({ head, lists }) => ({ head: later(head), lists }));
    const loaded = site.another();
    expect(loaded.load(later(state), shifted)).toBe(true);
    expect(found(loaded, 'number 399 ')).toEqual([399]);
  });

  it('is unaffected by later changes of its index', () => {
    const site = full();
    while (site.index.indexStep());
    const segments = partsOf(site.index);
    const state = site.index.saveState();
    site.write(3, 'new');
    const loaded = site.another();
    loaded.load(state, segments);
    expect(found(loaded, 'number')).toContain(3);
  });

  it.each<[string, (saved: Saved) => Saved]>([
    ['no state', (saved) => ({ ...saved, state: new Uint8Array(0) })],
    ['one of another format', (saved) => ({ ...saved, state: new Uint8Array(64) })],
    ['less than there was', (saved) => ({ ...saved, segments: [] })],
  ])('is refused when there is %s', (_, damage) => {
    const site = full();
    while (site.index.indexStep());
    const loaded = site.another();
    const { state, segments } = damage({ state: site.index.saveState(), segments: site.index.segments });
    expect(loaded.load(state, segments)).toBe(false);
    expect(loaded.tailSize).toBe(0);
  });
});

/** The same bytes at an address that is no multiple of four. */
function later(bytes: Uint8Array): Uint8Array {
  const room = new Uint8Array(bytes.length + 1);
  room.set(bytes, 1);
  return room.subarray(1);
}

it('indexing one long text takes many steps', () => {
  const content = `first ${`${'x'.repeat(99)}, `.repeat(30_000)} last`;
  const index = createSearchIndex({ texts: () => ({ title: '', content, excerpt: '' }) });
  index.put(1);
  let steps = 0;
  while (index.indexStep()) steps += 1;
  expect(steps).toBeGreaterThan(30);
  expect(found(index, 'last')).toEqual([1]);
});

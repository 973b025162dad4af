import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsToArray, newBits, setBit } from '#projections/kernel/bits.ts';
import { DamagedRow } from '#projections/kernel/sums.ts';
import { createTables } from '#projections/projector/database.ts';
import { createSearchIndex, type SearchIndex } from '#projections/search/index.ts';
import { SearchStore } from '#projections/search/store.ts';
import { allColumns } from '#projections/search/types.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const max = 120;
const words = ['stone', 'proof', 'word'];
const pieceSize = 1000;

/** Texts with an index of them, and the file that it is saved in. */
function start() {
  const path = join(temporaryDirectory(), 'projections.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  createTables(db);
  const texts = new Map<number, string>();
  const textsOf = (ord: number) => {
    const content = texts.get(ord);
    // Often enough for long lists.
    return content === undefined ? undefined : { title: '', content: `${content} and `.repeat(200), excerpt: '' };
  };
  const sizes = { tail: 5, segment: 20, merge: 3, pause: 1000 };
  const make = (keepsSaved = false) => createSearchIndex({ texts: textsOf, sizes, keepsSaved });
  const index = make();
  return {
    db,
    parts: () => readdirSync(`${path}-search`).map((name) => join(`${path}-search`, name)),
    index,
    texts,
    make,
    store: new SearchStore(pieceSize),
    write(ord: number, content: string) {
      texts.set(ord, content);
      index.put(ord);
      while (index.indexSome(1000));
    },
  };
}

function found(index: SearchIndex, term: string): number[] {
  const bits = newBits(max);
  for (let ord = 0; ord < max; ord++) setBit(bits, ord);
  index.narrow(bits, { include: [term], exclude: [], columns: allColumns, exact: false });
  return bitsToArray(bits);
}

const change = fc.tuple(fc.nat(max - 1), fc.constantFrom(...words));
/** Changes, each with the number of saving steps after it. */
const course = fc.array(fc.tuple(change, fc.nat(4)), { minLength: 30, maxLength: 80 });

describe('a search index that is saved in steps', () => {
  it('lacks only changes after its position, wherever saving was interrupted', () => {
    fc.assert(
      fc.property(course, (steps) => {
        const { db, index, texts, make, store, write } = start();
        const changed: number[] = [];
        const position = () => changed.length;
        let saving = store.save(db, index, position);
        for (const [[ord, text], pieces] of steps) {
          write(ord, text);
          changed.push(ord);
          for (let i = 0; i < pieces; i++) if (saving.next().done) saving = store.save(db, index, position);
        }
        const again = make();
        for (const ord of changed.slice(new SearchStore(pieceSize).load(db, again))) again.put(ord);
        for (const word of words) {
          const ords = [...texts].filter(([, text]) => text === word).map(([ord]) => ord);
          for (const one of [again, index]) expect(found(one, word)).toEqual(ords.sort((a, b) => a - b));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is adopted by one that follows, which then has nothing of its own in memory', () => {
    const steps = fc.array(fc.tuple(change, fc.nat(4), fc.boolean()), { minLength: 30, maxLength: 80 });
    fc.assert(
      fc.property(steps, (course) => {
        const { db, index, texts, make, store, write } = start();
        const [following, adopting] = [make(true), new SearchStore(pieceSize)];
        const changed: number[] = [];
        const position = () => changed.length;
        const adopt = () => {
          if (!adopting.isOutdated(db)) return;
          const indexed = adopting.load(db, following);
          expect(adopting.unsavedSize(following)).toBe(0);
          for (const ord of changed.slice(indexed)) following.put(ord);
        };
        let saving = store.save(db, index, position);
        for (const [[ord, text], pieces, adopts] of course) {
          write(ord, text);
          changed.push(ord);
          following.put(ord);
          for (let i = 0; i < pieces; i++) if (saving.next().done) saving = store.save(db, index, position);
          if (adopts) adopt();
          while (following.indexSome(1000));
        }
        adopt();
        for (const word of words) {
          const ords = [...texts].filter(([, text]) => text === word).map(([ord]) => ord);
          expect(found(following, word)).toEqual(ords.sort((a, b) => a - b));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is loaded as it was saved', () => {
    const { db, index, texts, make, store, write } = start();
    for (let ord = 0; ord < max; ord++) write(ord, words[ord % words.length] ?? '');
    for (const _ of store.save(db, index, () => 7));
    const again = make();
    expect(new SearchStore(pieceSize).load(db, again)).toBe(7);
    expect(again.tailSize).toBe(index.tailSize);
    for (const ord of texts.keys()) texts.set(ord, 'nothing of this is read any more');
    expect(found(again, 'stone').length).toBeGreaterThanOrEqual(max / 3 - index.tailSize);
    expect(found(again, 'stone').every((ord) => ord % words.length === 0)).toBe(true);
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['cut short', (path: string) => truncateSync(path, 10)],
    [
      'changed',
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, i) => (i === 10 ? byte ^ 1 : byte)),
        ),
    ],
  ])('is not loaded if a part is %s', (_, spoil) => {
    const { db, parts, index, make, store, write } = start();
    for (let ord = 0; ord < max; ord++) write(ord, 'stone');
    for (const _step of store.save(db, index, () => 7));
    spoil(parts()[0] ?? '');
    expect(new SearchStore().load(db, make())).toBe(0);
  });

  it('reports damage of a list once it is searched', () => {
    const { db, parts, index, make, store, write } = start();
    for (let ord = 0; ord < max; ord++) write(ord, 'stone');
    for (const _step of store.save(db, index, () => 7));
    for (const path of parts()) {
      const bytes = readFileSync(path);
      writeFileSync(
        path,
        bytes.map((byte, i) => (i > bytes.length / 2 ? byte ^ 1 : byte)),
      );
    }
    const again = make();
    expect(new SearchStore().load(db, again)).toBe(7);
    for (const one of [again, index]) expect(() => found(one, 'stone')).toThrow(DamagedRow);
  });

  it('is searched and saved again after it was removed', () => {
    const { db, parts, index, make, store, write } = start();
    for (let ord = 0; ord < max; ord++) write(ord, words[ord % words.length] ?? '');
    for (const _ of store.save(db, index, () => 7));
    store.remove(db);
    expect(new SearchStore().load(db, make())).toBe(0);
    const ords = Array.from({ length: max / 3 }, (_, i) => 3 * i);
    expect(found(index, 'stone')).toEqual(ords);
    for (const _ of store.save(db, index, () => 8));
    const again = make();
    expect(new SearchStore().load(db, again)).toBe(8);
    expect(found(again, 'stone')).toEqual(ords);
    expect(parts()).not.toEqual([]);
  });

  it('removes parts that it no longer uses', () => {
    const { db, parts, index, store, write } = start();
    const size = () => parts().reduce((sum, path) => sum + statSync(path).size, 0);
    const sizes = Array.from({ length: 20 }, (_, round) => {
      for (let ord = 0; ord < max; ord++) write(ord, words[(ord + round) % words.length] ?? '');
      for (const _ of store.save(db, index, () => round));
      return size();
    });
    expect(Math.max(...sizes)).toBeLessThan(3 * Math.min(...sizes));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrdSet } from '#projections/collection/ord-set.ts';
import { bitsToArray, newBits, setBit } from '#projections/kernel/bits.ts';

const end = 6000;
const ascending = (a: number, b: number) => a - b;

const anyCase = fc.record({
  // Few and many: small sets are stored differently from large ones.
  added: fc.uniqueArray(fc.nat(end - 1), { maxLength: 3000, size: 'max' }),
  removed: fc.array(fc.nat(end - 1), { maxLength: 1000, size: 'max' }),
  others: fc.array(fc.nat(end - 1), { maxLength: 2000, size: 'max' }),
});

function setOf({ added, removed }: { added: number[]; removed: number[] }): { set: OrdSet; members: number[] } {
  const set = new OrdSet();
  for (const ord of added) set.add(ord);
  for (const ord of added) set.add(ord);
  for (const ord of removed) set.delete(ord);
  return { set, members: added.filter((ord) => !removed.includes(ord)).sort(ascending) };
}

function bitsOf(ords: readonly number[]) {
  const bits = newBits(end);
  for (const ord of ords) setBit(bits, ord);
  return bits;
}

describe('a set of sequence numbers', () => {
  it('supports union, intersection and difference, small or large', () => {
    fc.assert(
      fc.property(anyCase, ({ others, ...how }) => {
        const { set, members } = setOf(how);
        const [joined, kept, dropped] = [bitsOf(others), bitsOf(others), bitsOf(others)];
        set.addTo(joined);
        set.keepIn(kept);
        set.dropFrom(dropped);
        const all = new Set(members);
        const sorted = [...new Set(others)].sort(ascending);
        expect(bitsToArray(joined)).toEqual([...new Set([...members, ...others])].sort(ascending));
        expect(bitsToArray(kept)).toEqual(sorted.filter((ord) => all.has(ord)));
        expect(bitsToArray(dropped)).toEqual(sorted.filter((ord) => !all.has(ord)));
        expect(set.size).toBe(members.length);
      }),
      { numRuns: 60 },
    );
  });

  it('adds and deletes many members at once', () => {
    fc.assert(
      fc.property(anyCase, ({ others, ...how }) => {
        const [more, fewer] = [setOf(how), setOf(how)];
        more.set.addAll(bitsOf(others));
        fewer.set.deleteAll(bitsOf(others));
        const bitsIn = (set: OrdSet) => {
          const bits = newBits(end);
          set.addTo(bits);
          return bitsToArray(bits);
        };
        const left = more.members.filter((ord) => !others.includes(ord));
        expect(bitsIn(more.set)).toEqual([...new Set([...more.members, ...others])].sort(ascending));
        expect(bitsIn(fewer.set)).toEqual(left);
        expect([more.set.size, fewer.set.size]).toEqual([bitsIn(more.set).length, left.length]);
      }),
      { numRuns: 60 },
    );
  });

  it('tells whether it has a member', () => {
    const { set } = setOf({ added: Array.from({ length: 2000 }, (_, i) => i * 2), removed: [4, 6] });
    expect([0, 1, 4, 8, 3998, 4000, 100_000].map((ord) => set.has(ord))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});

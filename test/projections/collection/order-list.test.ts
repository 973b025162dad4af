import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderList } from '#projections/collection/order-list.ts';
import { newBits, setBit } from '#projections/kernel/bits.ts';

const end = 30_000;
// An order that differs from that of the numbers themselves.
const key = (ord: number) => (ord * 7919) % 30_011;
const compare = (a: number, b: number) => key(a) - key(b);

const anyMembers = fc.uniqueArray(fc.nat(end - 1), { minLength: 1500, maxLength: 4000, size: 'max' });

function listOf({ bulk, single, removed }: { bulk: number[]; single: number[]; removed: number[] }): OrderList {
  const list = new OrderList(compare);
  list.fill(bulk.toSorted(compare));
  for (const ord of single) list.insert(ord);
  for (const ord of removed) list.remove(ord);
  return list;
}

describe('an order list', () => {
  const anyCase = fc
    .tuple(anyMembers, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100))
    .map(([all, share, gone]) => {
      const split = Math.floor(all.length * share);
      const removed = all.filter((ord) => ord % 101 < gone);
      const left = all.filter((ord) => ord % 101 >= gone).sort(compare);
      return { bulk: all.slice(0, split), single: all.slice(split), removed, left };
    });

  it('has its members in order, however they were added and removed', () => {
    fc.assert(
      fc.property(anyCase, ({ left, ...how }) => {
        const list = listOf(how);
        expect(list.size).toBe(left.length);
        expect([...list.between(0, list.size)].flatMap((part) => [...part])).toEqual(left);
      }),
      { numRuns: 20 },
    );
  });

  it('returns any page of any subset from either end', () => {
    fc.assert(
      fc.property(anyCase, fc.nat(3000), fc.integer({ min: 1, max: 50 }), fc.boolean(), (sets, skip, take, reverse) => {
        const wanted = sets.left.filter((ord) => ord % 3 > 0);
        const bits = newBits(end);
        for (const ord of wanted) setBit(bits, ord);
        const sorted = reverse ? wanted.toReversed() : wanted;
        expect(listOf(sets).pick(bits, { skip, take, reverse })).toEqual(sorted.slice(skip, skip + take));
      }),
      { numRuns: 20 },
    );
  });

  it('counts the members before a place', () => {
    fc.assert(
      fc.property(anyCase, fc.nat(30_011), (sets, place) => {
        expect(listOf(sets).rank((ord) => key(ord) >= place)).toBe(sets.left.filter((ord) => key(ord) < place).length);
      }),
      { numRuns: 20 },
    );
  });

  it('extracts some members at once, and merges them again', () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 1, max: 9 }), ({ left, ...how }, share) => {
        const list = listOf(how);
        const some = left.filter((ord) => ord % share === 0);
        const bits = newBits(end);
        for (const ord of some) setBit(bits, ord);
        expect(list.extract(bits)).toEqual(some);
        expect([...list.between(0, end)].flatMap((part) => [...part])).toEqual(left.filter((ord) => ord % share > 0));
        list.merge(some);
        expect([...list.between(0, list.size)].flatMap((part) => [...part])).toEqual(left);
      }),
      { numRuns: 20 },
    );
  });

  it('ignores the removal of a number it lacks', () => {
    const list = listOf({ bulk: [1, 2, 3], single: [], removed: [4] });
    expect(list.size).toBe(3);
  });
});

import { type Bits, bitsToArray } from './bits.ts';
import type { KindIndex } from './kind-index.ts';
import type { KeptOrder } from './order.ts';

export interface Cut {
  readonly by: KeptOrder;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  /** How many there are in all. */
  readonly total: number;
}

/** What pages are cut from, and what is known of where it lies in each order. */
export interface Searched {
  readonly found: Bits;
  readonly counts?: Map<KeptOrder, Uint32Array>;
}

/** From so many on it pays to know how many there are in each chunk. */
const deep = 1000;

/** One page of `found`, in order. */
export function cutPage({ found, counts }: Searched, index: KindIndex, cut: Cut): number[] {
  const { by, descending, offset, limit, total } = cut;
  const take = Math.min(limit, total - offset);
  if (take <= 0) return [];
  const order = index.order(by);
  if (sortingIsLess(cut, index.size)) {
    const ords = bitsToArray(found).sort(order.compare);
    if (descending) ords.reverse();
    return ords.slice(offset, offset + take);
  }
  const reverse = offset > total / 2;
  const skip = reverse ? total - offset - take : offset;
  if (skip > deep && counts !== undefined && !counts.has(by)) counts.set(by, order.list.countsOf(found));
  const how = { skip, take, reverse: descending !== reverse, counts: counts?.get(by) };
  const picked = order.list.pick(found, how);
  if (!reverse) return picked;
  return picked.reverse();
}

/** Weighs sorting the few that were found against walking along the order until the page is full. */
function sortingIsLess({ offset, limit, total }: Cut, size: number): boolean {
  const needed = Math.min(offset, total - offset) + limit;
  const steps = Math.min(size, (needed * size) / total);
  return total * Math.log2(total + 1) * 10 < steps;
}

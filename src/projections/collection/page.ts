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

/** One page of `found`, in order. */
export function cutPage(found: Bits, index: KindIndex, cut: Cut): number[] {
  const { by, descending, offset, limit, total } = cut;
  const take = Math.min(limit, total - offset);
  if (take <= 0) return [];
  const order = index.order(by);
  if (sortingIsLess(cut, index.size)) {
    const ords = bitsToArray(found).sort(order.compare);
    if (descending) ords.reverse();
    return ords.slice(offset, offset + take);
  }
  if (offset <= total / 2) return order.list.pick(found, { skip: offset, take, reverse: descending });
  const fromEnd = order.list.pick(found, { skip: total - offset - take, take, reverse: !descending });
  return fromEnd.reverse();
}

/** Weighs sorting the few that were found against walking along the order until the page is full. */
function sortingIsLess({ offset, limit, total }: Cut, size: number): boolean {
  const needed = Math.min(offset, total - offset) + limit;
  const steps = Math.min(size, (needed * size) / total);
  return total * Math.log2(total + 1) * 10 < steps;
}

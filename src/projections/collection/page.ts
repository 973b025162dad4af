import { bitsToArray } from '../kernel/bits.ts';
import type { Matches } from './filter.ts';
import type { KindIndex } from './kind-index.ts';
import type { KeptOrder } from './order.ts';

export interface PageCut {
  readonly by: KeptOrder;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

export interface Searched {
  readonly found: Matches;
  readonly known?: KnownOrders;
}

interface Known {
  isAsked: boolean;
  counts?: Uint32Array;
}

/** Beyond this offset it pays to count each chunk in advance. */
const deep = 1000;

/** One page of `found`, in order. */
export function cutPage({ found, known }: Searched, index: KindIndex, cut: PageCut): number[] {
  const { by, descending, offset, limit, total } = cut;
  const take = Math.min(limit, total - offset);
  if (take <= 0) return [];
  const order = index.order(by);
  if (!(found instanceof Uint32Array)) return slicePage(found.toSorted(order.compare), cut, take);
  if (sortingIsLess(cut, index.size)) return slicePage(bitsToArray(found).sort(order.compare), cut, take);
  const reverse = offset > total / 2;
  const skip = reverse ? total - offset - take : offset;
  const counts = known?.counts(by, { now: skip > deep, count: () => order.list.countsOf(found) });
  const picked = order.list.pick(found, { skip, take, reverse: descending !== reverse, counts });
  if (!reverse) return picked;
  return picked.reverse();
}

function slicePage(sorted: ArrayLike<number>, { descending, offset, total }: PageCut, take: number): number[] {
  return Array.from({ length: take }, (_, i) => sorted[descending ? total - 1 - offset - i : offset + i]!);
}

function sortingIsLess({ offset, limit, total }: PageCut, size: number): boolean {
  const needed = Math.min(offset, total - offset) + limit;
  const steps = Math.min(size, (needed * size) / total);
  return total * Math.log2(total + 1) * 10 < steps;
}

/** How many of a query's results each chunk of an order has, counted once it pays. */
export class KnownOrders {
  readonly #orders = new Map<KeptOrder, Known>();

  /** Undefined as long as counting is not worthwhile: at the first request for an order, unless `now`. */
  counts(by: KeptOrder, { now, count }: { now: boolean; count: () => Uint32Array }): Uint32Array | undefined {
    const known = this.#orders.get(by) ?? { isAsked: false };
    this.#orders.set(by, known);
    if (known.counts === undefined && (now || known.isAsked)) known.counts = count();
    known.isAsked = true;
    return known.counts;
  }
}

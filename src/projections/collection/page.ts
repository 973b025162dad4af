import { type Bits, bitsToArray } from '../kernel/bits.ts';
import type { Matches } from './filter.ts';
import type { KindIndex } from './kind-index.ts';
import type { KeptOrder, Order } from './order.ts';

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

export interface OrderRoom {
  ords: number;
}

interface Known {
  asked: number;
  sorted?: Uint32Array;
  counts?: Uint32Array;
}

/** Beyond this offset it pays to count each chunk in advance. */
const deep = 1000;

/** Larger results are not kept sorted. */
const max = 20_000;

/** One page of `found`, in order. */
export function cutPage({ found, known }: Searched, index: KindIndex, cut: PageCut): number[] {
  const { by, descending, offset, limit, total } = cut;
  const take = Math.min(limit, total - offset);
  if (take <= 0) return [];
  const order = index.order(by);
  if (!(found instanceof Uint32Array)) return slicePage(found.toSorted(order.compare), cut, take);
  const sorted = known?.sorted(by, { total, sort: () => sortedBy(order, found, cut, index.size) });
  if (sorted !== undefined) return slicePage(sorted, cut, take);
  if (sortingIsLess(cut, index.size)) return slicePage(bitsToArray(found).sort(order.compare), cut, take);
  const reverse = offset > total / 2;
  const skip = reverse ? total - offset - take : offset;
  const counts = known?.counts(by, { now: skip > deep, count: () => order.list.countsOf(found) });
  const picked = order.list.pick(found, { skip, take, reverse: descending !== reverse, counts });
  if (!reverse) return picked;
  return picked.reverse();
}

function sortedBy(order: Order, found: Bits, cut: PageCut, size: number): Uint32Array {
  if (sortingIsLess({ ...cut, offset: cut.total / 2 }, size))
    return Uint32Array.from(bitsToArray(found).sort(order.compare));
  return Uint32Array.from(order.list.pick(found, { skip: 0, take: cut.total, reverse: false }));
}

function slicePage(sorted: ArrayLike<number>, { descending, offset, total }: PageCut, take: number): number[] {
  return Array.from({ length: take }, (_, i) => sorted[descending ? total - 1 - offset - i : offset + i]!);
}

function sortingIsLess({ offset, limit, total }: PageCut, size: number): boolean {
  const needed = Math.min(offset, total - offset) + limit;
  const steps = Math.min(size, (needed * size) / total);
  return total * Math.log2(total + 1) * 10 < steps;
}

/**
 * Positions of a query's results in each order, computed when an order is requested for the second time, so that a single request costs
 * nothing more.
 */
export class KnownOrders {
  readonly #room: OrderRoom;
  readonly #orders = new Map<KeptOrder, Known>();
  #reserved = 0;

  constructor(room: OrderRoom) {
    this.#room = room;
  }

  /** All results in an order; undefined as long as keeping them is not worthwhile. */
  sorted(by: KeptOrder, { total, sort }: { total: number; sort: () => Uint32Array }): Uint32Array | undefined {
    const known = this.#of(by);
    known.asked += 1;
    if (known.sorted !== undefined || known.asked === 1 || total > Math.min(max, this.#room.ords)) return known.sorted;
    this.#room.ords -= total;
    this.#reserved += total;
    known.sorted = sort();
    return known.sorted;
  }

  /** The number of results in each chunk of an order; undefined as long as counting is not worthwhile. */
  counts(by: KeptOrder, { now, count }: { now: boolean; count: () => Uint32Array }): Uint32Array | undefined {
    const known = this.#of(by);
    if (known.counts === undefined && (now || known.asked > 1)) known.counts = count();
    return known.counts;
  }

  drop(): void {
    this.#room.ords += this.#reserved;
    this.#reserved = 0;
    this.#orders.clear();
  }

  #of(by: KeptOrder): Known {
    const known = this.#orders.get(by) ?? { asked: 0 };
    this.#orders.set(by, known);
    return known;
  }
}

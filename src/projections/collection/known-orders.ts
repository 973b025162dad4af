import type { KeptOrder } from './order.ts';

export interface OrderRoom {
  ords: number;
}

interface Known {
  asked: number;
  sorted?: Uint32Array;
  counts?: Uint32Array;
}

/** Larger results are not kept sorted. */
const max = 20_000;

/**
 * Positions of a query's results in each order, computed when an order is requested for the second time, so that a single request costs
 * nothing more.
 */
export class KnownOrders {
  readonly #room: OrderRoom;
  readonly #orders = new Map<KeptOrder, Known>();
  #held = 0;

  constructor(room: OrderRoom) {
    this.#room = room;
  }

  /** All results in an order; undefined as long as keeping them is not worthwhile. */
  sorted(by: KeptOrder, { total, sort }: { total: number; sort: () => Uint32Array }): Uint32Array | undefined {
    const known = this.#of(by);
    known.asked += 1;
    if (known.sorted !== undefined || known.asked === 1 || total > Math.min(max, this.#room.ords)) return known.sorted;
    this.#room.ords -= total;
    this.#held += total;
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
    this.#room.ords += this.#held;
    this.#held = 0;
    this.#orders.clear();
  }

  #of(by: KeptOrder): Known {
    const known = this.#orders.get(by) ?? { asked: 0 };
    this.#orders.set(by, known);
    return known;
  }
}

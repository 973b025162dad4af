import { type Bits, bitsToArray, hasBit } from '../kernel/bits.ts';
import type { OrderBy } from '../kernel/collection-query.ts';
import type { ColumnKeys, Columns } from './columns.ts';
import { type Compare, OrderList } from './order-list.ts';

/** Orders that are kept, with the column they sort by; the id decides between equals. */
export const orderColumns = {
  id: 'id',
  date: 'date',
  modified: 'modified',
  author: 'author',
  title: 'title',
  slug: 'slug',
  parent: 'parent',
  menu_order: 'menuOrder',
  rating: 'rating',
  sales: 'sales',
} as const satisfies { [K in OrderBy]?: keyof ColumnKeys };

export type KeptOrder = keyof typeof orderColumns;

/** Orders of goods only. */
export const goodsOrders = ['rating', 'sales'] as const satisfies readonly KeptOrder[];

/** One order of a kind's entries. Built on first use or step by step, and then kept. */
export class Order {
  readonly compare: Compare;
  readonly #list: OrderList;
  readonly #present: () => Bits;
  #reached = 0;

  constructor(name: KeptOrder, columns: Columns, present: () => Bits) {
    this.compare = compareAcross(name, columns, columns);
    this.#list = new OrderList(this.compare);
    this.#present = present;
  }

  get list(): OrderList {
    if (this.#reached !== Number.POSITIVE_INFINITY) {
      this.#list.fill(bitsToArray(this.#present()).sort(this.compare));
      this.#reached = Number.POSITIVE_INFINITY;
    }
    return this.#list;
  }

  /** The whole order; null as long as it is not complete. */
  saved(): Uint32Array | null {
    return this.#reached === Number.POSITIVE_INFINITY ? this.#list.saved() : null;
  }

  restore(sorted: Uint32Array): void {
    this.#list.fill(sorted);
    this.#reached = Number.POSITIVE_INFINITY;
  }

  reset(): void {
    this.#list.fill([]);
    this.#reached = 0;
  }

  insert(ord: number): void {
    if (ord < this.#reached) this.#list.insert(ord);
  }

  remove(ord: number): void {
    if (ord < this.#reached) this.#list.remove(ord);
  }

  removeAll(ords: Bits): void {
    this.#list.extract(ords);
  }

  /** Moves many entries at once; `change` changes the columns to sort by. */
  move(moved: Bits, change: () => void): void {
    const ords = this.#list.extract(moved);
    change();
    this.#list.merge(ords.sort(this.compare));
  }

  /** Adds up to `count` more entries. Returns how many it added. */
  grow(count: number): number {
    const present = this.#present();
    let taken = 0;
    let ord = this.#reached;
    for (; taken < count && ord < present.length * 32; ord++) {
      if (!hasBit(present, ord)) continue;
      this.#list.insert(ord);
      taken += 1;
    }
    this.#reached = taken < count ? Number.POSITIVE_INFINITY : ord;
    return taken;
  }
}

/** Compares entries of two indexes: the first by `own`, the second by `others`. */
export function compareAcross(name: KeptOrder, own: Columns, others: Columns): Compare {
  const column = orderColumns[name];
  const byId: Compare = (a, b) => own.id[a]! - others.id[b]!;
  if (column === 'id') return byId;
  if (column === 'title' || column === 'slug') {
    const [keys, otherKeys] = [own[column], others[column]];
    return (a, b) => keys.compare(a, otherKeys, b) || byId(a, b);
  }
  if (column === 'rating' || column === 'sales') {
    // Without goods the columns are empty.
    return (a, b) => (own[column][a] ?? 0) - (others[column][b] ?? 0) || byId(a, b);
  }
  return (a, b) => own[column][a]! - others[column][b]! || byId(a, b);
}

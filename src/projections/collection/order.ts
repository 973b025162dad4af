import { type Bits, bitsToArray, hasBit } from './bits.ts';
import type { Columns, Keys } from './columns.ts';
import { type Compare, OrderList } from './order-list.ts';
import type { OrderBy } from './types.ts';

/** Orders that are kept, by the column that they sort by; the id decides between equals. */
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
} as const satisfies { [K in OrderBy]?: keyof Keys };

export type KeptOrder = keyof typeof orderColumns;

/** Orders that only goods have. */
export const goodsOrders = ['rating', 'sales'] as const satisfies readonly KeptOrder[];

/** One order of a kind's entries. It is put together on first use or bit by bit, and kept from then on. */
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

  /** Puts many entries into new places at once; `change` changes the columns that it sorts by. */
  move(moved: Bits, change: () => void): void {
    const ords = this.#list.extract(moved);
    change();
    this.#list.merge(ords.sort(this.compare));
  }

  /** Takes in up to `count` more entries; answers how many it took. */
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

/** Compares entries of two indexes in an order: the first by `own`, the second by `others`. */
export function compareAcross(name: KeptOrder, own: Columns, others: Columns): Compare {
  const column = orderColumns[name];
  const byId: Compare = (a, b) => own.id[a]! - others.id[b]!;
  if (column === 'id') return byId;
  if (column === 'title' || column === 'slug') {
    const [texts, otherTexts] = [own[column], others[column]];
    return (a, b) => (texts[a]! < otherTexts[b]! ? -1 : texts[a]! > otherTexts[b]! ? 1 : byId(a, b));
  }
  if (column === 'rating' || column === 'sales') {
    // Where nothing is sold there is no column.
    return (a, b) => (own[column][a] ?? 0) - (others[column][b] ?? 0) || byId(a, b);
  }
  return (a, b) => own[column][a]! - others[column][b]! || byId(a, b);
}

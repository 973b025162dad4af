import { TRASHED } from '#domain/entry/state.ts';
import {
  type Bits,
  bitsToArray,
  clearBit,
  commonBits,
  dropBits,
  grownBits,
  hasBit,
  newBits,
  setBit,
} from '../kernel/bits.ts';
import type { EntryFacets, FacetValue, Goods } from '../kernel/collection-query.ts';
import { sortBytes } from './collate.ts';
import { type Columns, keysOf } from './columns.ts';
import { Facet, FileNames } from './facet.ts';
import { OrdSet, type SavedOrdSet } from './ord-set.ts';
import { goodsOrders, type KeptOrder, Order, orderColumns } from './order.ts';

/** Kept from the beginning; orders of goods only once goods exist or are requested. */
const usualOrders = (Object.keys(orderColumns) as KeptOrder[]).filter(
  (name) => !goodsOrders.some((other) => other === name),
);
// About five milliseconds.
const growth = 1500;
/** A smaller share than one of this many is removed from orders one by one. */
const few = 32;

export interface IndexedLoss {
  readonly id: number;
  /** The category for entries left without one; 0: none. */
  readonly heir: number;
  readonly isCategory: (term: number) => boolean;
}

const facetNames = ['status', 'author', 'parent', 'term'] as const;
const setNames = ['sticky', 'protected', 'onSale', 'featured'] as const;

export interface SavedKind {
  readonly facets: Readonly<Record<(typeof facetNames)[number], ReadonlyMap<string | number, SavedOrdSet>>>;
  readonly sets: Readonly<Record<(typeof setNames)[number], SavedOrdSet>>;
  readonly values: ReadonlyMap<string, ReadonlyMap<FacetValue, SavedOrdSet>>;
  readonly files: ReadonlyMap<number, string>;
  readonly orders: ReadonlyMap<KeptOrder, Uint32Array>;
  readonly present: Bits;
  readonly size: number;
}

/** The index of all entries of one kind: facets and orders. */
export class KindIndex {
  readonly columns: Columns;
  readonly status = new Facet<string>();
  readonly author = new Facet<number>();
  readonly parent = new Facet<number>();
  readonly term = new Facet<number>();
  readonly sticky = new OrdSet();
  readonly protected = new OrdSet();
  readonly onSale = new OrdSet();
  readonly featured = new OrdSet();
  readonly files = new FileNames();
  readonly #values = new Map<string, Facet<FacetValue>>();
  readonly #orders = new Map<KeptOrder, Order>();
  #present: Bits = newBits(0);
  #size = 0;

  constructor(columns: Columns) {
    this.columns = columns;
    for (const name of usualOrders) this.order(name);
  }

  get size(): number {
    return this.#size;
  }

  /** Everything but the columns, for `restore`; to be used before the next change. */
  saved(): SavedKind {
    const facets = Object.fromEntries(facetNames.map((name) => [name, this[name].saved()]));
    const sets = Object.fromEntries(setNames.map((name) => [name, this[name].saved()]));
    const orders = [...this.#orders].flatMap(([name, order]) => {
      const sorted = order.saved();
      return sorted === null ? [] : [[name, sorted] as const];
    });
    return {
      facets: facets as SavedKind['facets'],
      sets: sets as SavedKind['sets'],
      values: new Map([...this.#values].map(([name, facet]) => [name, facet.saved()])),
      files: this.files.saved(),
      orders: new Map(orders),
      present: this.#present,
      size: this.#size,
    };
  }

  /** Takes over what was saved, into an empty index whose columns have been restored. */
  restore({ facets, sets, values, files, orders, present, size }: SavedKind): void {
    for (const name of facetNames) (this[name] as Facet<string | number>).restore(facets[name]);
    for (const name of setNames) this[name].restore(sets[name]);
    for (const [name, saved] of values) this.value(name).restore(saved);
    this.files.restore(files);
    this.#present = present.slice();
    this.#size = size;
    for (const [name, sorted] of orders) this.order(name).restore(sorted);
  }

  order(name: KeptOrder): Order {
    const known = this.#orders.get(name);
    if (known !== undefined) return known;
    const made = new Order(name, this.columns, () => this.#present);
    this.#orders.set(name, made);
    return made;
  }

  value(name: string): Facet<FacetValue> {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const facet = new Facet<FacetValue>();
    this.#values.set(name, facet);
    return facet;
  }

  ordOf(id: number): number | undefined {
    const ids = this.columns.id;
    const { list } = this.order('id');
    const rank = list.rank((ord) => ids[ord]! >= id);
    for (const [ord = -1] of list.between(rank, rank + 1)) if (ids[ord] === id) return ord;
    return undefined;
  }

  upsert(entry: EntryFacets): void {
    const { ord } = entry;
    const keys = keysOf(entry);
    if (!hasBit(this.#present, ord)) {
      this.columns.put(entry, keys);
      this.#add(entry);
      for (const order of this.#orders.values()) order.insert(ord);
      return;
    }
    const moved = [...this.#orders.keys()].filter((name) => !this.columns.has(ord, orderColumns[name], keys));
    for (const name of moved) this.order(name).remove(ord);
    this.#dropFacets(ord);
    this.columns.put(entry, keys);
    this.#add(entry);
    for (const name of moved) this.order(name).insert(ord);
  }

  /** `upsert` without updating orders: `reorder` has to follow. */
  load(entry: EntryFacets): void {
    if (hasBit(this.#present, entry.ord)) this.#dropFacets(entry.ord);
    this.columns.put(entry, keysOf(entry));
    this.#add(entry);
  }

  reorder(): void {
    for (const order of this.#orders.values()) order.reset();
  }

  remove(ord: number): void {
    for (const order of this.#orders.values()) order.remove(ord);
    this.#drop(ord);
  }

  /** Removes those that the index has. */
  removeAll(ords: Bits): void {
    const own = bitsToArray(commonBits(ords, this.#present));
    if (own.length * few < this.#size) {
      for (const ord of own) this.remove(ord);
      return;
    }
    for (const order of this.#orders.values()) order.removeAll(ords);
    for (const ord of own) this.#drop(ord);
  }

  #drop(ord: number): void {
    this.#dropFacets(ord);
    this.columns.drop(ord);
    clearBit(this.#present, ord);
    this.#size -= 1;
  }

  having(term: number): number[] {
    return this.#ordsWith(term).map((ord) => this.columns.id[ord]!);
  }

  lose({ id, heir, isCategory }: IndexedLoss): void {
    const { terms } = this.columns;
    const mayInherit = heir !== 0 && isCategory(id);
    for (const ord of this.#ordsWith(id)) {
      const left = terms.get(ord).filter((term) => term !== id);
      const inherits = mayInherit && !left.some(isCategory);
      terms.set(ord, inherits ? [heir, ...left] : left);
      this.term.delete(id, ord);
      if (inherits) this.term.add(heir, ord);
    }
  }

  with(name: 'author' | 'parent', id: number): number[] {
    return bitsToArray(this[name].any([id], this.columns.end)).map((ord) => this.columns.id[ord]!);
  }

  pass(name: 'author' | 'parent', from: number, to: number): void {
    const ords = this[name].any([from], this.columns.end);
    this.#move(name, ords, () => {
      for (const ord of bitsToArray(ords)) this.columns[name][ord] = to;
    });
    this[name].pass(from, to);
  }

  trash(author: number): void {
    const { slug } = this.columns;
    const ords = this.author.any([author], this.columns.end);
    dropBits(ords, this.status.any(['trash'], this.columns.end));
    this.#move('slug', ords, () => {
      for (const ord of bitsToArray(ords)) slug.set(ord, trashedKey(slug.get(ord)));
    });
    this.status.moveAll(ords, 'trash');
    this.sticky.deleteAll(ords);
  }

  #move(name: KeptOrder, ords: Bits, change: () => void): void {
    const order = this.#orders.get(name);
    if (order === undefined) change();
    else order.move(ords, change);
  }

  #ordsWith(term: number): number[] {
    return bitsToArray(this.term.any([term], this.columns.end));
  }

  /** Does a few milliseconds of work that first uses would need. Returns false when none is left. */
  warm(): boolean {
    return this.#orders.values().some((order) => order.grow(growth) > 0);
  }

  #add(entry: EntryFacets): void {
    const { ord } = entry;
    if (!hasBit(this.#present, ord)) {
      if (ord >>> 5 >= this.#present.length) this.#present = grownBits(this.#present, Math.ceil((ord + 1) * 1.5));
      setBit(this.#present, ord);
      this.#size += 1;
    }
    this.status.add(entry.status, ord);
    this.author.add(entry.author, ord);
    this.parent.add(entry.parent, ord);
    for (const [name, value] of Object.entries(entry.values)) this.value(name).add(value, ord);
    for (const term of entry.terms) this.term.add(term, ord);
    if (entry.sticky) this.sticky.add(ord);
    if (entry.protected) this.protected.add(ord);
    if (entry.file !== undefined) this.files.set(ord, entry.file);
    if (entry.goods !== undefined) this.#addGoods(entry.goods, ord);
  }

  #addGoods({ onSale, featured }: Goods, ord: number): void {
    if (onSale) this.onSale.add(ord);
    if (featured) this.featured.add(ord);
    for (const name of goodsOrders) this.order(name);
  }

  #dropFacets(ord: number): void {
    const { columns } = this;
    this.status.deleteAny(ord);
    this.author.delete(columns.author[ord]!, ord);
    this.parent.delete(columns.parent[ord]!, ord);
    for (const [name, value] of Object.entries(columns.valuesOf(ord))) this.value(name).delete(value, ord);
    for (const term of columns.terms.get(ord)) this.term.delete(term, ord);
    this.sticky.delete(ord);
    this.protected.delete(ord);
    this.onSale.delete(ord);
    this.featured.delete(ord);
    this.files.delete(ord);
  }
}

const trashed = sortBytes(TRASHED);

/** The sort key of a slug after its entry was trashed with its author: keys are built character by character. */
function trashedKey(key: readonly number[]): readonly number[] {
  return key.length === 0 || key.slice(-trashed.length).join() === trashed.join() ? key : [...key, ...trashed];
}

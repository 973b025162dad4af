import { type Bits, clearBit, grownBits, hasBit, newBits, setBit } from './bits.ts';
import { type Columns, keysOf } from './columns.ts';
import { Facet } from './facet.ts';
import { FileNames } from './file-names.ts';
import { OrdSet } from './ord-set.ts';
import { type KeptOrder, Order, orderColumns } from './order.ts';
import type { EntryFacets } from './types.ts';

const orderNames = Object.keys(orderColumns) as KeptOrder[];
// About five milliseconds.
const growth = 1500;

/** Everything that is known of the entries of one kind: who has what, and who comes before whom. */
export class KindIndex {
  readonly columns: Columns;
  readonly status = new Facet<string>();
  readonly author = new Facet<number>();
  readonly parent = new Facet<number>();
  readonly format = new Facet<string>();
  readonly term = new Facet<number>();
  readonly sticky = new OrdSet();
  readonly protected = new OrdSet();
  readonly files = new FileNames();
  readonly #orders: ReadonlyMap<KeptOrder, Order>;
  #present: Bits = newBits(0);
  #size = 0;

  constructor(columns: Columns) {
    this.columns = columns;
    this.#orders = new Map(orderNames.map((name) => [name, new Order(name, columns, () => this.#present)]));
  }

  get size(): number {
    return this.#size;
  }

  order(name: KeptOrder): Order {
    return this.#orders.get(name)!;
  }

  /** The entry with that id. */
  ordOf(id: number): number | undefined {
    const ids = this.columns.id;
    const { list } = this.order('id');
    const rank = list.rank((ord) => ids[ord]! >= id);
    for (const [ord = -1] of list.between(rank, rank + 1)) if (ids[ord] === id) return ord;
    return undefined;
  }

  upsert(entry: EntryFacets): void {
    const { ord } = entry;
    const known = hasBit(this.#present, ord);
    const keys = keysOf(entry);
    const moved = orderNames.filter(
      (name) => !known || this.columns[orderColumns[name]][ord] !== keys[orderColumns[name]],
    );
    if (known) {
      for (const name of moved) this.order(name).remove(ord);
      this.#dropFacets(ord);
    }
    this.columns.put(entry, keys);
    this.#add(entry);
    for (const name of moved) this.order(name).insert(ord);
  }

  /** As `upsert`, without keeping orders: `reorder` has to follow. */
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
    this.#dropFacets(ord);
    this.columns.drop(ord);
    clearBit(this.#present, ord);
    this.#size -= 1;
  }

  /** Does a few milliseconds of the work that a first use would have to do; false when none is left. */
  warm(): boolean {
    return orderNames.some((name) => this.order(name).grow(growth) > 0);
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
    this.format.add(entry.format, ord);
    for (const term of entry.terms) this.term.add(term, ord);
    if (entry.sticky) this.sticky.add(ord);
    if (entry.protected) this.protected.add(ord);
    if (entry.file !== undefined) this.files.set(ord, entry.file);
  }

  #dropFacets(ord: number): void {
    const { columns } = this;
    this.status.delete(columns.status[ord]!, ord);
    this.author.delete(columns.author[ord]!, ord);
    this.parent.delete(columns.parent[ord]!, ord);
    this.format.delete(columns.format[ord]!, ord);
    for (const term of columns.terms[ord]!) this.term.delete(term, ord);
    this.sticky.delete(ord);
    this.protected.delete(ord);
    this.files.delete(ord);
  }
}

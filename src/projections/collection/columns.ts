import type { EntryFacets, FacetValues } from '../kernel/collection-query.ts';
import { packTime, sortBytes } from './collate.ts';

export interface ColumnKeys {
  readonly id: number;
  readonly date: number;
  readonly modified: number;
  readonly author: number;
  readonly parent: number;
  readonly menuOrder: number;
  readonly rating: number;
  readonly sales: number;
  readonly title: ArrayLike<number>;
  readonly slug: ArrayLike<number>;
}

export function keysOf(entry: EntryFacets): ColumnKeys {
  return {
    id: entry.id,
    date: packTime(entry.date),
    modified: packTime(entry.modified),
    author: entry.author,
    parent: entry.parent,
    menuOrder: entry.menuOrder,
    rating: entry.goods?.rating ?? 0,
    sales: entry.goods?.sales ?? 0,
    title: sortBytes(entry.title),
    slug: sortBytes(entry.slug),
  };
}

const ofAll = ['id', 'date', 'modified', 'author', 'parent', 'menuOrder', 'values'] as const;
const ofGoods = ['rating', 'sales'] as const;

type ColumnName = (typeof ofAll)[number] | (typeof ofGoods)[number];

export interface SavedColumns {
  readonly end: number;
  readonly numbers: Readonly<Record<string, Float64Array<ArrayBuffer>>>;
  readonly lists: Readonly<Record<'title' | 'slug' | 'terms', SavedLists>>;
  readonly shared: readonly FacetValues[];
}

interface SavedLists {
  readonly items: Items;
  readonly spans: Uint32Array<ArrayBuffer>;
}

export class Columns {
  id = new Float64Array(0);
  date = new Float64Array(0);
  modified = new Float64Array(0);
  author = new Float64Array(0);
  parent = new Float64Array(0);
  menuOrder = new Float64Array(0);
  /** Places in `#shared`. */
  values = new Float64Array(0);
  // Empty as long as nothing is sold: most sites have no shop.
  rating = new Float64Array(0);
  sales = new Float64Array(0);
  readonly title = new Lists(Uint8Array);
  readonly slug = new Lists(Uint8Array);
  readonly terms = new Lists(Uint32Array);
  readonly #shared: FacetValues[] = [];
  readonly #places = new Map<string, number>();
  #end = 0;

  get end(): number {
    return this.#end;
  }

  put({ ord, values, terms, goods }: EntryFacets, keys: ColumnKeys): void {
    this.#reserve(ord);
    if (goods !== undefined && this.rating.length === 0) this.#grow(ofGoods, this.id.length);
    this.id[ord] = keys.id;
    this.date[ord] = keys.date;
    this.modified[ord] = keys.modified;
    this.author[ord] = keys.author;
    this.parent[ord] = keys.parent;
    this.menuOrder[ord] = keys.menuOrder;
    // Has no effect on an empty array.
    this.rating[ord] = keys.rating;
    this.sales[ord] = keys.sales;
    this.title.set(ord, keys.title);
    this.slug.set(ord, keys.slug);
    this.values[ord] = this.#same(values);
    this.terms.set(ord, terms);
  }

  drop(ord: number): void {
    this.id[ord] = 0;
    for (const lists of [this.title, this.slug, this.terms]) lists.set(ord, []);
  }

  has(ord: number, name: keyof ColumnKeys, keys: ColumnKeys): boolean {
    if (name === 'title' || name === 'slug') return this[name].has(ord, keys[name]);
    return this[name][ord] === keys[name];
  }

  valuesOf(ord: number): FacetValues {
    return this.#shared[this.values[ord]!]!;
  }

  /** Everything, for `restore`; shares nothing with the columns. */
  saved(): SavedColumns {
    const end = this.#end;
    const goods = this.rating.length === 0 ? 0 : end;
    const cut = (names: readonly ColumnName[], to: number) =>
      Object.fromEntries(names.map((name) => [name, this[name].slice(0, to)]));
    const lists = { title: this.title.saved(end), slug: this.slug.saved(end), terms: this.terms.saved(end) };
    const used = new Set(this.values.subarray(0, end).filter((_, ord) => this.id[ord] !== 0));
    const shared = this.#shared.map((values, place) => (used.has(place) ? values : {}));
    return { end, numbers: { ...cut(ofAll, end), ...cut(ofGoods, goods) }, lists, shared };
  }

  /** Takes over what was saved, into empty columns. */
  restore({ end, numbers, lists, shared }: SavedColumns): void {
    this.#end = end;
    // Copies: what was read from a file may all be in one piece of memory.
    for (const [name, saved] of Object.entries(numbers)) this[name as ColumnName] = saved.slice();
    for (const name of ['title', 'slug', 'terms'] as const) this[name].restore(lists[name]);
    for (const values of shared) this.#places.set(JSON.stringify(values), this.#shared.push(values) - 1);
  }

  #same(values: FacetValues): number {
    const key = JSON.stringify(values);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#shared.length);
    return this.#shared.push(values) - 1;
  }

  #reserve(ord: number): void {
    this.#end = Math.max(this.#end, ord + 1);
    if (ord < this.id.length) return;
    const capacity = Math.max(64, Math.ceil((ord + 1) * 1.5));
    this.#grow(ofAll, capacity);
    if (this.rating.length > 0) this.#grow(ofGoods, capacity);
  }

  #grow(names: readonly ColumnName[], capacity: number): void {
    for (const name of names) {
      const grown = new Float64Array(capacity);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

type Items = Uint8Array | Uint32Array;
type ItemsType = new (length: number) => Items;

/** A list of numbers for each ord, all in one array: an object each would slow down garbage collection. */
class Lists {
  readonly #type: ItemsType;
  #items: Items;
  /** Start and end of each list. */
  #spans = new Uint32Array(0);
  #end = 0;
  /** Number of items in lists; others are left over from changed lists. */
  #used = 0;

  constructor(type: ItemsType) {
    this.#type = type;
    this.#items = new type(0);
  }

  get(ord: number): number[] {
    const list: number[] = [];
    for (let i = this.#spans[2 * ord]!; i < this.#spans[2 * ord + 1]!; i++) list.push(this.#items[i]!);
    return list;
  }

  has(ord: number, list: ArrayLike<number>): boolean {
    const start = this.#spans[2 * ord]!;
    if (list.length !== this.#spans[2 * ord + 1]! - start) return false;
    for (let i = 0; i < list.length; i++) if (list[i] !== this.#items[start + i]) return false;
    return true;
  }

  set(ord: number, list: ArrayLike<number>): void {
    if (2 * ord >= this.#spans.length) {
      const spans = new Uint32Array((3 * (ord + 1) + 63) & ~1);
      spans.set(this.#spans);
      this.#spans = spans;
    }
    const room = this.#spans[2 * ord + 1]! - this.#spans[2 * ord]!;
    this.#used += list.length - room;
    if (list.length > room) this.#move(ord, list.length);
    const start = this.#spans[2 * ord]!;
    this.#items.set(list, start);
    this.#spans[2 * ord + 1] = start + list.length;
  }

  /** All lists before an ord, and nothing that changed or removed ones have left over: it may have been erased. */
  saved(end: number): SavedLists {
    const items = new this.#type(this.#used);
    const spans = this.#spans.slice(0, 2 * end);
    return { items: items.subarray(0, this.#copyTo(items, spans)), spans };
  }

  restore({ items, spans }: SavedLists): void {
    this.#items = items.slice();
    this.#spans = spans.slice();
    this.#end = items.length;
    this.#used = items.length;
  }

  /** Compares two lists, item by item. */
  compare(ord: number, others: Lists, other: number): number {
    const items = this.#items;
    const otherItems = others.#items;
    const start = this.#spans[2 * ord]!;
    const otherStart = others.#spans[2 * other]!;
    const length = this.#spans[2 * ord + 1]! - start;
    const otherLength = others.#spans[2 * other + 1]! - otherStart;
    const common = Math.min(length, otherLength);
    for (let i = 0; i < common; i++) {
      const difference = items[start + i]! - otherItems[otherStart + i]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  /** Empties a list, and puts it where it can have `length` items. */
  #move(ord: number, length: number): void {
    this.#spans[2 * ord + 1] = this.#spans[2 * ord]!;
    if (this.#end + length > this.#items.length) this.#makeRoom(length);
    this.#spans[2 * ord] = this.#end;
    this.#end += length;
  }

  /** Copies all lists to a larger array, without what changed lists have left over. */
  #makeRoom(length: number): void {
    const copied = new this.#type(Math.ceil(this.#used * 1.5) + 64);
    if (this.#end + length === this.#used) copied.set(this.#items);
    else this.#end = this.#copyTo(copied, this.#spans);
    this.#items = copied;
  }

  /** Copies lists to another array, one after the other, and notes there in `spans`. Returns where they end. */
  #copyTo(copied: Items, spans: Uint32Array): number {
    let end = 0;
    for (let at = 0; at < spans.length; at += 2) {
      const start = end;
      for (let from = spans[at]!; from < spans[at + 1]!; from++) copied[end++] = this.#items[from]!;
      spans[at] = start;
      spans[at + 1] = end;
    }
    return end;
  }
}

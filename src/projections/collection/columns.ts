import type { EntryFacets, FacetValues } from '../kernel/collection-query.ts';
import { packTime, sortKey } from './collate.ts';

export interface ColumnKeys {
  readonly id: number;
  readonly date: number;
  readonly modified: number;
  readonly author: number;
  readonly parent: number;
  readonly menuOrder: number;
  readonly rating: number;
  readonly sales: number;
  readonly title: string;
  readonly slug: string;
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
    title: sortKey(entry.title),
    slug: sortKey(entry.slug),
  };
}

const noTerms: readonly number[] = [];
const noValues: FacetValues = {};
const ofAll = ['id', 'date', 'modified', 'author', 'parent', 'menuOrder'] as const;
const ofGoods = ['rating', 'sales'] as const;

export class Columns {
  id = new Float64Array(0);
  date = new Float64Array(0);
  modified = new Float64Array(0);
  author = new Float64Array(0);
  parent = new Float64Array(0);
  menuOrder = new Float64Array(0);
  // Empty as long as nothing is sold: most sites have no shop.
  rating = new Float64Array(0);
  sales = new Float64Array(0);
  readonly title: string[] = [];
  readonly slug: string[] = [];
  readonly status: string[] = [];
  readonly values: FacetValues[] = [];
  readonly terms: (readonly number[])[] = [];
  readonly #words = new Map<string, string>();
  readonly #values = new Map<string, FacetValues>();
  #end = 0;

  get end(): number {
    return this.#end;
  }

  put({ ord, status, values, terms, goods }: EntryFacets, keys: ColumnKeys): void {
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
    this.title[ord] = keys.title;
    this.slug[ord] = keys.slug;
    this.status[ord] = this.#one(status);
    this.values[ord] = this.#same(values);
    this.terms[ord] = terms;
  }

  drop(ord: number): void {
    this.title[ord] = '';
    this.slug[ord] = '';
    this.terms[ord] = noTerms;
  }

  #one(word: string): string {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    this.#words.set(word, word);
    return word;
  }

  #same(values: FacetValues): FacetValues {
    const key = JSON.stringify(values);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    this.#values.set(key, values);
    return values;
  }

  #reserve(ord: number): void {
    this.#end = Math.max(this.#end, ord + 1);
    // No holes: arrays with holes are slower to read.
    for (let next = this.title.length; next <= ord; next++) this.#addEmpty();
    if (ord < this.id.length) return;
    const capacity = Math.max(64, Math.ceil((ord + 1) * 1.5));
    this.#grow(ofAll, capacity);
    if (this.rating.length > 0) this.#grow(ofGoods, capacity);
  }

  #grow(names: readonly ((typeof ofAll)[number] | (typeof ofGoods)[number])[], capacity: number): void {
    for (const name of names) {
      const grown = new Float64Array(capacity);
      grown.set(this[name]);
      this[name] = grown;
    }
  }

  #addEmpty(): void {
    this.title.push('');
    this.slug.push('');
    this.status.push('');
    this.values.push(noValues);
    this.terms.push(noTerms);
  }
}

import type { Bits } from '../kernel/bits.ts';
import type { EntryTexts, SearchColumn } from '../kernel/collection-query.ts';

/** Terms as parsed by `searchTerms` from a client's input. */
export interface TermQuery {
  /** Each must occur in one of the columns. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly columns: readonly SearchColumn[];
  /** A term must be the whole of a column, not just part of it. */
  readonly exact: boolean;
}

export interface Hits {
  readonly sure: Bits;
  /** Entries that have to be decided by their texts; null: none. */
  readonly doubtful: Bits | null;
}

export interface SearchPlace {
  readonly columns: readonly SearchColumn[];
  readonly exact: boolean;
}

export interface Searcher {
  /** Keeps in `found` only entries that match the query. */
  narrow(found: Bits, query: TermQuery): void;
  /** The entries of `within` with a term, as far as known without reading texts. */
  look(term: string, place: SearchPlace, within: Bits): Hits;
  holds(ord: number, term: string, place: SearchPlace): boolean;
}

/** Texts of an entry by ord; undefined when it is deleted. */
export type TextsOf = (ord: number) => EntryTexts | undefined;

/** Approximate characters of the texts of an entry, found without reading them. */
export type LengthOf = (ord: number) => number;

export interface ReadyTexts {
  texts(ord: number): EntryTexts | undefined;
  /** Which of some folded terms an entry has in any column; undefined if its texts have to be read. */
  which(ord: number, terms: readonly string[]): readonly boolean[] | undefined;
}

export const allColumns: readonly SearchColumn[] = ['title', 'content', 'excerpt'];

/** Minimum number of changes remembered. */
const max = 4096;

export class IndexChanges {
  #ords: number[] = [];
  #before = 0;

  get count(): number {
    return this.#before + this.#ords.length;
  }

  add(ord: number): void {
    if (this.#ords.length === 2 * max) this.#before += this.#ords.splice(0, max).length;
    this.#ords.push(ord);
  }

  /** The changes after the first `count`; null if they are no longer known. */
  since(count: number): readonly number[] | null {
    return count < this.#before ? null : this.#ords.slice(count - this.#before);
  }
}

import type { Bits } from '../collection/bits.ts';
import type { EntryTexts, SearchColumn } from '../collection/types.ts';

/** Terms as `searchTerms` reads them from what a client sent. */
export interface TermQuery {
  /** Each must be somewhere in the columns. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly columns: readonly SearchColumn[];
  /** A term must be the whole of a column, not just part of it. */
  readonly exact: boolean;
}

export interface Hits {
  readonly sure: Bits;
  /** Those of which only the text can tell; null: none. */
  readonly doubtful: Bits | null;
}

export interface Place {
  readonly columns: readonly SearchColumn[];
  readonly exact: boolean;
}

export interface Searcher {
  /** Leaves in `found` what fits the query. */
  narrow(found: Bits, query: TermQuery): void;
  /** Where a term is, among `within`, as far as can be said without reading texts. */
  look(term: string, place: Place, within: Bits): Hits;
  holds(ord: number, term: string, place: Place): boolean;
}

/** Texts of an entry by ord; undefined when it is gone. */
export type TextsOf = (ord: number) => EntryTexts | undefined;

export interface ReadyTexts {
  texts(ord: number): EntryTexts | undefined;
  /** Which of some folded terms an entry has in any column; undefined when it has to be read for that. */
  which(ord: number, terms: readonly string[]): readonly boolean[] | undefined;
}

export const allColumns: readonly SearchColumn[] = ['title', 'content', 'excerpt'];

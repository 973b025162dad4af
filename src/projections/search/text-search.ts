import { foldText } from '#text/fold.ts';
import {
  addBits,
  type Bits,
  clearBit,
  dropBits,
  eachBit,
  hasBit,
  keepBits,
  newBits,
  noBits,
  setBit,
} from '../kernel/bits.ts';
import { toByteString } from './bytes.ts';
import { FoundHits, lookUp, SetPool } from './lookup.ts';
import type { Segment } from './segment.ts';
import type { SearchTail } from './tail.ts';
import { patternOf } from './tokens.ts';
import { allColumns, type Hits, type Searcher, type SearchPlace, type TermQuery } from './types.ts';

/** What is searched: every entry is in the tail or live in one segment. */
export interface SearchedTexts {
  readonly segments: readonly Segment[];
  readonly tail: SearchTail;
}

/** A folded term for which the texts of some entries have to be read. `wanted`: whether they must have it. */
interface Doubt {
  readonly term: string;
  readonly entries: Bits;
  readonly wanted: boolean;
}

/** Searches segments and tail. */
export class TextSearch implements Searcher {
  readonly #searched: SearchedTexts;
  readonly #pool = new SetPool();
  #sure: Bits = newBits(0);

  constructor(searched: SearchedTexts) {
    this.#searched = searched;
  }

  /** Texts are read last, and only those of entries that match so far. */
  narrow(found: Bits, query: TermQuery): void {
    const doubts: Doubt[] = [];
    for (const [terms, wanted] of [[query.include, true] as const, [query.exclude, false] as const]) {
      for (const term of new Set(terms.map(foldText))) {
        const { sure, doubtful } = this.#find(term, query, found);
        if (doubtful !== null) doubts.push({ term, entries: doubtful, wanted });
        if (!wanted) dropBits(found, sure);
        else {
          if (doubtful !== null) addBits(sure, doubtful);
          keepBits(found, sure);
        }
        if (noBits(found)) return;
      }
    }
    if (doubts.length > 0) this.#resolve(found, doubts, query);
  }

  look(term: string, place: SearchPlace, within: Bits): Hits {
    const { sure, doubtful } = this.#find(foldText(term), place, within);
    return { sure: sure.slice(), doubtful };
  }

  holds(ord: number, term: string, place: SearchPlace): boolean {
    return this.#searched.tail.holds(ord, foldText(term), place);
  }

  /** The set of sure entries is valid until the next call. */
  #find(term: string, place: SearchPlace, within: Bits): Hits {
    const pattern = patternOf(toByteString(term), place.exact);
    const columns = place.columns.reduce((mask, column) => mask | (1 << allColumns.indexOf(column)), 0);
    const { segments, tail } = this.#searched;
    const hits = new FoundHits(this.#emptySet(within.length), within);
    for (const ord of tail) if (hasBit(within, ord) && tail.holds(ord, term, place)) setBit(hits.sure, ord);
    for (const segment of segments) lookUp(pattern, { segment, columns, hits, pool: this.#pool });
    return { sure: hits.sure, doubtful: hits.doubtful() };
  }

  #emptySet(length: number): Bits {
    if (this.#sure.length === length) return this.#sure.fill(0);
    this.#sure = newBits(length * 32);
    return this.#sure;
  }

  #resolve(found: Bits, doubts: readonly Doubt[], place: SearchPlace): void {
    const open = newBits(found.length * 32);
    for (const { entries } of doubts) addBits(open, entries);
    keepBits(open, found);
    for (const ord of eachBit(open)) {
      const about = doubts.filter(({ entries }) => hasBit(entries, ord));
      const terms = about.map(({ term }) => term);
      const has = this.#searched.tail.which(ord, terms, place);
      if (!about.every(({ wanted }, i) => has[i] === wanted)) clearBit(found, ord);
    }
  }
}

import { foldText } from '#text/fold.ts';
import {
  addBits,
  type Bits,
  clearBit,
  dropBits,
  eachBit,
  hasBit,
  keepBits,
  noBits,
  setBit,
} from '../collection/bits.ts';
import type { Changes } from './changes.ts';
import { lookUp } from './lookup.ts';
import { Memo } from './memo.ts';
import { Scratch } from './scratch.ts';
import type { Segment } from './segment.ts';
import type { Tail } from './tail.ts';
import { readTerm } from './term.ts';
import { allColumns, type Hits, type Place, type Searcher, type TermQuery } from './types.ts';

/** What is searched: every entry is in the tail or alive in one segment. */
export interface Searched {
  readonly segments: readonly Segment[];
  readonly tail: Tail;
  readonly changes: Changes;
}

/** A folded term of which only the text can tell whether some entries have it, as they must or must not. */
interface Doubt {
  readonly term: string;
  readonly entries: Bits;
  readonly wanted: boolean;
}

/** Searches segments and tail. A read that may be given up is given up between terms, and between texts. */
export class TextSearch implements Searcher {
  readonly #searched: Searched;
  readonly #scratch = new Scratch();

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** Texts are read last, and only of what fits so far. */
  narrow(found: Bits, query: TermQuery): void {
    this.#scratch.reset(found.length);
    const memo = this.#memo();
    const doubts: Doubt[] = [];
    for (const [terms, wanted] of [[query.include, true] as const, [query.exclude, false] as const]) {
      for (const term of new Set(terms.map(foldText))) {
        const { sure, doubtful } = this.#find(term, query, { within: found, memo });
        if (doubtful !== null) doubts.push({ term, entries: doubtful, wanted });
        if (!wanted) dropBits(found, sure);
        else if (doubtful === null) keepBits(found, sure);
        else keepBits(found, this.#union(sure, doubtful));
        if (noBits(found)) return;
      }
    }
    if (doubts.length > 0) this.#resolve(found, doubts, { place: query, memo });
  }

  look(term: string, place: Place, within: Bits): Hits {
    this.#scratch.reset(within.length);
    const { sure, doubtful } = this.#find(foldText(term), place, { within, memo: this.#memo() });
    const among = (bits: Bits) => {
      const copy = bits.slice();
      keepBits(copy, within);
      return copy;
    };
    return { sure: among(sure), doubtful: doubtful && among(doubtful) };
  }

  holds(ord: number, term: string, place: Place): boolean {
    const folded = foldText(term);
    const memo = this.#memo();
    const known = memo?.verdict(ord, folded, place);
    if (known !== undefined) return known;
    memo?.pause();
    const has = this.#searched.tail.holds(ord, folded, place);
    memo?.judge(ord, folded, place, has);
    return has;
  }

  #memo(): Memo | null {
    return Memo.of(this, this.#searched.changes);
  }

  #find(term: string, place: Place, { within, memo }: { readonly within: Bits; readonly memo: Memo | null }): Hits {
    return memo === null
      ? this.#look(term, place, within)
      : memo.look(term, place, within, () => this.#look(term, place, within));
  }

  #look(term: string, place: Place, within: Bits): Hits {
    const read = readTerm(term, place.exact);
    const columns = place.columns.map((column) => allColumns.indexOf(column));
    const { segments, tail } = this.#searched;
    const sure = this.#scratch.take();
    let doubtful: Bits | null = null;
    for (const segment of segments) {
      const wanted = this.#scratch.take();
      addBits(wanted, segment.live);
      keepBits(wanted, within);
      if (noBits(wanted)) continue;
      const hits = lookUp(read, { segment, scratch: this.#scratch, wanted, columns, exact: place.exact });
      keepBits(hits.sure, wanted);
      addBits(sure, hits.sure);
      if (hits.doubtful === null) continue;
      keepBits(hits.doubtful, wanted);
      if (doubtful === null) doubtful = hits.doubtful;
      else addBits(doubtful, hits.doubtful);
    }
    for (const ord of tail) if (hasBit(within, ord) && tail.holds(ord, term, place)) setBit(sure, ord);
    return { sure, doubtful };
  }

  #union(some: Bits, others: Bits): Bits {
    const union = this.#scratch.take();
    addBits(union, some);
    addBits(union, others);
    return union;
  }

  #resolve(found: Bits, doubts: readonly Doubt[], { place, memo }: { place: Place; memo: Memo | null }): void {
    const open = this.#scratch.take();
    for (const { entries } of doubts) addBits(open, entries);
    keepBits(open, found);
    for (const ord of eachBit(open)) {
      const about = doubts.filter(({ entries }) => hasBit(entries, ord));
      if (!this.#agrees(ord, about, { place, memo })) clearBit(found, ord);
    }
  }

  #agrees(ord: number, doubts: readonly Doubt[], { place, memo }: { place: Place; memo: Memo | null }): boolean {
    const unknown: Doubt[] = [];
    for (const doubt of doubts) {
      const known = memo?.verdict(ord, doubt.term, place);
      if (known === undefined) unknown.push(doubt);
      else if (known !== doubt.wanted) return false;
    }
    if (unknown.length === 0) return true;
    memo?.pause();
    const terms = unknown.map(({ term }) => term);
    const has = this.#searched.tail.which(ord, terms, place);
    for (const [i, term] of terms.entries()) memo?.judge(ord, term, place, has[i] === true);
    return unknown.every(({ wanted }, i) => has[i] === wanted);
  }
}

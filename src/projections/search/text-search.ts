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
import { lookUp } from './lookup.ts';
import { Scratch } from './scratch.ts';
import type { Segment } from './segment.ts';
import type { Tail, WantedTerm } from './tail.ts';
import { readTerm } from './term.ts';
import { allColumns, type Hits, type Place, type Searcher, type TermQuery } from './types.ts';

/** What is searched: every entry is in the tail or alive in one segment. */
export interface Searched {
  readonly segments: readonly Segment[];
  readonly tail: Tail;
}

/** A folded term of which only the text can tell whether some entries have it. */
interface Doubt extends WantedTerm {
  readonly entries: Bits;
}

/** Searches segments and tail. */
export class TextSearch implements Searcher {
  readonly #searched: Searched;
  readonly #scratch = new Scratch();

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** Texts are read last, and only of what fits so far. */
  narrow(found: Bits, query: TermQuery): void {
    this.#scratch.reset(found.length);
    const doubts: Doubt[] = [];
    for (const term of new Set(query.include.map(foldText))) {
      const { sure, doubtful } = this.#look(term, query, found);
      if (doubtful !== null) {
        doubts.push({ term, entries: doubtful, wanted: true });
        addBits(sure, doubtful);
      }
      keepBits(found, sure);
      if (noBits(found)) return;
    }
    for (const term of new Set(query.exclude.map(foldText))) {
      const { sure, doubtful } = this.#look(term, query, found);
      if (doubtful !== null) doubts.push({ term, entries: doubtful, wanted: false });
      dropBits(found, sure);
    }
    if (doubts.length > 0) this.#resolve(found, doubts, query);
  }

  look(term: string, place: Place, within: Bits): Hits {
    this.#scratch.reset(within.length);
    const { sure, doubtful } = this.#look(foldText(term), place, within);
    keepBits(sure, within);
    if (doubtful !== null) keepBits(doubtful, within);
    return { sure: sure.slice(), doubtful: doubtful?.slice() ?? null };
  }

  holds(ord: number, term: string, place: Place): boolean {
    return this.#searched.tail.holds(ord, foldText(term), place);
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

  #resolve(found: Bits, doubts: readonly Doubt[], place: Place): void {
    const open = this.#scratch.take();
    for (const { entries } of doubts) addBits(open, entries);
    keepBits(open, found);
    for (const ord of eachBit(open)) {
      const about = doubts.filter(({ entries }) => hasBit(entries, ord));
      if (!this.#searched.tail.agrees(ord, about, place)) clearBit(found, ord);
    }
  }
}

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
} from '../collection/bits.ts';
import { lookUp } from './lookup.ts';
import type { Segment } from './segment.ts';
import { hasTerm, type Tail } from './tail.ts';
import { readTerm } from './term.ts';
import { allColumns, type Hits, type Place, type TermQuery } from './types.ts';

/** What is searched: every entry is in the tail or alive in one segment. */
export interface Searched {
  readonly segments: readonly Segment[];
  readonly tail: Tail;
}

/** A term of which only the text can tell whether some entries have it. */
interface Doubt {
  readonly term: string;
  readonly entries: Bits;
  /** Whether an entry must have the term, or must not. */
  readonly wanted: boolean;
}

/** Leaves in `found` what fits the query. Texts are read last, and only of what fits so far. */
export function narrow(found: Bits, query: TermQuery, searched: Searched): void {
  const doubts: Doubt[] = [];
  for (const term of query.include.map(foldText)) {
    const { sure, doubtful } = look(term, query, { within: found, searched });
    if (doubtful !== null) {
      doubts.push({ term, entries: doubtful, wanted: true });
      addBits(sure, doubtful);
    }
    keepBits(found, sure);
    if (noBits(found)) return;
  }
  for (const term of query.exclude.map(foldText)) {
    const { sure, doubtful } = look(term, query, { within: found, searched });
    if (doubtful !== null) doubts.push({ term, entries: doubtful, wanted: false });
    dropBits(found, sure);
  }
  resolve(found, doubts, { place: query, tail: searched.tail });
}

/** Where a folded term is, among `within`. */
export function look(term: string, place: Place, { within, searched }: { within: Bits; searched: Searched }): Hits {
  const capacity = within.length * 32;
  const read = readTerm(term, place.exact);
  const columns = place.columns.map((column) => allColumns.indexOf(column));
  const sure = newBits(capacity);
  let doubtful: Bits | null = null;
  for (const segment of searched.segments) {
    const hits = lookUp(read, { segment, capacity, columns, exact: place.exact });
    keepBits(hits.sure, segment.live);
    addBits(sure, hits.sure);
    if (hits.doubtful === null) continue;
    keepBits(hits.doubtful, segment.live);
    doubtful ??= newBits(capacity);
    addBits(doubtful, hits.doubtful);
  }
  for (const ord of searched.tail) {
    if (hasBit(within, ord) && holds(ord, term, { place, tail: searched.tail })) setBit(sure, ord);
  }
  return { sure, doubtful };
}

/** Whether an entry has a folded term, by its text. */
export function holds(ord: number, term: string, { place, tail }: { place: Place; tail: Tail }): boolean {
  const texts = tail.folded(ord);
  return texts !== undefined && hasTerm(texts, term, place);
}

function resolve(found: Bits, doubts: readonly Doubt[], { place, tail }: { place: Place; tail: Tail }): void {
  const open = newBits(found.length * 32);
  for (const { entries } of doubts) addBits(open, entries);
  keepBits(open, found);
  for (const ord of eachBit(open)) {
    const texts = tail.folded(ord);
    const fits = ({ term, entries, wanted }: Doubt) =>
      !hasBit(entries, ord) || (texts !== undefined && hasTerm(texts, term, place)) === wanted;
    if (!doubts.every(fits)) clearBit(found, ord);
  }
}

import { addBits, type Bits, dropBits, keepBits } from '../collection/bits.ts';
import type { Columns } from './column-postings.ts';
import type { Scratch } from './scratch.ts';
import type { Segment } from './segment.ts';
import type { Term } from './term.ts';
import type { Hits } from './types.ts';
import { entriesWithPart, type Means, WordFinder } from './word-finder.ts';

export interface Lookup extends Means {
  readonly columns: readonly number[];
  /** Whether the term must be the whole of a column. */
  readonly exact: boolean;
}

export function lookUp(term: Term, lookup: Lookup): Hits {
  const words = term.words.map((word) => new WordFinder(word, lookup));
  const [only, ...others] = words;
  // What is one word needs no telling columns apart; words of a phrase must be in the same one.
  if (only !== undefined && others.length === 0 && term.isPlain && !lookup.exact) {
    const columns = maskOf(lookup.columns);
    return term.sides === 0 ? only.hits(columns) : only.beside(columns, term.sides);
  }
  const sure = lookup.scratch.take();
  const doubtful = lookup.scratch.take();
  for (const column of lookup.columns) {
    const hits = inColumn(column, words, { term, lookup });
    addBits(sure, hits.sure);
    if (hits.doubtful !== null) addBits(doubtful, hits.doubtful);
  }
  dropBits(doubtful, sure);
  return { sure, doubtful };
}

interface Context {
  readonly term: Term;
  readonly lookup: Lookup;
}

function inColumn(column: number, words: readonly WordFinder[], { term, lookup }: Context): Hits {
  const { segment, scratch, exact } = lookup;
  const none = scratch.take();
  if (exact) {
    const candidates = scratch.take();
    segment.addOfLength(candidates, Math.min(term.text.length, 0xffff), column);
    for (const word of words) keepBits(candidates, word.anywhere(maskOf([column])));
    return { sure: none, doubtful: candidates };
  }
  const withBlanks = term.isPlain
    ? []
    : term.blanks.map((unit) => entriesWithPart('piece', unit, maskOf([column]), lookup));
  if (term.isBlank) return { sure: withBlanks[0] ?? none, doubtful: null };
  // Other terms of nothing but blanks: no unit tells in which order they stand.
  const candidates = words.length === 0 ? liveOf(segment, scratch) : all(words, maskOf([column]));
  for (const bits of withBlanks) keepBits(candidates, bits);
  if (!term.isPlain) return { sure: none, doubtful: candidates };
  return phraseHits(maskOf([column]), words, { candidates, term, lookup });
}

/** Neighbours must be there as a pair, or the first of them in a word that makes no pairs. */
function phraseHits(
  column: Columns,
  words: readonly WordFinder[],
  { candidates, term, lookup }: Context & { readonly candidates: Bits },
): Hits {
  const sure = lookup.scratch.take();
  for (const [i, word] of words.entries()) {
    const { pair, pairIsAll } = term.words[i]!;
    if (pair === null) continue;
    const pairs = word.paired(column);
    if (pairIsAll) addBits(sure, pairs);
    const neighbours = word.unpaired(column);
    addBits(neighbours, pairs);
    keepBits(candidates, neighbours);
  }
  dropBits(candidates, sure);
  return { sure, doubtful: candidates };
}

function all(words: readonly WordFinder[], column: Columns): Bits {
  const [first, ...others] = words.map((word) => word.anywhere(column));
  for (const bits of others) keepBits(first!, bits);
  return first!;
}

function liveOf(segment: Segment, scratch: Scratch): Bits {
  const bits = scratch.take();
  addBits(bits, segment.live);
  return bits;
}

function maskOf(columns: readonly number[]): Columns {
  return columns.reduce((mask, column) => mask | (1 << column), 0);
}

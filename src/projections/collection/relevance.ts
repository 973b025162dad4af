import { stripMarkup } from '#blocks/strip.ts';
import { addBits, type Bits, countBits, dropBits, hasBit, newBits, setBit } from '../kernel/bits.ts';
import type { SearchColumn } from '../kernel/collection-query.ts';
import type { Hits, Searcher, TermQuery } from '../search/types.ts';
import type { KindIndex } from './kind-index.ts';
import { compareAcross, type KeptOrder } from './order.ts';
import { cutPage } from './page.ts';

export interface RelevanceQuery {
  readonly text: string;
  readonly terms: TermQuery;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** One step of relevance: the remaining entries that belong to it. `test` decides the uncertain ones. */
interface Group extends Hits {
  readonly test: (ord: number) => boolean;
}

type Grouping = (rest: Bits) => Group;

export interface RelevancePart {
  readonly found: Bits;
  readonly index: KindIndex;
  readonly search: Searcher;
}

export interface Member {
  readonly index: KindIndex;
  readonly ord: number;
}

// With more words than this, titles are compared with the whole phrase only.
const maxWords = 6;

/**
 * One page of the results of all parts, most relevant first; within a group by date, in the direction of `order`. A group is evaluated
 * only if earlier ones do not fill the page (interface behaviour, section 17).
 */
export function mostRelevant(parts: readonly RelevancePart[], query: RelevanceQuery): Member[] {
  const { offset, limit, descending } = query;
  const rests = parts.map(({ found, index, search }) => ({
    index,
    rest: found.slice(),
    groupings: groupings(query, search),
  }));
  const page: Member[] = [];
  let skip = offset;
  for (let step = 0; rests.some((part) => step < part.groupings.length); step++) {
    const wanted = skip + limit - page.length;
    const groups = rests.map(({ index, rest, groupings }) => {
      const grouping = groupings[step] ?? certain;
      return { index, rest, ...firstOf(grouping(rest), index, { wanted, descending }) };
    });
    const lists = groups.map(({ index, ords }) => membersNamed(index, ords));
    const members = joined(lists, { by: 'date', descending }).slice(0, wanted);
    page.push(...members.slice(skip));
    skip = Math.max(0, skip - members.length);
    if (page.length >= limit) break;
    for (const { rest, all } of groups) dropBits(rest, all);
  }
  return page;
}

interface Members {
  readonly ords: readonly number[];
  readonly all: Bits;
}

function firstOf(
  group: Group,
  index: KindIndex,
  { wanted, descending }: { wanted: number; descending: boolean },
): Members {
  const { sure, doubtful, test } = group;
  const candidates = sure.slice();
  if (doubtful !== null) addBits(candidates, doubtful);
  const total = countBits(candidates);
  const limit = doubtful === null ? wanted : total;
  const ordered = cutPage({ found: candidates }, index, { by: 'date', descending, offset: 0, limit, total });
  if (doubtful === null) return { ords: ordered, all: candidates };
  const all = newBits(candidates.length * 32);
  const ords: number[] = [];
  for (const ord of ordered) {
    if (ords.length === wanted) break;
    if (!hasBit(sure, ord) && !test(ord)) continue;
    ords.push(ord);
    setBit(all, ord);
  }
  return { ords, all };
}

function groupings({ text, terms }: RelevanceQuery, search: Searcher): Grouping[] {
  if (terms.exact || text === '') return [certain];
  const words = terms.include;
  const allWords: Grouping = (rest) => certain(inTitles(rest, words, search));
  if (countWords(text) === 1) return words.length === 0 ? [certain] : [allWords, certain];
  const anyWord: Grouping = (rest) => {
    const any = newBits(rest.length * 32);
    for (const word of words) addBits(any, inTitles(rest, [word], search));
    return certain(any);
  };
  const byWords = words.length > 0 && words.length <= maxWords ? [allWords, anyWord] : [];
  const sentence = sentenceOf(text);
  if (sentence === null) return [...byWords, certain];
  const phrase = (column: SearchColumn) => phraseIn(column, sentence, search);
  return [phrase('title'), ...byWords, phrase('excerpt'), phrase('content'), certain];
}

function certain(members: Bits): Group {
  return { sure: members, doubtful: null, test: () => true };
}

function inTitles(rest: Bits, include: readonly string[], search: Searcher): Bits {
  const found = rest.slice();
  search.narrow(found, { include, exclude: [], columns: ['title'], exact: false });
  return found;
}

function phraseIn(column: SearchColumn, sentence: string, search: Searcher): Grouping {
  const place = { columns: [column], exact: false };
  return (rest) => ({ ...search.look(sentence, place, rest), test: (ord) => search.holds(ord, sentence, place) });
}

export function plainSearch(text: string): string {
  const plain = text.includes('<') ? stripMarkup(text) : text;
  return plain.replace(/\s+/g, ' ').trim();
}

/** Counts the words and phrases of a search, including words too common to be searched for. */
function countWords(plain: string): number {
  return plain.match(/"[^"]*"?|[^ ",+]+/g)?.length ?? 0;
}

/** The whole search as one phrase; null if it excludes words. */
function sentenceOf(plain: string): string | null {
  return /(^| )-/.test(plain) ? null : plain;
}

export function membersNamed(index: KindIndex, ords: readonly number[]): Member[] {
  return ords.map((ord) => ({ index, ord }));
}

export function memberId({ index, ord }: Member): number {
  return index.columns.id[ord]!;
}

export function joined(
  lists: readonly (readonly Member[])[],
  { by, descending }: { readonly by: KeptOrder; readonly descending: boolean },
): readonly Member[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length < 2) return filled[0] ?? [];
  const compare = (a: Member, b: Member) => compareAcross(by, a.index.columns, b.index.columns)(a.ord, b.ord);
  return filled.flat().sort(descending ? (a, b) => compare(b, a) : compare);
}

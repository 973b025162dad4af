import { addBits, type Bits, clearBit, dropBits, hasBit, keepBits, newBits, setBit } from '../kernel/bits.ts';
import type { CollectionQuery, TaxonomyFilter } from '../kernel/collection-query.ts';
import { packTime } from './collate.ts';
import type { Facet } from './facet.ts';
import type { KindIndex } from './kind-index.ts';
import type { OrdSet } from './ord-set.ts';
import type { OrderList } from './order-list.ts';

export type IdsBySlug = (kind: string, slug: string) => readonly number[];

export interface Filtered {
  readonly index: KindIndex;
  readonly idsBySlug: IdsBySlug;
  /** Never found. */
  readonly hidden?: OrdSet;
}

/** The ords of matching entries: a set of bits, or a list if the query names a few by id or slug, so that the others do not matter. */
export type Matches = Bits | readonly number[];

/** What an entry has to meet. */
interface Condition {
  has(ord: number): boolean;
  /** Keeps in `found` only what meets the condition. */
  keepIn(found: Bits): void;
}

/** A condition that can also be excluded. */
interface Choice extends Condition {
  /** Removes from `found` what meets the condition. */
  dropFrom(found: Bits): void;
}

/** Entries that match everything but the search (interface behaviour, sections 16 and 18). */
export function filtered(query: CollectionQuery, { index, idsBySlug, hidden }: Filtered): Matches {
  const { kind, include, slugs = [] } = query;
  const idsOfSlugs = slugs.flatMap((slug) => idsBySlug(kind, slug));
  const named = [
    ...(include === undefined ? [] : [ofIds(include, index)]),
    ...(slugs.length === 0 ? [] : [ofIds(idsOfSlugs, index)]),
  ];
  const conditions = [
    ...named,
    ...ofStickiness(query, index),
    ...ofFacets(query, index),
    ...ofTimes(query, index),
    ...ofTaxonomies(query, index),
    ...(hidden === undefined ? [] : [not(hidden)]),
  ];
  const [few] = named;
  if (few !== undefined && query.search === undefined) {
    return few.ords.filter((ord) => hasStatus(ord, query, index) && conditions.every((one) => one.has(ord)));
  }
  const found = byStatus(query, index);
  for (const condition of conditions) condition.keepIn(found);
  return found;
}

/** Whether an entry is among the matches. */
export function isAmong(matches: Matches, ord: number): boolean {
  return matches instanceof Uint32Array ? hasBit(matches, ord) : matches.includes(ord);
}

/** The matches as a set of bits. */
export function asBits(matches: Matches, { columns }: KindIndex): Bits {
  if (matches instanceof Uint32Array) return matches;
  const bits = newBits(columns.end);
  for (const ord of matches) setBit(bits, ord);
  return bits;
}

function hasStatus(ord: number, { statuses }: CollectionQuery, index: KindIndex): boolean {
  return statuses.some(
    ({ status, author }) =>
      index.status.get(status)?.has(ord) === true &&
      (author === undefined || index.author.get(author)?.has(ord) === true),
  );
}

function byStatus({ statuses }: CollectionQuery, index: KindIndex): Bits {
  const found = newBits(index.columns.end);
  for (const { status, author } of statuses) {
    const set = index.status.get(status);
    if (author === undefined) set?.addTo(found);
    else if (set !== undefined) addBits(found, ownOnes(index, author, status));
  }
  return found;
}

function ownOnes(index: KindIndex, author: number, status: string): Bits {
  const own = index.author.any([author], index.columns.end);
  index.status.keepIn(status, own);
  return own;
}

function ofIds(ids: readonly number[], index: KindIndex): Choice & { readonly ords: readonly number[] } {
  const members = new Set(ids.flatMap((id) => index.ordOf(id) ?? []));
  return {
    ords: [...members],
    has: (ord) => members.has(ord),
    keepIn(found) {
      const both = [...members].filter((ord) => hasBit(found, ord));
      found.fill(0);
      for (const ord of both) setBit(found, ord);
    },
    dropFrom(found) {
      for (const ord of members) clearBit(found, ord);
    },
  };
}

function not(choice: Choice): Condition {
  return { has: (ord) => !choice.has(ord), keepIn: (found) => choice.dropFrom(found) };
}

function anyOf<K>(facet: Facet<K>, values: readonly K[]): Choice {
  return {
    has: (ord) => values.some((value) => facet.get(value)?.has(ord) === true),
    keepIn: (found) => keepBits(found, facet.any(values, found.length * 32)),
    dropFrom: (found) => dropBits(found, facet.any(values, found.length * 32)),
  };
}

/** The reference system turns sticky into a list of ids like `include` or `exclude`, hence this precedence. */
function ofStickiness({ include, exclude, sticky }: CollectionQuery, index: KindIndex): Condition[] {
  if (sticky === true) return [index.sticky];
  if (include !== undefined) return [];
  return [...(sticky === false ? [not(index.sticky)] : []), ...(exclude?.length ? [not(ofIds(exclude, index))] : [])];
}

function ofFacets(query: CollectionQuery, index: KindIndex): Condition[] {
  const { without = [], authors = [], notAuthors = [], parents = [], notParents = [], values = {}, goods } = query;
  return [
    ...(without.length > 0 ? [not(ofIds(without, index))] : []),
    ...(notAuthors.length > 0 ? [not(anyOf(index.author, notAuthors))] : []),
    ...(authors.length > 0 && notAuthors.length === 0 ? [anyOf(index.author, authors)] : []),
    ...(parents.length > 0 ? [anyOf(index.parent, parents)] : []),
    ...(notParents.length > 0 && parents.length === 0 ? [not(anyOf(index.parent, notParents))] : []),
    ...Object.entries(values).flatMap(([name, wanted]) =>
      wanted.length > 0 ? [anyOf(index.value(name), wanted)] : [],
    ),
    ...(goods === undefined ? [] : [index[goods]]),
  ];
}

function ofTimes(query: CollectionQuery, index: KindIndex): Condition[] {
  return [
    ...between(index, { order: 'date', after: query.after, before: query.before }),
    ...between(index, { order: 'modified', after: query.modifiedAfter, before: query.modifiedBefore }),
  ];
}

interface Span {
  readonly order: 'date' | 'modified';
  readonly after: string | undefined;
  readonly before: string | undefined;
}

function between(index: KindIndex, { order, after, before }: Span): Condition[] {
  if (after === undefined && before === undefined) return [];
  const times = index.columns[order];
  const start = after === undefined ? Number.NEGATIVE_INFINITY : packTime(after);
  const end = before === undefined ? Number.POSITIVE_INFINITY : packTime(before);
  const has = (ord: number) => times[ord]! > start && times[ord]! < end;
  const keepIn = (found: Bits) => {
    const { list } = index.order(order);
    const from = after === undefined ? 0 : list.rank((ord) => times[ord]! > start);
    const to = before === undefined ? list.size : list.rank((ord) => times[ord]! >= end);
    keepRanks(found, list, { from, to });
  };
  return [{ has, keepIn }];
}

function keepRanks(found: Bits, list: OrderList, { from, to }: { readonly from: number; readonly to: number }): void {
  const inside = to - from;
  const marked = newBits(found.length * 32);
  const mark = (first: number, end: number) => {
    for (const ords of list.between(first, end)) for (let i = 0; i < ords.length; i++) setBit(marked, ords[i]!);
  };
  if (inside <= list.size / 2) {
    if (inside > 0) mark(from, to);
    keepBits(found, marked);
  } else {
    if (from > 0) mark(0, from);
    if (to < list.size) mark(to, list.size);
    dropBits(found, marked);
  }
}

/** The taxonomy filters, combined by `relation` (interface behaviour, section 18). */
function ofTaxonomies({ taxonomies = [], relation }: CollectionQuery, index: KindIndex): readonly Condition[] {
  const conditions = taxonomies.filter(says).map((filter) => ofTaxonomy(filter, index));
  return relation === 'OR' && conditions.length > 0 ? [either(conditions)] : conditions;
}

function either(conditions: readonly Condition[]): Condition {
  return {
    has: (ord) => conditions.some((one) => one.has(ord)),
    keepIn(found) {
      const any = newBits(found.length * 32);
      for (const condition of conditions) {
        const fitting = found.slice();
        condition.keepIn(fitting);
        addBits(any, fitting);
      }
      found.set(any);
    },
  };
}

/** Whether a filter requires a term or format; such a list is no longer plain. */
export function asksForTerms({ taxonomies = [] }: CollectionQuery): boolean {
  return taxonomies.some((filter) => says(filter) && (filter.by === 'format' || filter.mode !== 'none'));
}

function says(filter: TaxonomyFilter): boolean {
  return filter.by === 'format' ? filter.formats.length > 0 : filter.terms.length > 0;
}

function ofTaxonomy(filter: TaxonomyFilter, index: KindIndex): Condition {
  if (filter.by === 'format') return anyOf(index.value('format'), filter.formats);
  const { mode, terms } = filter;
  if (mode === 'any') return anyOf(index.term, terms);
  if (mode === 'none') return not(anyOf(index.term, terms));
  return {
    has: (ord) => terms.every((term) => index.term.get(term)?.has(ord) === true),
    keepIn(found) {
      for (const term of terms) index.term.keepIn(term, found);
    },
  };
}

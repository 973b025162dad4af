import { addBits, type Bits, clearBit, dropBits, hasBit, keepBits, newBits, setBit } from '../kernel/bits.ts';
import type { CollectionQuery, TaxonomyFilter } from '../kernel/collection-query.ts';
import { packTime } from './collate.ts';
import type { KindIndex } from './kind-index.ts';
import type { KeptOrder } from './order.ts';

export type IdsBySlug = (kind: string, slug: string) => readonly number[];

/** Entries that match everything but the search (interface behaviour, sections 16 and 18). */
export function filtered(query: CollectionQuery, index: KindIndex, idsBySlug: IdsBySlug): Bits {
  const found = byStatus(query, index);
  keepByIds(found, query, index);
  dropIds(found, query.without ?? [], index);
  keepByAuthors(found, query, index);
  keepByParents(found, query, index);
  if (query.slugs?.length) {
    const ids = query.slugs.flatMap((slug) => idsBySlug(query.kind, slug));
    keepIds(found, ids, index);
  }
  keepByTimes(found, query, index);
  keepByValues(found, query, index);
  if (query.goods !== undefined) index[query.goods].keepIn(found);
  keepByTaxonomies(found, query, index);
  return found;
}

function byStatus({ statuses }: CollectionQuery, index: KindIndex): Bits {
  const { end } = index.columns;
  const found = newBits(end);
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

function keepByIds(found: Bits, { include, exclude, sticky }: CollectionQuery, index: KindIndex): void {
  if (include !== undefined) keepIds(found, include, index);
  // The reference system turns sticky into a list of ids like `include` or `exclude`, hence this precedence.
  if (sticky === true) index.sticky.keepIn(found);
  if (include !== undefined || sticky === true) return;
  if (sticky === false) index.sticky.dropFrom(found);
  dropIds(found, exclude ?? [], index);
}

function dropIds(found: Bits, ids: readonly number[], index: KindIndex): void {
  for (const id of ids) {
    const ord = index.ordOf(id);
    if (ord !== undefined) clearBit(found, ord);
  }
}

function keepIds(found: Bits, ids: readonly number[], index: KindIndex): void {
  const ords = ids.map((id) => index.ordOf(id)).filter((ord) => ord !== undefined && hasBit(found, ord));
  found.fill(0);
  for (const ord of ords) setBit(found, ord as number);
}

function keepByAuthors(found: Bits, { authors = [], notAuthors = [] }: CollectionQuery, index: KindIndex): void {
  if (notAuthors.length > 0) dropBits(found, index.author.any(notAuthors, index.columns.end));
  else if (authors.length > 0) keepBits(found, index.author.any(authors, index.columns.end));
}

function keepByParents(found: Bits, { parents = [], notParents = [] }: CollectionQuery, index: KindIndex): void {
  if (parents.length > 0) keepBits(found, index.parent.any(parents, index.columns.end));
  else if (notParents.length > 0) dropBits(found, index.parent.any(notParents, index.columns.end));
}

function keepByTimes(found: Bits, query: CollectionQuery, index: KindIndex): void {
  keepBetween(found, index, { order: 'date', after: query.after, before: query.before });
  keepBetween(found, index, { order: 'modified', after: query.modifiedAfter, before: query.modifiedBefore });
}

interface Span {
  readonly order: 'date' | 'modified';
  readonly after: string | undefined;
  readonly before: string | undefined;
}

function keepBetween(found: Bits, index: KindIndex, { order, after, before }: Span): void {
  if (after === undefined && before === undefined) return;
  const times = index.columns[order];
  const [start, end] = [packTime(after ?? ''), packTime(before ?? '')];
  const { list } = index.order(order);
  const from = after === undefined ? 0 : list.rank((ord) => times[ord]! > start);
  const to = before === undefined ? list.size : list.rank((ord) => times[ord]! >= end);
  keepRanks(found, index, { order, from, to });
}

function keepByValues(found: Bits, { values = {} }: CollectionQuery, index: KindIndex): void {
  for (const [name, wanted] of Object.entries(values)) {
    if (wanted.length > 0) keepBits(found, index.value(name).any(wanted, index.columns.end));
  }
}

function keepRanks(found: Bits, index: KindIndex, span: { order: KeptOrder; from: number; to: number }): void {
  const { list } = index.order(span.order);
  const inside = span.to - span.from;
  const marked = newBits(found.length * 32);
  const mark = (from: number, to: number) => {
    for (const ords of list.between(from, to)) for (let i = 0; i < ords.length; i++) setBit(marked, ords[i]!);
  };
  if (inside <= list.size / 2) {
    if (inside > 0) mark(span.from, span.to);
    keepBits(found, marked);
  } else {
    if (span.from > 0) mark(0, span.from);
    if (span.to < list.size) mark(span.to, list.size);
    dropBits(found, marked);
  }
}

/** Keeps in `found` what matches the taxonomy filters, combined by `relation` (interface behaviour, section 18). */
function keepByTaxonomies(found: Bits, query: CollectionQuery, index: KindIndex): void {
  const filters = (query.taxonomies ?? []).filter(says);
  if (filters.length === 0) return;
  if (query.relation !== 'OR') {
    for (const filter of filters) narrow(found, filter, index);
    return;
  }
  const any = newBits(found.length * 32);
  for (const filter of filters) {
    const fitting = found.slice();
    narrow(fitting, filter, index);
    addBits(any, fitting);
  }
  found.set(any);
}

/** Whether a filter requires a term or format; such a list is no longer plain. */
export function asksForTerms({ taxonomies = [] }: CollectionQuery): boolean {
  return taxonomies.some((filter) => says(filter) && (filter.by === 'format' || filter.mode !== 'none'));
}

function says(filter: TaxonomyFilter): boolean {
  return filter.by === 'format' ? filter.formats.length > 0 : filter.terms.length > 0;
}

function narrow(found: Bits, filter: TaxonomyFilter, index: KindIndex): void {
  const capacity = found.length * 32;
  if (filter.by === 'format') {
    keepBits(found, index.value('format').any(filter.formats, capacity));
    return;
  }
  const { mode, terms } = filter;
  if (mode === 'any') keepBits(found, index.term.any(terms, capacity));
  else if (mode === 'none') dropBits(found, index.term.any(terms, capacity));
  else for (const term of terms) index.term.keepIn(term, found);
}

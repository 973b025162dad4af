import { addBits, type Bits, dropBits, keepBits, newBits } from '../kernel/bits.ts';
import type { CollectionQuery, TaxonomyFilter } from '../kernel/collection-query.ts';
import type { KindIndex } from './kind-index.ts';

/** Keeps in `found` what matches the taxonomy filters, combined by `relation` (interface behaviour, section 18). */
export function keepByTaxonomies(found: Bits, query: CollectionQuery, index: KindIndex): void {
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

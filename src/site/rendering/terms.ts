import type { Taxonomy } from '#domain/term/events.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { prices } from '#text/cost.ts';
import type { Rendering } from './types.ts';

export interface Tree {
  readonly term: TermRow;
  /** Published entries with the term; with `sums` also those with a term below it. */
  readonly count: number;
  readonly below: readonly Tree[];
}

export interface TreeOptions {
  readonly isNested: boolean;
  readonly withEmpty: boolean;
  readonly onlyTop: boolean;
  readonly sums: boolean;
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

export function termIdsOf({ categories, tags }: EntryRow, taxonomy: Taxonomy): readonly number[] {
  return taxonomy === 'category' ? categories : taxonomy === 'post_tag' ? tags : [];
}

/** All terms of a taxonomy; none if sorting them would cost too much. */
export function allTermsOf(taxonomy: Taxonomy, rendering: Rendering): readonly TermRow[] {
  const terms = rendering.kept(`terms ${taxonomy}`, () => rendering.model.terms(taxonomy));
  // They are sorted each time.
  return rendering.cost.takes(terms.length * prices.term) ? terms : [];
}

/** Terms sorted by name, as a tree or a flat list. In a tree, an empty term is kept if one below it is not empty. */
export function treeOf(
  terms: readonly TermRow[],
  { isNested, withEmpty, onlyTop, sums }: TreeOptions,
): readonly Tree[] {
  const sorted = terms.toSorted((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
  const children = Map.groupBy(sorted, ({ parent }) => parent);
  const branch = (term: TermRow, depth: number): Tree => {
    const below = depth > 100 ? [] : (children.get(term.id) ?? []).map((child) => branch(child, depth + 1));
    const own = term.published + (sums ? below.reduce((sum, { count }) => sum + count, 0) : 0);
    return { term, count: own, below: below.filter(isShown) };
  };
  const isShown = ({ term, below }: Tree) => withEmpty || term.published > 0 || below.length > 0;
  if (!isNested) {
    const flat = onlyTop ? (children.get(0) ?? []) : sorted;
    const shown = flat.filter((term) => withEmpty || term.published > 0);
    return shown.map((term) => ({ term, count: term.published, below: [] }));
  }
  const roots = (children.get(0) ?? []).map((term) => branch(term, 0)).filter(isShown);
  return onlyTop ? roots.map((tree) => ({ ...tree, below: [] })) : roots;
}

import type { Taxonomy } from '#domain/term/events.ts';

/** Ids of terms by taxonomy; taxonomies without any are absent. */
export type TermIds = Readonly<Partial<Record<Taxonomy, readonly number[]>>>;

export interface Classified {
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly otherTerms: TermIds;
}

/** Shared by the many entries without terms of other taxonomies. */
export const noTerms: TermIds = Object.freeze({});

export function termsIn({ categories, tags, otherTerms }: Classified, taxonomy: Taxonomy): readonly number[] {
  if (taxonomy === 'category') return categories;
  return taxonomy === 'post_tag' ? tags : (otherTerms[taxonomy] ?? none);
}

export function allTerms({ categories, tags, otherTerms }: Classified): readonly number[] {
  return otherTerms === noTerms ? categories.concat(tags) : categories.concat(tags, ...lists(otherTerms));
}

export function withTerms(before: TermIds, taxonomy: Taxonomy, ids: readonly number[]): TermIds {
  const { [taxonomy]: _, ...others } = before;
  const after = ids.length === 0 ? others : { ...others, [taxonomy]: ids };
  return Object.keys(after).length === 0 ? noTerms : after;
}

/** Removes a term; returns the same object if the term is not included. */
export function withoutTerm(terms: TermIds, lost: number): TermIds {
  const [taxonomy, ids = none] = named(terms).find(([, all]) => all.includes(lost)) ?? [];
  if (taxonomy === undefined) return terms;
  return withTerms(
    terms,
    taxonomy,
    ids.filter((id) => id !== lost),
  );
}

export function changedTerms(before: TermIds, after: TermIds): readonly (readonly [Taxonomy, readonly number[]])[] {
  if (before === after) return [];
  const taxonomies = new Set([...named(before), ...named(after)].map(([taxonomy]) => taxonomy));
  const pairs = [...taxonomies].map((taxonomy) => [taxonomy, after[taxonomy] ?? none] as const);
  return pairs.filter(([taxonomy, ids]) => !sameIds(before[taxonomy] ?? none, ids));
}

export function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

const none: readonly number[] = [];

function named(terms: TermIds): [Taxonomy, readonly number[]][] {
  return Object.entries(terms) as [Taxonomy, readonly number[]][];
}

function lists(terms: TermIds): readonly (readonly number[])[] {
  return Object.values(terms);
}

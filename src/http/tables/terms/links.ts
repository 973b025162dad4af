import { termKinds } from '#domain/term/kinds.ts';
import { lineage } from '#projections/lineage.ts';
import type { Model } from '#projections/model.ts';
import type { TermRow } from '#projections/terms.ts';

/** Where a person finds the term's posts: below the slugs of its ancestors. */
export function termLink(row: TermRow, model: Model): string {
  const ancestors = lineage(row.id, (id) => model.term(id)?.parent ?? 0);
  const slugs = ancestors.map((id) => model.term(id)?.slug ?? '').reverse();
  return `${model.site().url}/${termKinds[row.taxonomy].title}/${slugs.join('/')}/`;
}

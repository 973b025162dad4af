import { termKinds } from '#domain/term/kinds.ts';
import { lineage } from '#projections/kernel/lineage.ts';
import type { Model } from '#projections/reading/model.ts';
import type { NamedTerm } from '#projections/terms/definition.ts';

/** The address of the page with the term's posts, below the slugs of its ancestors; a plain link for terms without a page. */
export function termLink(row: NamedTerm, model: Model): string {
  const { title, type } = termKinds[row.taxonomy];
  const { url } = model.site();
  if (!type.viewable) return `${url}/?taxonomy=${row.taxonomy}&term=${row.slug}`;
  const ancestors = lineage(row.id, (id) => model.term(id)?.parent ?? 0);
  const slugs = ancestors.map((id) => model.term(id)?.slug ?? '').reverse();
  return `${url}/${title}/${slugs.join('/')}/`;
}

import { kindOf } from '#domain/entry/kinds.ts';
import { sortKey } from '#projections/collection/collate.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { NamedTerm } from '#projections/terms/definition.ts';

/** Terms in the order in which they are shown: by name. */
export function termsByName(ids: readonly number[], model: Model): readonly NamedTerm[] {
  const terms = ids.flatMap((id) => model.namedTerm(id) ?? []);
  if (terms.length < 2) return terms;
  const keyed = terms.map((term) => ({ term, key: sortKey(term.name) }));
  return keyed.sort((a, b) => compare(a.key, b.key) || a.term.id - b.term.id).map(({ term }) => term);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Class names of the element that shows the entry (interface behaviour, section 6). */
export function classList(row: EntryRow, model: Model): readonly string[] {
  const { features } = kindOf(row.kind);
  const styled = features.has('format');
  const classes = [`post-${row.id}`, row.kind, `type-${row.kind}`, `status-${row.status}`];
  if (styled) classes.push(`format-${row.format}`);
  if (row.password !== '') classes.push('post-password-required');
  else if (row.featuredMedia !== 0) classes.push('has-post-thumbnail');
  classes.push('hentry');
  for (const term of termsByName(row.categories, model)) classes.push(`category-${className(term)}`);
  for (const term of termsByName(row.tags, model)) classes.push(`tag-${className(term)}`);
  if (styled && row.format !== 'standard') classes.push(`post_format-post-format-${row.format}`);
  return classes;
}

// Class names cannot contain percent escapes. The id replaces a slug that is empty or a number without them.
function className(term: NamedTerm): string {
  const name = term.slug.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '');
  return /^\d*$/.test(name) || /^-+$/.test(name) ? String(term.id) : name;
}

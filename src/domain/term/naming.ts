import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { freeNumberedSlug, slugify, slugLimit } from '#text/slug.ts';
import type { TermFacts } from './commands.ts';
import { termKinds } from './kinds.ts';
import type { Term } from './state.ts';

export type Nameless = Omit<Term, 'slug'>;

/** A given slug, normalised; '' if it is to be derived from the name. A single zero counts as empty. */
export function givenSlug(slug: string | undefined): string {
  const given = slug === undefined ? '' : slugify(slug);
  return given === '0' ? '' : given;
}

export function newTermSlug(term: Nameless, given: string, facts: TermFacts): string {
  return uniqueSlug(term, given || slugFromName(term), facts);
}

/**
 * The slug of a changed term. A slug that another term has is made unique if it was not requested or if the term also gets another parent;
 * otherwise it is refused.
 */
export function changedTermSlug(
  { before, after, sent }: { readonly before: Term; readonly after: Nameless; readonly sent: string | undefined },
  facts: TermFacts,
): string | Refusal {
  const given = sent === undefined ? before.slug : givenSlug(sent);
  const slug = given || slugFromName(after);
  const owner = facts.termBySlug(slug);
  if (owner === undefined || owner.id === before.id) return slug;
  if (given === '' || after.parent !== before.parent) return uniqueSlug(after, slug, facts);
  return refuse('duplicate_term_slug', `The slug "${slug}" is already in use by another term.`);
}

export function slugFromName({ name, id }: Nameless): string {
  return slugify(name) || String(id);
}

/** The slug itself if it is free in its taxonomy; otherwise followed by as many ancestors' slugs as needed; otherwise numbered. */
function uniqueSlug(term: Nameless, slug: string, facts: TermFacts): string {
  if (facts.termBySlug(slug) === undefined) return slug;
  const base = termKinds[term.taxonomy].hierarchical ? withAncestors(term, slug, facts) : slug;
  if (!facts.slugTaken(base, term.id)) return base;
  return freeNumberedSlug({
    base,
    isTaken: (name) => facts.slugTaken(name, term.id),
    endings: (stem) => facts.slugEndings(stem, term.id),
  });
}

function withAncestors({ id, parent }: Nameless, slug: string, facts: TermFacts): string {
  let base = slug;
  for (let above = facts.term(parent); above !== undefined; above = facts.term(above.parent)) {
    const longer = `${base}-${above.slug}`;
    if (longer.length > slugLimit) break;
    base = longer;
    if (!facts.slugTaken(base, id)) break;
  }
  return base;
}

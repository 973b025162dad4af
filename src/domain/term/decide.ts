import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TermFacts, TermFields } from './commands.ts';
import type { TermEvent } from './events.ts';
import { menu, type TermKind, termKinds } from './kinds.ts';
import { changeMenu, createMenu } from './menus.ts';
import { changedTermSlug, givenSlug, type Nameless, newTermSlug, slugFromName } from './naming.ts';
import type { Term } from './state.ts';
import { planName } from './text.ts';

export function createTerm(kind: TermKind, fields: TermFields, facts: TermFacts): readonly TermEvent[] | Refusal {
  const parent = planParent(kind, null, fields, facts);
  if (isRefusal(parent)) return parent;
  if (kind === menu) return createMenu(fields, facts);
  const name = planName(fields.name ?? '');
  if (isRefusal(name)) return name;
  const term = { id: facts.nextTerm, taxonomy: kind.name, name, description: fields.description ?? '', parent };
  const given = givenSlug(fields.slug);
  const twin = kind.hierarchical ? duplicateSibling(term, given, facts) : twinTag(term, given, facts);
  if (twin !== null) return exists(kind, twin.id);
  return [{ type: 'TermCreated', data: { ...term, slug: newTermSlug(term, given, facts) } }];
}

/** Changes the given fields; no events if nothing differs. */
export function changeTerm(term: Term, fields: TermFields, facts: TermFacts): readonly TermEvent[] | Refusal {
  const { id, taxonomy } = term;
  const parent = planParent(termKinds[taxonomy], term, fields, facts);
  if (isRefusal(parent)) return parent;
  if (taxonomy === menu.name) return changeMenu(term, fields, facts);
  const name = planName(fields.name ?? term.name);
  if (isRefusal(name)) return name;
  const after = { id, taxonomy, name, description: fields.description ?? term.description, parent };
  const slug = changedTermSlug({ before: term, after, sent: fields.slug }, facts);
  if (isRefusal(slug)) return slug;
  const changed = changedFields(term, { ...after, slug });
  return changed === null ? [] : [{ type: 'TermChanged', data: { id, taxonomy, ...changed } }];
}

/** Deletes a term. Its children pass to its parent, posts left without a category to the default one. */
export function deleteTerm(
  { id, taxonomy, parent }: Term,
  { defaultCategory, heir }: Pick<TermFacts, 'defaultCategory' | 'heir'>,
): readonly TermEvent[] | Refusal {
  if (id === defaultCategory) return refuse('rest_cannot_delete', 'The default category cannot be deleted.');
  return [{ type: 'TermDeleted', data: { id, taxonomy, parent, heir: taxonomy === 'category' ? heir : 0 } }];
}

/** A parent that would create a cycle counts as none. */
function planParent(kind: TermKind, before: Term | null, { parent }: TermFields, facts: TermFacts): number | Refusal {
  if (parent === undefined) return before?.parent ?? 0;
  if (!kind.hierarchical) {
    return refuse('rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.');
  }
  if (parent === 0) return 0;
  if (facts.term(parent) === undefined) {
    return { ...refuse('rest_term_invalid', 'Parent term does not exist.'), about: 'input' };
  }
  return before !== null && isBelow(parent, before.id, facts) ? 0 : parent;
}

function isBelow(id: number, ancestor: number, facts: TermFacts): boolean {
  const seen = new Set<number>();
  for (let at = id; at !== 0 && !seen.has(at); at = facts.term(at)?.parent ?? 0) {
    if (at === ancestor) return true;
    seen.add(at);
  }
  return false;
}

/**
 * The sibling that a new category would duplicate. The same name is allowed with a different slug, and another spelling of the name if it
 * results in a different slug.
 */
function duplicateSibling(term: Nameless, given: string, facts: TermFacts): Term | null {
  const namesakes = facts.termsNamed(term.name).filter(({ parent }) => parent === term.parent);
  const [first] = namesakes;
  if (first === undefined) return null;
  const slug = given || slugFromName(term);
  const alike = namesakes.some(({ name }) => name === term.name);
  if (alike && (given === '' || first.slug === slug)) return first;
  const owner = facts.termBySlug(slug);
  return owner?.parent === term.parent ? owner : null;
}

function twinTag(term: Nameless, given: string, facts: TermFacts): Term | null {
  const [namesake] = facts.termsNamed(term.name);
  if (namesake === undefined) return null;
  return given === '' || facts.termBySlug(given) !== undefined ? namesake : null;
}

/** Clients that get this refusal can use the existing term: its id is in the data. */
function exists(kind: TermKind, id: number): Refusal {
  const where = kind.hierarchical ? 'with this parent' : 'in this taxonomy';
  const refusal = refuse('term_exists', `A term with the name provided already exists ${where}.`, { term_id: id });
  return { ...refusal, extra: { additional_data: [id, id] } };
}

/** The fields of a term that differ; null: none. */
export function changedFields(before: Term, after: Term): Partial<Omit<Term, 'id' | 'taxonomy'>> | null {
  const changed = (['name', 'slug', 'description', 'parent'] as const).filter((name) => before[name] !== after[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, after[name]]));
}

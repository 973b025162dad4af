import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { TermFacts, TermFields } from '#domain/term/commands.ts';
import * as decide from '#domain/term/decide.ts';
import { type Taxonomy, type TermEvent, taxonomies } from '#domain/term/events.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import { displaceMenu } from '#domain/term/menus.ts';
import { type Term, termStream } from '#domain/term/state.ts';
import { terms } from '#projections/terms/definition.ts';
import type { Session } from './session.ts';
import { defaultCategory } from './settings.ts';

/** Creates a term. Returns its id. */
export function createTerm(session: Session, kind: TermKind, fields: TermFields): number | Refusal {
  const facts = factsFor(session, kind.name);
  const refusal = stage(session, facts.nextTerm, decide.createTerm(kind, fields, facts));
  if (refusal !== null) return refusal;
  displaceMenus(session, facts.nextTerm, fields);
  return facts.nextTerm;
}

export function changeTerm(session: Session, id: number, fields: TermFields): Refusal | null {
  const term = load(session, id);
  const refusal = stage(session, id, decide.changeTerm(term, fields, factsFor(session, term.taxonomy)));
  if (refusal === null) displaceMenus(session, id, fields);
  return refusal;
}

function displaceMenus(session: Session, id: number, { locations = [] }: TermFields): void {
  if (locations.length === 0) return;
  for (const menu of session.terms('nav_menu')) {
    if (menu.id !== id) session.stage(termStream(menu.id), displaceMenu(menu, locations));
  }
}

export function deleteTerm(session: Session, id: number): Refusal | null {
  const term = load(session, id);
  return stage(session, id, decide.deleteTerm(term, factsFor(session, term.taxonomy)));
}

function stage(session: Session, id: number, events: readonly TermEvent[] | Refusal): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(termStream(id), events);
  return null;
}

function load(session: Session, id: number): Term {
  const term = session.term(id);
  if (term === undefined) throw new Error(`there is no term ${id}`);
  return term;
}

function factsFor(session: Session, taxonomy: Taxonomy): TermFacts {
  return {
    nextTerm: session.next.nextTerm,
    defaultCategory: session.site().defaultCategory,
    heir: defaultCategory(session),
    term(id) {
      const term = session.term(id);
      return term?.taxonomy === taxonomy ? term : undefined;
    },
    termBySlug: (slug) => session.termBySlug(taxonomy, slug),
    termsNamed: (name) => session.of(terms).named(taxonomy, name),
    slugEndings: (stem, except) => session.termEndings(stem, except),
    slugTaken: (slug, except) => taxonomies.some((each) => (session.termBySlug(each, slug)?.id ?? except) !== except),
  };
}

import { expect } from 'vitest';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { TermFacts, TermFields } from '#domain/term/commands.ts';
import { changeTerm, createTerm, deleteTerm } from '#domain/term/decide.ts';
import type { Taxonomy, TermEvent } from '#domain/term/events.ts';
import { category, type TermKind } from '#domain/term/kinds.ts';
import { evolveTerm, type Term } from '#domain/term/state.ts';

/** The category that every site has. */
export const uncategorized: TermEvent = {
  type: 'TermCreated',
  data: { id: 1, taxonomy: 'category', name: 'Uncategorized', slug: 'uncategorized', description: '', parent: 0 },
};

/** All terms of a site, by id. */
export type Terms = ReadonlyMap<number, Term>;

export function termsAfter(events: readonly TermEvent[], before: Terms = new Map()): Terms {
  const terms = new Map(before);
  for (const event of events) {
    const { id } = event.data;
    const term = evolveTerm(terms.get(id) ?? null, event);
    if (term !== null) terms.set(id, term);
    else if (event.type === 'TermDeleted') {
      const { parent } = event.data;
      terms.delete(id);
      for (const child of terms.values()) if (child.parent === id) terms.set(child.id, { ...child, parent });
    }
  }
  return terms;
}

export function factsOf(terms: Terms, taxonomy: Taxonomy): TermFacts {
  const all = [...terms.values()];
  const own = all.filter((term) => term.taxonomy === taxonomy);
  return {
    nextTerm: Math.max(0, ...terms.keys()) + 1,
    defaultCategory: 1,
    heir: 1,
    term: (id) => own.find((term) => term.id === id),
    termBySlug: (slug) => own.find((term) => term.slug === slug),
    termsNamed: (name) => own.filter((term) => lower(term.name) === lower(name)),
    slugEndings: () => [],
    slugTaken: (slug, except) => all.some((term) => term.slug === slug && term.id !== except),
  };
}

/** given(events).when… for terms; ids are assigned from 2. */
export function given(...history: readonly TermEvent[]) {
  const terms = termsAfter([uncategorized, ...history]);
  const decided = (events: readonly TermEvent[] | Refusal, id: number) => outcome(events, { terms, id });
  const known = (id: number): Term => terms.get(id) as Term;
  return {
    created(fields: TermFields, kind: TermKind = category) {
      const facts = factsOf(terms, kind.name);
      return decided(createTerm(kind, fields, facts), facts.nextTerm);
    },
    changed: (id: number, fields: TermFields) =>
      decided(changeTerm(known(id), fields, factsOf(terms, known(id).taxonomy)), id),
    deleted: (id: number) => decided(deleteTerm(known(id), { defaultCategory: 1, heir: 1 }), id),
  };
}

/** Events that create terms one after the other, as history for a test. */
export function made(...fields: readonly (TermFields & { kind?: TermKind })[]): readonly TermEvent[] {
  const history: TermEvent[] = [];
  for (const { kind = category, ...each } of fields) {
    history.push(
      ...given(...history)
        .created(each, kind)
        .events(),
    );
  }
  return history;
}

function outcome(decision: readonly TermEvent[] | Refusal, { terms, id }: { terms: Terms; id: number }) {
  return {
    events(): readonly TermEvent[] {
      if (isRefusal(decision)) throw new Error(`refused: ${decision.code}`);
      return decision;
    },
    /** The term afterwards. */
    term(): Term | undefined {
      return termsAfter(this.events(), terms).get(id);
    },
    refusal(): Refusal | null {
      return isRefusal(decision) ? decision : null;
    },
    refused(code: string): void {
      expect(isRefusal(decision) ? decision.code : decision).toBe(code);
    },
  };
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { TermFields } from '#domain/term/commands.ts';
import { changeTerm, createTerm, deleteTerm } from '#domain/term/decide.ts';
import { category, tag, termKinds } from '#domain/term/kinds.ts';
import { factsOf, type Terms, termsAfter, uncategorized } from './term-support.ts';

type Act =
  | { readonly do: 'create'; readonly tag: boolean; readonly fields: TermFields }
  | { readonly do: 'change'; readonly at: number; readonly fields: TermFields }
  | { readonly do: 'delete'; readonly at: number };

// Few names, so that they collide.
const text = fc.constantFrom('a', 'A', 'a-2', 'ä', 'b', '!!!', '2', '');
const fields = fc.record({ name: text, slug: text, parent: fc.nat(6) }, { requiredKeys: ['name'] });
const at = fc.nat(20);
const acts = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('create' as const), tag: fc.boolean(), fields }),
    fc.record({ do: fc.constant('change' as const), at, fields }),
    fc.record({ do: fc.constant('delete' as const), at }),
  ),
  { maxLength: 25 },
);

describe('any sequence of changes to terms', () => {
  it('keeps slugs unique within a taxonomy and never empty', () =>
    fc.assert(
      fc.property(acts, (done) => {
        const terms = [...siteAfter(done).values()];
        const slugs = terms.map(({ taxonomy, slug }) => `${taxonomy} ${slug}`);
        expect(new Set(slugs).size).toBe(slugs.length);
        expect(terms.every(({ slug, name }) => slug !== '' && name !== '')).toBe(true);
      }),
    ));

  it('keeps the default category, and terms without cycles', () =>
    fc.assert(
      fc.property(acts, (done) => {
        const terms = siteAfter(done);
        expect(terms.has(1)).toBe(true);
        for (const { id } of terms.values()) expect(isRooted(id, terms)).toBe(true);
      }),
    ));

  it('appends nothing when a command is repeated', () =>
    fc.assert(
      fc.property(acts, fc.record({ at, fields }), (done, { at: place, fields: again }) => {
        const terms = siteAfter(done);
        const first = decide(terms, { do: 'change', at: place, fields: again });
        const then = termsAfter(first, terms);
        expect(decide(then, { do: 'change', at: place, fields: again })).toEqual([]);
      }),
    ));
});

function siteAfter(done: readonly Act[]): Terms {
  return done.reduce((terms, act) => termsAfter(decide(terms, act), terms), termsAfter([uncategorized]));
}

/** The events of an act; none when it is refused. */
function decide(terms: Terms, act: Act) {
  const decision = decisionOf(terms, act);
  return isRefusal(decision) ? [] : decision;
}

function decisionOf(terms: Terms, act: Act) {
  if (act.do === 'create') {
    const kind = act.tag ? tag : category;
    return createTerm(kind, usable(act.fields, kind.hierarchical), factsOf(terms, kind.name));
  }
  const all = [...terms.values()];
  const term = all[act.at % all.length];
  if (term === undefined) return [];
  const facts = factsOf(terms, term.taxonomy);
  if (act.do === 'delete') return deleteTerm(term, facts);
  return changeTerm(term, usable(act.fields, termKinds[term.taxonomy].hierarchical), facts);
}

function usable({ parent, ...rest }: TermFields, hierarchical: boolean): TermFields {
  return hierarchical && parent !== undefined ? { ...rest, parent } : rest;
}

function isRooted(id: number, terms: Terms): boolean {
  let at = id;
  for (let steps = 0; steps <= terms.size; steps++) {
    if (at === 0) return true;
    const term = terms.get(at);
    if (term === undefined) return false;
    at = term.parent;
  }
  return false;
}

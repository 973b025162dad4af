import type { Taxonomy, TermEvent } from './events.ts';

/** A category or tag. */
export interface Term {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
}

/** The stream of a term. */
export const termStream = (id: number): string => `term-${id}`;

export function evolveTerm(term: Term | null, event: TermEvent): Term | null {
  if (event.type === 'TermDeleted') return null;
  if (event.type === 'TermCreated') return event.data;
  return term && { ...term, ...event.data };
}

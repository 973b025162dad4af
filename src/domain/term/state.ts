import type { Taxonomy, TermEvent } from './events.ts';

export interface MenuSettings {
  readonly locations: readonly string[];
  /** Whether new top-level pages are added to the menu when published. */
  readonly autoAdd: boolean;
}

export interface Term {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
  readonly menu?: MenuSettings;
}

export const termStream = (id: number): string => `term-${id}`;

export function evolveTerm(term: Term | null, event: TermEvent): Term | null {
  if (event.type === 'TermDeleted') return null;
  if (event.type === 'TermCreated') {
    const { again: _, ...created } = event.data;
    return created;
  }
  if (event.type === 'MenuChanged') return term && { ...term, menu: afterChange(term.menu, event.data) };
  return term && { ...term, ...event.data };
}

/** Applies a change to the settings of a menu. Members keep a fixed order, so that equal settings serialise equally. */
function afterChange(before: MenuSettings | undefined, change: Partial<MenuSettings>): MenuSettings {
  const { locations = before?.locations ?? [], autoAdd = before?.autoAdd ?? false } = change;
  return { locations, autoAdd };
}

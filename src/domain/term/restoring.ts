import type { Fields } from '#domain/undo/inverse.ts';
import { changedFields } from './decide.ts';
import type { TermEvent } from './events.ts';
import { menuSettingsOf, settingEvents } from './menus.ts';
import type { Term } from './state.ts';

const single = ['name', 'slug', 'description', 'parent'] as const;

/** A term as the fields that an undo gives back. */
export function fieldsOfTerm(term: Term): Fields<Term> {
  const fields = Object.fromEntries(single.map((name) => [name, { [name]: term[name] }]));
  return term.taxonomy === 'nav_menu' ? { ...fields, menu: { menu: menuSettingsOf(term) } } : fields;
}

/** Makes a term what it was; `now` null: it was deleted, and comes back. */
export function restoreTerm(now: Term | null, then: Term): readonly TermEvent[] {
  const { id, taxonomy, name, slug, description, parent } = then;
  if (now === null) {
    const data = { id, taxonomy, name, slug, description, parent, again: true as const };
    return [{ type: 'TermCreated', data }, ...settingEvents(id, {}, menuSettingsOf(then))];
  }
  const changed = changedFields(now, then);
  const events: readonly TermEvent[] =
    changed === null ? [] : [{ type: 'TermChanged', data: { id, taxonomy, ...changed } }];
  return [...events, ...settingEvents(id, now, menuSettingsOf(then))];
}

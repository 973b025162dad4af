import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TermFacts, TermFields } from './commands.ts';
import type { TermEvent } from './events.ts';
import { changedTermSlug, newTermSlug } from './naming.ts';
import type { MenuSettings, Term } from './state.ts';
import { planName } from './text.ts';

const taxonomy = 'nav_menu';
const nothingSaid: MenuSettings = { locations: [], autoAdd: false };

export function createMenu(fields: TermFields, facts: TermFacts): readonly TermEvent[] | Refusal {
  const name = planMenuName(fields.name ?? '', 0, facts);
  if (isRefusal(name)) return name;
  const { nextTerm: id } = facts;
  const term = { id, taxonomy, name, description: fields.description ?? '', parent: 0 } as const;
  return [
    { type: 'TermCreated', data: { ...term, slug: newTermSlug(term, '', facts) } },
    ...settingEvents(id, {}, fields),
  ];
}

/** Changes the given fields of a menu; a new name also changes the slug. */
export function changeMenu(menu: Term, fields: TermFields, facts: TermFacts): readonly TermEvent[] | Refusal {
  const name = planMenuName(fields.name ?? menu.name, menu.id, facts);
  if (isRefusal(name)) return name;
  const after = { ...menu, name, description: fields.description ?? menu.description };
  const slug = name === menu.name ? menu.slug : changedTermSlug({ before: menu, after, sent: '' }, facts);
  if (isRefusal(slug)) return slug;
  const changed = {
    ...(name === menu.name ? {} : { name }),
    ...(slug === menu.slug ? {} : { slug }),
    ...(after.description === menu.description ? {} : { description: after.description }),
  };
  const texts: TermEvent[] =
    Object.keys(changed).length === 0 ? [] : [{ type: 'TermChanged', data: { id: menu.id, taxonomy, ...changed } }];
  return [...texts, ...settingEvents(menu.id, menu, fields)];
}

/** Removes locations from a menu because another menu takes them; no events if it has none of them. */
export function displaceMenu(menu: Term, taken: readonly string[]): readonly TermEvent[] {
  const { locations } = menuSettingsOf(menu);
  return settingEvents(menu.id, menu, { locations: locations.filter((name) => !taken.includes(name)) });
}

export function menuSettingsOf({ menu }: Pick<Term, 'menu'>): MenuSettings {
  return menu ?? nothingSaid;
}

/** The events that give a menu settings; none if nothing differs. */
export function settingEvents(
  id: number,
  before: Pick<Term, 'menu'>,
  fields: Partial<MenuSettings>,
): readonly TermEvent[] {
  const now = menuSettingsOf(before);
  const { locations = now.locations, autoAdd = now.autoAdd } = fields;
  const places = [...new Set(locations)].sort();
  const changed = {
    ...(places.join() === now.locations.join() ? {} : { locations: places }),
    ...(autoAdd === now.autoAdd ? {} : { autoAdd }),
  };
  return Object.keys(changed).length === 0 ? [] : [{ type: 'MenuChanged', data: { id, taxonomy, ...changed } }];
}

function planMenuName(sent: string, own: number, facts: TermFacts): string | Refusal {
  const name = planName(sent);
  if (isRefusal(name)) return name;
  const other = facts.termsNamed(name).find(({ id }) => id !== own);
  if (other === undefined) return name;
  const refusal = refuse('menu_exists', 'The menu name conflicts with another menu name. Please try another.', {
    term_id: other.id,
  });
  return { ...refusal, extra: { additional_data: [other.id] } };
}

import { menu } from '#domain/term/kinds.ts';
import { menuSettingsOf } from '#domain/term/menus.ts';
import type { Term } from '#domain/term/state.ts';
import type { Model } from '#projections/reading/model.ts';

export interface MenuPlace {
  readonly name: string;
  readonly description: string;
}

export function menuPlaces(model: Model): readonly MenuPlace[] {
  return model.site().menuLocations.map((place) => {
    const [name = '', ...description] = place.split('=');
    return { name, description: description.join('=') };
  });
}

/** Id of the menu in a location; 0: none. */
export function menuIn({ name }: MenuPlace, model: Model): number {
  return model.terms(menu.name).find((term) => menuSettingsOf(term).locations.includes(name))?.id ?? 0;
}

export function placesOf(menu: Pick<Term, 'menu'>, model: Model): readonly string[] {
  const known = menuPlaces(model).map(({ name }) => name);
  return menuSettingsOf(menu).locations.filter((name) => known.includes(name));
}

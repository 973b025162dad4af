import { settingsOf } from '#domain/term/menus.ts';
import type { Term } from '#domain/term/state.ts';
import type { Model } from '#projections/model.ts';

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

export function placesOf(menu: Pick<Term, 'menu'>, model: Model): readonly string[] {
  const known = menuPlaces(model).map(({ name }) => name);
  return settingsOf(menu).locations.filter((name) => known.includes(name));
}

import { settingsOf } from '#domain/term/menus.ts';
import type { Term } from '#domain/term/state.ts';
import type { Model } from '#projections/model.ts';

/** A place of the theme that a menu can be shown in. */
export interface MenuPlace {
  readonly name: string;
  readonly description: string;
}

/** The places that there are, in the order in which the operator named them. */
export function menuPlaces(model: Model): readonly MenuPlace[] {
  return model.site().menuLocations.map((place) => {
    const [name = '', ...description] = place.split('=');
    return { name, description: description.join('=') };
  });
}

/** Names of the places that a menu is in. One that the operator has taken away since is none. */
export function placesOf(menu: Pick<Term, 'menu'>, model: Model): readonly string[] {
  const known = menuPlaces(model).map(({ name }) => name);
  return settingsOf(menu).locations.filter((name) => known.includes(name));
}

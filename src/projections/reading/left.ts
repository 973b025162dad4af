import type { Endings } from '../kernel/endings.ts';

/** Maximum number of places that were left, of which each is looked at. */
const most = 50;

/** Where commits begin with which something left a place with one of some slugs, newest first; none after `last`. */
export function leftPlaces(
  tables: readonly { readonly left: Endings }[],
  slugs: readonly string[],
  last: number,
): readonly number[] {
  const about = { last, limit: most };
  const all = new Set(slugs.flatMap((slug) => tables.flatMap(({ left }) => left.of(slug, about))));
  return [...all].sort((a, b) => b - a).slice(0, most);
}

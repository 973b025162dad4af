import type { Model } from '#projections/reading/model.ts';
import { type Place, placeAt, placeByUrl, placeInQuery } from '../addresses/place.ts';
import { type Item, itemOf } from './item.ts';

export function itemAt(path: string, model: Model): Item | undefined {
  return found(placeAt(path, model), model);
}

/** The item named by a plain link (`?p=12`); null if the query is not one. */
export function itemInQuery(query: string, model: Model): Item | undefined | null {
  const place = placeInQuery(query, model);
  return place === null ? null : found(place, model);
}

export function itemByUrl(address: string, model: Model): Item | undefined {
  return found(placeByUrl(address, model), model);
}

function found(place: Place | undefined, model: Model): Item | undefined {
  return place && itemOf(place, model);
}

import { isNumber } from '#blocks/attributes.ts';
import type { JsonValue } from '#blocks/ordered-json.ts';
import type { LocalTime } from '#domain/time/local.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery, OrderBy } from '#projections/kernel/collection-query.ts';
import type { Rendering } from './types.ts';

/** Maximum entries in a list. */
export const longestList = 100;

const orders: ReadonlyMap<string | undefined, OrderBy> = new Map([
  ...(['date', 'modified', 'title', 'author', 'parent', 'id', 'menu_order'] as const).map(
    (name) => [name, name] as const,
  ),
  ['name', 'slug'],
  ['ID', 'id'],
]);

/** The order that a block names; by date if it names an unknown one. */
export function orderBy(name: string | undefined): OrderBy {
  return orders.get(name) ?? 'date';
}

export function orderOf(name: string | undefined): 'asc' | 'desc' {
  return name?.toLowerCase() === 'asc' ? 'asc' : 'desc';
}

export function publishedIn(kind: string, limit: number, before?: LocalTime): CollectionQuery {
  return {
    kind,
    statuses: [{ status: 'publish' }],
    orderBy: 'date',
    order: 'desc',
    offset: 0,
    limit,
    ...(before === undefined ? {} : { before }),
  };
}

export function rowsOf(query: CollectionQuery, rendering: Rendering): readonly EntryRow[] {
  return rendering.found(query).ids.flatMap((id) => rendering.model.entry(id) ?? []);
}

export function idsIn(value: JsonValue | undefined): readonly number[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.flatMap((item) => idIn(item) ?? []);
}

/** A positive whole number, also one written as text. */
export function idIn(value: JsonValue | undefined): number | undefined {
  const text = isNumber(value) ? value.number : typeof value === 'string' ? value : '';
  const id = Math.trunc(Number(text.trim() === '' ? Number.NaN : text));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

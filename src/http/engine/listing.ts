import { idFrom } from './ids.ts';
import { pagingHeaders } from './paging.ts';
import type { Call } from './types.ts';

/** For lists that are short enough to be sorted in memory: terms and users. */

export interface Ordering<T> {
  readonly key: (row: T) => number | string;
  readonly descending: boolean;
}

/** Sorts rows by a key, and by id if it is equal. */
export function ordered<T extends { readonly id: number }>(
  rows: readonly T[],
  { key, descending }: Ordering<T>,
): readonly T[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.row.id - b.row.id))
    .map(({ row }) => row);
}

export interface Listing {
  readonly url: string;
  readonly prefix: string;
  /** Whether the collection accepts an `offset` in place of a page. */
  readonly offsets: boolean;
}

export function pageOf<M, T>(
  call: Call<M>,
  rows: readonly T[],
  { url, offsets, prefix }: Listing,
): { readonly rows: readonly T[]; readonly headers: Record<string, string> } {
  const perPage = Number(call.params['per_page']);
  const offset = offsets ? Math.abs(idFrom(call.params['offset'])) : 0;
  const start = offset === 0 ? (Number(call.params['page']) - 1) * perPage : offset;
  const total = rows.length;
  const place = { url, prefix, total, page: Math.ceil(start / perPage + 1), pages: Math.ceil(total / perPage) };
  return { rows: rows.slice(start, start + perPage), headers: pagingHeaders(call, place) };
}

/** A list parameter that filters; undefined if it is absent or empty. */
export function listIn<T>({ params }: Pick<Call<unknown>, 'params'>, name: string): readonly T[] | undefined {
  const list = params[name];
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

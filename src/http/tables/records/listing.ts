import { isRecord, isScalar } from '#text/shapes.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';

/** Pages of collections. Lists of terms and users are short enough to be sorted in memory. */

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

/**
 * Headers of one page of a collection: totals, and links to the previous and next page. The links repeat the query as parsed: lists
 * as `name[0]=…`, true as `1`, false and empty texts as a bare name. `prefix`: that of the interface's own headers.
 */
export function pagingHeaders<M>(
  { query, params }: Pick<Call<M>, 'query' | 'params'>,
  {
    url,
    page,
    total,
    pages,
    prefix,
    unbounded = false,
  }: {
    readonly url: string;
    readonly page: number;
    readonly total: number;
    readonly pages: number;
    readonly prefix: string;
    /** Beyond the last page, `prev` is the preceding number rather than the last page. */
    readonly unbounded?: boolean;
  },
): Record<string, string> {
  const totals = { [`${prefix}-Total`]: String(total), [`${prefix}-TotalPages`]: String(pages) };
  if (page <= 1 && page >= pages) return totals;
  const address = `<${url}?${queryText({ query, params })}page=`;
  const links: string[] = [];
  if (page > 1) links.push(`${address}${unbounded ? page - 1 : Math.min(page - 1, pages)}>; rel="prev"`);
  if (page < pages) links.push(`${address}${page + 1}>; rel="next"`);
  return { ...totals, Link: links.join(', ') };
}

/** All parameters but the page, each followed by `&`. */
export function queryText<M>({ query, params }: Pick<Call<M>, 'query' | 'params'>): string {
  const out: string[] = [];
  for (const name in query) if (name !== 'page') write(out, formEncode(name), params[name] ?? query[name]);
  return out.length === 0 ? '' : `${out.join('&')}&`;
}

function write(out: string[], name: string, value: unknown): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) write(out, `${name}%5B${index}%5D`, item);
  else if (isRecord(value))
    for (const [key, member] of Object.entries(value)) write(out, `${name}%5B${formEncode(key)}%5D`, member);
  else if (isScalar(value))
    out.push(value === false || value === '' ? name : `${name}=${formEncode(value === true ? '1' : String(value))}`);
}

const OTHERS = /[^\w.-]/;
const percent = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

/** Form encoding that leaves only letters, digits, `-`, `_` and `.` as they are. */
function formEncode(text: string): string {
  if (!OTHERS.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*~]/g, percent)
    .replaceAll('%20', '+');
}

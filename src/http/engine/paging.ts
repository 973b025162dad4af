import { isRecord, isScalar } from '#text/shapes.ts';
import type { Call } from './types.ts';

/**
 * Headers of one page of a collection: totals, and links to the previous and next page. The links repeat the query as parsed: lists
 * as `name[0]=…`, true as `1`, false and empty texts as a bare name. `prefix`: that of the interface's own headers.
 */
export function pagingHeaders<M>(
  { query, params }: Call<M>,
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
function queryText<M>({ query, params }: Pick<Call<M>, 'query' | 'params'>): string {
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

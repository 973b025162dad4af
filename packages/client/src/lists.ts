import { CmsError } from './errors.ts';
import type { CmsAnswer } from './types.ts';

/** Parameters by name. */
export type Query = Readonly<Record<string, unknown>>;
/** Reads a list with these parameters, or with those of an address. */
export type ReadList = (query: Query | URLSearchParams) => Promise<CmsAnswer<unknown>>;

/** Most items of a page. */
const MOST = 100;

/** The pages of a list, one after the other, as `Link` names them. */
export async function* pagesOf(read: ReadList, query: Query): AsyncGenerator<CmsAnswer<unknown>> {
  let answer: CmsAnswer<unknown> | null = await read(query);
  while (answer !== null) {
    yield answer;
    const links: string[] = answer.headers.get('Link')?.split(', ') ?? [];
    const next = links.find((link) => link.endsWith('; rel="next"'));
    if (next === undefined) return;
    // Only its parameters: the site may be reached by another address than its own, and credentials go nowhere else.
    const { searchParams } = new URL(next.slice(1, next.indexOf('>')), 'http://site.invalid');
    answer = await read(searchParams).catch(emptyBeyond);
  }
}

/**
 * The items of a list in the order of their ids. Each one that is in the list all the while comes exactly once, whatever others
 * write: each page has an item of the one before, and one that has none begins too late. Pages from which the site leaves items out do
 * not tell.
 */
export async function* itemsById(read: ReadList, query: Query): AsyncGenerator<unknown> {
  if ('offset' in query) throw new TypeError('`each` reads a list from its beginning: leave offset out.');
  const fields = '_fields' in query ? { _fields: [query['_fields'], 'id'].flat() } : {};
  let last = 0;
  let seen = 0;
  for (;;) {
    const { page, per_page } = pageAfter(seen);
    const answer = await read({ ...query, ...fields, orderby: 'id', order: 'asc', page, per_page }).catch(emptyBeyond);
    if (/\b(?:orderby|page)\b/.test(answer?.headers.get('X-CMS-Ignored') ?? ''))
      throw new TypeError('This list has no order by id: read it with `pages`.');
    const items = (answer?.data ?? []) as readonly { readonly id: number }[];
    const further = items.filter(({ id }) => id > last);
    const count = (name: string) => Number(answer?.headers.get(`X-CMS-${name}`));
    const isWhole = answer === null || items.length === Math.min(per_page, count('Total') - (page - 1) * per_page);
    if (page > 1 && isWhole && further.length === items.length) {
      // Items before have been deleted.
      seen = Math.max(0, (page - 1) * per_page - MOST);
      continue;
    }
    yield* further;
    last = further.at(-1)?.id ?? last;
    if (page >= count('TotalPages')) return;
    seen = page * per_page;
  }
}

/** The page that begins with an item that was seen, and has the most others: not all lists have `offset`. */
function pageAfter(seen: number) {
  const sizes = Array.from({ length: MOST / 2 }, (_, less) => MOST - less);
  const pages = sizes.map((per_page) => ({ per_page, page: Math.ceil(Math.max(1, seen) / per_page) }));
  return pages.reduce((best, one) => (one.page * one.per_page > best.page * best.per_page ? one : best));
}

/** Of a page that is no longer there, because the list has become shorter. */
function emptyBeyond(error: unknown): null {
  if (error instanceof CmsError && /_invalid_page_number$/.test(error.code)) return null;
  throw error;
}

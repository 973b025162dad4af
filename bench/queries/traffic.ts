import { below, pick, pickSome, type Random } from '../data/random.ts';
import { authorIds, categoryIds, tagIds } from '../data/site.ts';
import type { DataSet } from '../data.ts';
import { ask } from '../servers/http.ts';
import { item, list } from './paths.ts';

/** Addresses by kind of request. Random draws rarely repeat one while it is cached. */
export interface Traffic {
  readonly items: readonly string[];
  readonly pages: readonly string[];
  readonly byCategory: readonly string[];
  readonly searches: readonly string[];
  readonly slugs: readonly string[];
}

interface Filter {
  readonly query: Readonly<Record<string, string | number>>;
  /** Number of pages. */
  readonly pages: number;
}

const howMany = 20_000;
const orders = ['date', 'date', 'date', 'date', 'date', 'modified', 'title', 'id'];

/** Queries the length of each filtered list, and returns addresses of existing pages. */
export async function makeTraffic(port: number, data: DataSet, random: Random): Promise<Traffic> {
  const categories = await measure(
    port,
    categoryIds.map((id) => ({ categories: id })),
  );
  const others = await measure(port, [
    {},
    ...authorIds.map((id) => ({ author: id })),
    ...tagIds.slice(0, 50).map((id) => ({ tags: id })),
    ...Array.from({ length: 10 }, (_, i) => ({
      after: `${2016 + i}-01-01T00:00:00`,
      before: `${2017 + i}-01-01T00:00:00`,
    })),
  ]);
  const all = [...categories, ...others];
  const anyPage = ({ query, pages }: Filter) => ({ ...query, page: 1 + below(random, pages) });
  return {
    items: pickSome(random, data.ids, howMany * 10).map(item),
    pages: many(() => {
      const [orderby, order] = [pick(random, orders), pick(random, ['desc', 'asc'])];
      return list({ ...anyPage(pick(random, all)), orderby, order });
    }),
    byCategory: many(() => list(anyPage(pick(random, categories)))),
    searches: many(() => list({ search: searchText(random, data.words) })),
    slugs: pickSome(random, data.slugs, howMany).map((slug) => list({ slug })),
  };
}

/** One or two words of medium frequency. */
export function searchText(random: Random, words: readonly string[]): string {
  const some = words.slice(50, 5000).filter((word) => word.length > 3);
  return pickSome(random, some, random() < 0.3 ? 1 : 2).join(' ');
}

async function measure(port: number, queries: readonly Filter['query'][]): Promise<Filter[]> {
  const found: Filter[] = [];
  for (const query of queries) {
    const { headers } = await ask(port, list(query));
    const pages = Number(headers['x-cms-totalpages']);
    if (pages > 0) found.push({ query, pages });
  }
  return found;
}

function many(make: () => string): string[] {
  return Array.from({ length: howMany }, make);
}

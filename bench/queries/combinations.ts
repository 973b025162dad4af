import { below, pick, pickSome, type Random } from '../data/random.ts';
import { authorIds, categoryIds, tagIds } from '../data/site.ts';
import type { DataSet } from '../data.ts';
import { list } from './paths.ts';
import { searchText } from './traffic.ts';

type Query = Parameters<typeof list>[0];

/** A kind of collection request. Its values are drawn for each request, so that no answer comes from a cache. */
export interface Combination {
  readonly name: string;
  /** Sent with credentials. */
  readonly withLogin: boolean;
  address(random: Random): string;
}

/** All combinations of filters and orders over a data set. */
export function combinations({ ids, slugs, words }: DataSet): readonly Combination[] {
  const category = (random: Random) => categoryIds[below(random, 10)] ?? 1;
  const tag = (random: Random) => tagIds[below(random, 50)] ?? tagIds[0] ?? 1;
  const year = (random: Random, from = 2016) =>
    `${from + below(random, 2025 - from)}-0${1 + below(random, 9)}-01T00:00:00`;
  const word = (random: Random) => pick(random, words.slice(50, 2000));
  const deep = (random: Random) => below(random, Math.max(1, ids.length - 10));
  const near = (random: Random) => below(random, 30);
  const some = (random: Random, from: readonly number[], count: number) => pickSome(random, from, count).join();

  const orders = ['date', 'modified', 'id', 'author', 'parent', 'title', 'slug'].flatMap((orderby) =>
    ['asc', 'desc'].map((order) => open(`${orderby} ${order}`, (random) => ({ orderby, order, offset: deep(random) }))),
  );
  return [
    ...orders,
    open('order of include', (r) => ({ include: some(r, ids, 50), orderby: 'include', offset: near(r) })),
    open('order of slugs', (r) => ({ slug: pickSome(r, slugs, 20).join(), orderby: 'include_slugs' })),
    open('relevance, one word', (r) => ({ search: word(r), orderby: 'relevance', offset: near(r) })),
    open('relevance, three words', (r) => ({ search: [word(r), word(r), word(r)].join(' '), orderby: 'relevance' })),
    open('category', (r) => ({ categories: category(r), offset: below(r, 5000) })),
    open('three categories', (r) => ({ categories: some(r, categoryIds, 3), offset: below(r, 5000) })),
    open('both categories', (r) => ({
      ...terms('categories', [category(r), category(r)]),
      'categories[operator]': 'AND',
    })),
    open('category with children', (r) => ({
      ...terms('categories', [2 + below(r, 10)]),
      'categories[include_children]': 'true',
    })),
    open('not these categories', (r) => ({ categories_exclude: some(r, categoryIds, 5), offset: deep(r) })),
    open('not these with children', (r) => ({
      ...terms('categories_exclude', [2 + below(r, 10)]),
      'categories_exclude[include_children]': 'true',
    })),
    open('category and tag', (r) => ({ categories: category(r), tags: tag(r), offset: near(r) })),
    open('category or tag', (r) => ({
      categories: category(r),
      tags: tag(r),
      tax_relation: 'OR',
      offset: below(r, 5000),
    })),
    open('all of three tags', (r) => ({ ...terms('tags', [tag(r), tag(r), tag(r)]), 'tags[operator]': 'AND' })),
    open('author without tags', (r) => ({
      author: pick(r, authorIds),
      tags_exclude: some(r, tagIds, 10),
      offset: below(r, 2000),
    })),
    open('three authors by title', (r) => ({
      author: some(r, authorIds, 3),
      orderby: 'title',
      order: 'asc',
      offset: below(r, 20_000),
    })),
    open('not these authors', (r) => ({ author_exclude: some(r, authorIds, 3), offset: below(r, 40_000) })),
    open('a span of dates', (r) => ({ after: year(r), before: year(r, 2020), offset: near(r) })),
    open('modified since, by modified', (r) => ({ modified_after: year(r), orderby: 'modified', offset: near(r) })),
    open('date, category, author, by slug', (r) => ({
      after: year(r),
      categories: category(r),
      author: pick(r, authorIds),
      orderby: 'slug',
    })),
    open('sticky', (r) => ({ sticky: 'true', offset: near(r) })),
    open('not sticky', (r) => ({ sticky: 'false', offset: deep(r) })),
    open('sticky first', (r) => ({ ignore_sticky: 'false', per_page: 1 + below(r, 100) })),
    open('two formats', (r) => ({
      format: pick(r, ['video,gallery', 'link,quote', 'aside,image']),
      offset: below(r, 2000),
    })),
    open('no format, category', (r) => ({ format: 'standard', categories: category(r), offset: below(r, 2000) })),
    open('format or category', (r) => ({
      format: 'audio',
      categories: category(r),
      tax_relation: 'OR',
      offset: below(r, 2000),
    })),
    open('without 100 posts', (r) => ({ exclude: some(r, ids, 100), offset: deep(r) })),
    open('100 a page', (r) => ({ per_page: 100, page: 1 + below(r, Math.max(1, Math.floor(ids.length / 100))) })),
    open('three fields, 100 a page', (r) => ({
      per_page: 100,
      page: 1 + below(r, Math.max(1, Math.floor(ids.length / 100))),
      _fields: 'id,title,parent',
    })),
    open('a slug', (r) => ({ slug: pick(r, slugs) })),
    open('search in a category', (r) => ({ search: word(r), categories: category(r), offset: near(r) })),
    open('search, author, date, by title', (r) => ({
      search: word(r),
      author: pick(r, authorIds),
      after: year(r),
      orderby: 'title',
    })),
    open('two words', (r) => ({ search: searchText(r, words), offset: near(r) })),
    open('a phrase', (r) => ({ search: `"${word(r)} ${pick(r, words.slice(20, 60))}"` })),
    open('without a word', (r) => ({ search: `${word(r)} -${word(r)}`, offset: near(r) })),
    open('search in titles', (r) => ({ search: word(r), search_columns: 'post_title', offset: near(r) })),
    open('exact title', (r) => ({ search: word(r), search_semantics: 'exact' })),
    login('any status by modified', (r) => ({ status: 'any', orderby: 'modified', offset: deep(r) })),
    login('unfinished, for editing', (r) => ({ status: 'draft,pending,private', context: 'edit', offset: near(r) })),
    login('published and private by title', (r) => ({
      status: 'publish,private',
      orderby: 'title',
      order: 'asc',
      offset: deep(r),
    })),
    login('search in any status', (r) => ({ search: word(r), status: 'any', context: 'edit' })),
    login('everything at once', (r) => ({
      search: word(r),
      status: 'publish,draft,private',
      categories: some(r, categoryIds, 3),
      tags_exclude: tag(r),
      author_exclude: pick(r, authorIds),
      after: year(r),
      orderby: 'title',
      order: 'asc',
      per_page: 100,
    })),
  ];
}

function open(name: string, query: (random: Random) => Query): Combination {
  return { name, withLogin: false, address: (random) => list(query(random)) };
}

function login(name: string, query: (random: Random) => Query): Combination {
  return { ...open(name, query), withLogin: true };
}

function terms(parameter: string, ids: readonly number[]): Query {
  return { [`${parameter}[terms]`]: ids.join() };
}

import { sortKey } from '#projections/collection/collate.ts';
import type {
  CollectionQuery,
  EntryFacets,
  EntryTexts,
  Found,
  TaxonomyFilter,
} from '#projections/kernel/collection-query.ts';
import { allColumns } from '#projections/search/types.ts';
import { foldText, searchTerms } from '#text/fold.ts';
import { naiveGroup } from './naive-relevance.ts';

/** An entry as plain objects. */
export interface Entry {
  readonly facets: EntryFacets;
  readonly texts: EntryTexts;
}

type Test = (entry: EntryFacets) => boolean;

/** Executes a query entry by entry, exactly as the interface behaviour defines it. */
export function naiveFind(entries: readonly Entry[], query: CollectionQuery): Found {
  const tests = testsOf(query);
  const found = entries.filter(({ facets }) => tests.every((test) => test(facets))).filter(searched(query));
  const page = found.sort(ordered(query)).slice(query.offset, query.offset + query.limit);
  const ids = page.map(({ facets }) => facets.id);
  return { ids: stickyFirst(ids, entries, query), total: found.length };
}

function testsOf(query: CollectionQuery): Test[] {
  const { include, exclude = [], sticky, authors = [], notAuthors = [], parents = [], notParents = [] } = query;
  const tests: Test[] = [
    (e) => [query.kind, ...(query.alsoKinds ?? [])].includes(e.kind),
    (e) => query.statuses.some(({ status, author = e.author }) => e.status === status && e.author === author),
  ];
  if (include) tests.push((e) => include.includes(e.id));
  if (sticky === true) tests.push((e) => e.sticky);
  if (!include && sticky !== true) tests.push((e) => !exclude.includes(e.id) && !(sticky === false && e.sticky));
  if (notAuthors.length > 0) tests.push((e) => !notAuthors.includes(e.author));
  else if (authors.length > 0) tests.push((e) => authors.includes(e.author));
  if (parents.length > 0) tests.push((e) => parents.includes(e.parent));
  else if (notParents.length > 0) tests.push((e) => !notParents.includes(e.parent));
  if (query.slugs?.length) tests.push((e) => query.slugs?.includes(e.slug) === true);
  for (const [name, wanted] of Object.entries(query.values ?? {})) {
    if (wanted.length > 0) tests.push((e) => wanted.some((value) => e.values[name] === value));
  }
  const { goods } = query;
  if (goods !== undefined) tests.push((e) => e.goods?.[goods] === true);
  tests.push(...timeTests(query), taxonomyTest(query));
  return tests;
}

function timeTests({ after, before, modifiedAfter, modifiedBefore }: CollectionQuery): Test[] {
  const tests: Test[] = [];
  if (after !== undefined) tests.push((e) => e.date > after);
  if (before !== undefined) tests.push((e) => e.date < before);
  if (modifiedAfter !== undefined) tests.push((e) => e.modified > modifiedAfter);
  if (modifiedBefore !== undefined) tests.push((e) => e.modified < modifiedBefore);
  return tests;
}

function taxonomyTest({ taxonomies = [], relation = 'AND' }: CollectionQuery): Test {
  const filters = taxonomies.filter((filter) => (filter.by === 'format' ? filter.formats : filter.terms).length > 0);
  if (filters.length === 0) return () => true;
  return (e) => (relation === 'OR' ? filters.some(fits(e)) : filters.every(fits(e)));
}

const fits = (e: EntryFacets) => (filter: TaxonomyFilter) => {
  if (filter.by === 'format') return filter.formats.includes(String(e.values['format']));
  const has = filter.terms.filter((term) => e.terms.includes(term)).length;
  return filter.mode === 'any' ? has > 0 : filter.mode === 'none' ? has === 0 : has === filter.terms.length;
};

function searched({ search }: CollectionQuery): (entry: Entry) => boolean {
  const { include, exclude } = searchTerms(search?.text ?? '');
  if (search === undefined || include.length + exclude.length === 0) return () => true;
  const columns = search.columns.length === 0 ? allColumns : search.columns;
  return ({ facets, texts }) => {
    const has = (term: string) =>
      columns.some((column) =>
        search.exact ? foldText(texts[column]) === foldText(term) : foldText(texts[column]).includes(foldText(term)),
      );
    return !(search.skipProtected && facets.protected) && include.every(has) && !exclude.some(has);
  };
}

function ordered(query: CollectionQuery): (a: Entry, b: Entry) => number {
  const { orderBy, include = [], slugs = [], order } = query;
  const sign = order === 'asc' ? 1 : -1;
  const byDate = (a: Entry, b: Entry) => sign * (compare(a.facets.date, b.facets.date) || a.facets.id - b.facets.id);
  if (orderBy === 'include') return (a, b) => include.indexOf(a.facets.id) - include.indexOf(b.facets.id);
  if (orderBy === 'include_slugs') {
    return (a, b) => slugs.indexOf(a.facets.slug) - slugs.indexOf(b.facets.slug) || a.facets.id - b.facets.id;
  }
  if (orderBy === 'relevance') return (a, b) => naiveGroup(a.texts, query) - naiveGroup(b.texts, query) || byDate(a, b);
  const key = ({ facets }: Entry) => {
    if (orderBy === 'title') return foldText(facets.title);
    if (orderBy === 'slug') return sortKey(facets.slug);
    if (orderBy === 'rating' || orderBy === 'sales') return facets.goods?.[orderBy] ?? 0;
    return orderBy === 'menu_order' ? facets.menuOrder : facets[orderBy];
  };
  return (a, b) => sign * (compare(key(a), key(b)) || a.facets.id - b.facets.id);
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function stickyFirst(ids: readonly number[], entries: readonly Entry[], query: CollectionQuery): readonly number[] {
  const asksFor = (query.taxonomies ?? []).some((filter) =>
    filter.by === 'format' ? filter.formats.length > 0 : filter.mode !== 'none' && filter.terms.length > 0,
  );
  const narrowed = query.search !== undefined || query.include !== undefined || query.sticky === true || asksFor;
  if (query.stickyFirst !== true || narrowed || !(query.firstPage ?? query.offset === 0)) return ids;
  const sticky = entries
    .map(({ facets }) => facets)
    .filter((e) => e.sticky && [query.kind, ...(query.alsoKinds ?? [])].includes(e.kind));
  const isSticky = (id: number) => sticky.some((e) => e.id === id);
  const missing = sticky
    .filter((e) => e.status === 'publish' && !ids.includes(e.id) && query.sticky !== false)
    .filter((e) => !query.exclude?.includes(e.id))
    .sort((a, b) => compare(b.date, a.date) || b.id - a.id);
  return [...ids.filter(isSticky), ...missing.map(({ id }) => id), ...ids.filter((id) => !isSticky(id))];
}

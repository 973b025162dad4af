import { category, tag } from '#domain/term/kinds.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { CollectionQuery, TaxonomyFilter } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import { type Place, placeAt, publicPlace } from '#site/addresses/place.ts';
import { published } from '#site/entries/newest.ts';
import { plain } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import {
  byAuthor,
  type Days,
  datesOf,
  type ListingPage,
  latest,
  listingAt,
  ofDays,
  weekIn,
  withTerm,
} from './listing.ts';

/** What the query of an address chooses: another address, or a list without an address of its own. */
export type Chosen = { readonly address: string; readonly page: number } | ChosenList;

export interface ChosenList {
  readonly listing: ListingPage;
  /** Number of its page. */
  readonly page: number;
}

type Parameters = Readonly<Record<string, string>>;

/** One condition of a query. `address`: of a page with just that. */
interface Part extends Pick<ListingPage, 'title' | 'query' | 'words'> {
  readonly address: string | null;
}

/** What a parameter selects: a condition, an item, an address; undefined: what is not there; null: nothing, as if it were not sent. */
type Selected = Part | Place | { readonly elsewhere: string } | undefined | null;
type Select = (value: string, model: Model, all: Parameters) => Selected;

/**
 * What a query such as `?tag=red&paged=2` chooses at a path; undefined: what is not there; null: the query chooses nothing. Parameters without
 * a value choose nothing. Several conditions together find what fits all of them.
 */
export function chosenAt(path: string, query: string, model: Model): Chosen | undefined | null {
  const parameters = parametersIn(query);
  const names = Object.keys(selects).filter((name) => parameters[name] !== undefined);
  const paged = parameters['paged'];
  if (names.length === 0 && paged === undefined) return null;
  const page = paged === undefined ? 1 : /^0*[1-9]\d{0,6}$/.test(paged) ? Number(paged) : undefined;
  if (page === undefined) return undefined;
  const parts: Part[] = [];
  const items: Place[] = [];
  for (const name of names) {
    const selected = selects[name]?.(parameters[name] ?? '', model, parameters);
    if (selected === undefined) return undefined;
    if (selected === null) continue;
    if ('elsewhere' in selected) return { address: selected.elsewhere, page };
    if ('query' in selected) parts.push(selected);
    else items.push(selected);
  }
  const [item] = items;
  if (item !== undefined) {
    return items.some(({ row }) => row.id !== item.row.id) ? undefined : ofItem(item, parts, page, model);
  }
  const base = path === '/' || path === '' ? { listing: latest(model), number: 1 } : listingAt(path, model);
  if (base === null) return parts.length === 0 && page === 1 ? null : ofItem(placeAt(path, model), parts, page, model);
  const number = paged === undefined ? base.number : page;
  const isTop = base.listing.address === latest(model).address;
  const [only] = parts;
  if (only === undefined) return { address: base.listing.address, page: number };
  if (isTop && parts.length === 1 && only.address !== null) return { address: only.address, page: number };
  return { listing: narrowed(base.listing, parts, isTop, sent(parameters)), page: number };
}

/** An item fits or does not; it has one page. */
function ofItem(
  item: Place | undefined,
  parts: readonly Part[],
  page: number,
  model: Model,
): Chosen | undefined | null {
  if (item === undefined || page > 1) return undefined;
  // An item without an address of its own is shown here.
  if (parts.length === 0) return item.address.includes('?') ? null : { address: item.address, page };
  if (item.type === 'attachment' || parts.some(({ words }) => words !== undefined)) return undefined;
  const query = { ...merged(parts.map((part) => part.query)), kind: item.row.kind, include: [item.row.id], limit: 1 };
  return published(query, model).total === 0 ? undefined : { address: item.address, page: 1 };
}

function narrowed(base: ListingPage, parts: readonly Part[], isTop: boolean, parameters: string): ListingPage {
  const titles = [...(isTop ? [] : [base.title]), ...parts.map(({ title }) => title)];
  const words = parts.find((part) => part.words !== undefined)?.words;
  return {
    title: titles.join(', '),
    description: '',
    address: base.address,
    query: merged([isTop ? {} : base.query, ...parts.map(({ query }) => query)]),
    parameters,
    ...(words === undefined ? {} : { words }),
  };
}

/** One query for all that several ask for. */
function merged(queries: readonly Partial<CollectionQuery>[]): Partial<CollectionQuery> {
  const all: Partial<CollectionQuery> = Object.assign({}, ...queries);
  const taxonomies = queries.flatMap((one) => one.taxonomies ?? []);
  const authors = queries.flatMap((one) => (one.authors === undefined ? [] : [one.authors]));
  const byAll = authors[0]?.filter((id) => authors.every((ids) => ids.includes(id)));
  const after = queries.flatMap((one) => one.after ?? []).sort();
  const before = queries.flatMap((one) => one.before ?? []).sort();
  return {
    ...all,
    ...(taxonomies.length === 0 ? {} : { taxonomies }),
    ...(byAll === undefined ? {} : { authors: byAll }),
    ...(byAll?.length === 0 ? { include: [] } : {}),
    ...(after.length === 0 ? {} : { after: String(after.at(-1)) }),
    ...(before.length === 0 ? {} : { before: String(before[0]) }),
  };
}

function parametersIn(query: string): Parameters {
  const given = Object.entries(query === '' ? {} : parseQuery(query));
  return Object.fromEntries(
    given.flatMap(([name, value]) =>
      typeof value === 'string' && (value !== '' || emptyToo.has(name)) ? [[name, value]] : [],
    ),
  );
}

/** Parameters that mean something without a value, too. */
const emptyToo: ReadonlySet<string> = new Set(['s', 'archive-dropdown']);

/** The parameters that choose, as links to further pages repeat them. */
function sent(parameters: Parameters): string {
  const names = Object.keys(parameters).filter((name) => name !== 'paged' && (name in selects || name === 'w'));
  return names.map((name) => `${name}=${encodeURIComponent(parameters[name] ?? '')}`).join('&');
}

/** The value of the first option of a list of terms, with which nothing is chosen. */
const nothing = '-1';

const DIGITS = /^\d{1,15}$/;

const selects: Readonly<Record<string, Select>> = {
  'archive-dropdown': (value, model) => {
    const { url } = model.site();
    if (value === '') return { elsewhere: latest(model).address };
    // Only addresses of the site: a redirect to any other could be used to mislead.
    const address = URL.parse(value)?.href;
    return address?.startsWith(`${url}/`) === true ? { elsewhere: address } : undefined;
  },
  p: (value, model) => itemWith(value, model),
  page_id: (value, model) => itemWith(value, model),
  attachment_id: (value, model) => itemWith(value, model),
  name: (value, model) => {
    const found = model.named(value.toLowerCase()).flatMap((id) => publicPlace(id, model) ?? []);
    return found.find(({ type }) => type === 'post');
  },
  pagename: (value, model) => {
    const place = placeAt(value, model);
    return place?.type === 'page' ? place : undefined;
  },
  s: (value) => {
    const words = value.trim();
    const { search } = searchFor(words, { skipProtected: true });
    const query = search === undefined ? { include: [] } : { search, orderBy: 'relevance' as const };
    return { title: words === '' ? 'Search' : `Search: ${words}`, query, address: null, words };
  },
  m: (value, model, { w: week }) => {
    const [, year = '', month, day] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(value) ?? [];
    if (week === undefined) return inDays(datesOf([year, month, day].filter((part) => part !== undefined)), model);
    const part = /^\d\d?$/.test(week) && inDays(weekIn(year, Number(week), model.site().startOfWeek), model);
    return part ? { ...part, address: null } : undefined;
  },
  year: (value, model, { monthnum, day }) => {
    const parts = [value, ...(monthnum === undefined ? [] : [two(monthnum)])];
    return inDays(datesOf(monthnum === undefined || day === undefined ? parts : [...parts, two(day)]), model);
  },
  monthnum: (_, __, { year }) => (year === undefined ? undefined : null),
  day: (_, __, { year, monthnum }) => (year === undefined || monthnum === undefined ? undefined : null),
  cat: (value, model) => {
    if (value === nothing) return null;
    const ids = value.split(',').map((one) => one.trim());
    if (!ids.every((id) => /^-?\d{1,15}$/.test(id))) return undefined;
    const found = ids.map((id) => model.term(Math.abs(Number(id))));
    if (found.some((term) => term?.taxonomy !== category.name)) return undefined;
    const terms = found as readonly TermRow[];
    const [only] = terms;
    if (only !== undefined && terms.length === 1 && ids[0]?.startsWith('-') === false) return ofTerms([only], model);
    const wanted = terms.filter((_, i) => ids[i]?.startsWith('-') === false);
    const without = terms.filter((_, i) => ids[i]?.startsWith('-') === true);
    const filters = [...filterFor(wanted, 'any', model), ...filterFor(without, 'none', model)];
    return { title: titleOf(terms), query: { taxonomies: filters }, address: null };
  },
  category_name: (value, model) => bySlugs(value, category.name, model),
  tag: (value, model) => bySlugs(value, tag.name, model),
  author: (value, model) => byAuthor(DIGITS.test(value) ? model.user(Number(value)) : undefined, model) ?? undefined,
  author_name: (value, model) => byAuthor(model.userBySlug(value.toLowerCase()), model) ?? undefined,
};

const two = (number: string) => number.padStart(2, '0');

const inDays = (days: Days | null, model: Model) => ofDays(days, model) ?? undefined;

function itemWith(value: string, model: Model): Selected {
  return DIGITS.test(value) ? publicPlace(Number(value), model) : undefined;
}

/** Slugs of terms: with commas any of them, with `+` (a blank, once it is decoded) all. */
function bySlugs(value: string, taxonomy: TermRow['taxonomy'], model: Model): Selected {
  if (value === nothing) return null;
  const all = /[+ ]/.test(value);
  const slugs = value.toLowerCase().split(all ? /[+ ]+/ : ',');
  const found = slugs.map((slug) => model.termBySlug(taxonomy, slug.split('/').at(-1)?.trim() ?? ''));
  if (found.some((term) => term === undefined)) return undefined;
  const terms = found as readonly TermRow[];
  if (!all) return ofTerms(terms, model);
  const query = { taxonomies: terms.flatMap((term) => filterFor([term], 'any', model)) };
  return { title: titleOf(terms), query, address: null };
}

function ofTerms(terms: readonly TermRow[], model: Model): Part {
  const [only] = terms;
  if (only !== undefined && terms.length === 1) return withTerm(only, model);
  return { title: titleOf(terms), query: { taxonomies: filterFor(terms, 'any', model) }, address: null };
}

function filterFor(terms: readonly TermRow[], mode: 'any' | 'none', model: Model): readonly TaxonomyFilter[] {
  if (terms.length === 0) return [];
  const ids = terms.map(({ id }) => id);
  return [{ by: 'term', mode, terms: withDescendants(ids, model) }];
}

function titleOf(terms: readonly TermRow[]): string {
  return terms.map(({ name }) => plain(name)).join(', ');
}

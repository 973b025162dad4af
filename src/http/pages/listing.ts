import { type Format, formatNames } from '#domain/entry/vocabulary.ts';
import { allTermKinds, category, type TermKind, tag } from '#domain/term/kinds.ts';
import { formatDate } from '#domain/time/format.ts';
import { addSeconds, type LocalTime } from '#domain/time/local.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import { termLink, userLink } from '#site/addresses/items.ts';
import { normal, placeAt, segmentsOf } from '#site/addresses/place.ts';
import { published } from '#site/entries/newest.ts';
import { weekOfYear } from '#site/rendering/blocks/archives.ts';
import { plain } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';

export interface ListingPage {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly query: Partial<CollectionQuery>;
  readonly words?: string;
  /** The query of its address, if it has one. */
  readonly parameters?: string;
}

/** Days of an archive, from the beginning of the first to the beginning of the one behind the last. */
interface Days {
  readonly title: string;
  readonly first: LocalTime;
  readonly end: LocalTime;
}

type Parameters = Readonly<Record<string, string>>;
/** What a query chooses: the address of a list, or one without an address of its own; undefined: what is not there. */
type Chosen = { readonly address: string } | { readonly listing: ListingPage } | undefined;

const DAY = 86_400;

/** The list at a path and the number of its page; null if there is none. */
export function listingAt(
  path: string,
  model: Model,
): { readonly listing: ListingPage; readonly number: number } | null {
  const segments = segmentsOf(path).map(normal);
  const numbered = segments.at(-2) === 'page' && /^[1-9]\d{0,6}$/.test(segments.at(-1) ?? '');
  const number = numbered ? Number(segments.at(-1)) : 1;
  const [kind, ...slugs] = numbered ? segments.slice(0, -2) : segments;
  const listing = listingOf(kind, slugs, model);
  return listing === null ? null : { listing, number };
}

function listingOf(kind: string | undefined, slugs: readonly string[], model: Model): ListingPage | null {
  if (kind === undefined) return latest(model);
  if (/^\d{4}$/.test(kind))
    return placeAt([kind, ...slugs].join('/'), model) === undefined ? dated([kind, ...slugs], model) : null;
  if (kind === 'author') return slugs.length === 1 ? byAuthor(slugs[0] ?? '', model) : null;
  if (kind === 'type') return slugs.length === 1 ? withFormat(slugs[0] ?? '', model) : null;
  const terms = allTermKinds.find(({ title, type }) => type.viewable && title === kind);
  return terms === undefined ? null : withTerm(slugs, terms, model);
}

function latest(model: Model): ListingPage {
  return { title: 'Latest posts', description: '', address: `${model.site().url}/`, query: { stickyFirst: true } };
}

function dated(parts: readonly string[], model: Model): ListingPage | null {
  const days = datesOf(parts);
  return days && listingOfDays(days, { address: `${model.site().url}/${parts.join('/')}/` }, model);
}

/** The posts of some days; null if there are none. */
function listingOfDays(
  { title, first, end }: Days,
  place: Pick<ListingPage, 'address' | 'parameters'>,
  model: Model,
): ListingPage | null {
  const query = { after: addSeconds(first, -1), before: end };
  if (published({ ...query, limit: 1 }, model).total === 0) return null;
  return { title, description: '', ...place, query };
}

function byAuthor(slug: string, model: Model): ListingPage | null {
  const author = model.userBySlug(slug);
  if (author === undefined) return null;
  const query = { authors: [author.id] };
  if (published({ ...query, limit: 1 }, model).total === 0) return null;
  return {
    title: `Posts by ${author.displayName}`,
    description: plain(author.description),
    address: userLink(author, model.site().url),
    query,
  };
}

function withFormat(slug: string, model: Model): ListingPage | null {
  const name = slug === 'standard' || !Object.hasOwn(formatNames, slug) ? undefined : formatNames[slug as Format];
  if (name === undefined) return null;
  const address = `${model.site().url}/type/${slug}/`;
  return { title: name, description: '', address, query: { taxonomies: [{ by: 'format', formats: [slug] }] } };
}

function withTerm(slugs: readonly string[], { name, type, hierarchical }: TermKind, model: Model): ListingPage | null {
  const term = model.termBySlug(name, slugs.at(-1) ?? '');
  if (term === undefined) return null;
  const address = termLink(term, model);
  const [, ...own] = segmentsOf(address.slice(model.site().url.length));
  if (own.join('/') !== slugs.join('/')) return null;
  const terms = hierarchical ? withDescendants([term.id], model) : [term.id];
  return {
    title: `${type.singular}: ${plain(term.name)}`,
    description: plain(term.description),
    address,
    query: { taxonomies: [{ by: 'term', mode: 'any', terms }] },
  };
}

/** The year, month or day that parts such as `2026`, `11`, `24` name; null if they name none. */
function datesOf([year = '', month, day, ...rest]: readonly string[]): Days | null {
  if (rest.length > 0 || !/^(?!0000|9999)\d{4}$/.test(year)) return null;
  if (month === undefined) return { title: year, first: start(year, 1, 1), end: start(year, 13, 1) };
  if (!/^(?:0[1-9]|1[0-2])$/.test(month)) return null;
  const first = start(year, Number(month), 1);
  const end = start(year, Number(month) + 1, 1);
  if (day === undefined) return { title: written('F Y', first), first, end };
  const that = /^\d\d$/.test(day) && day !== '00' ? addSeconds(first, (Number(day) - 1) * DAY) : end;
  return that >= end ? null : { title: written('F j, Y', that), first: that, end: addSeconds(that, DAY) };
}

/** The days of a year that are in a week of it; null if none is. `startOfWeek`: 0 is Sunday. */
function weekIn(year: string, week: number, startOfWeek: number): Days | null {
  const whole = datesOf([year]);
  if (whole === null) return null;
  const inWeek: LocalTime[] = [];
  for (let day = whole.first; day < whole.end; day = addSeconds(day, DAY)) {
    if (weekOfYear(day, startOfWeek) === week) inWeek.push(day);
  }
  const [first, last] = [inWeek[0], inWeek.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { title: `Week of ${written('F j, Y', first)}`, first, end: addSeconds(last, DAY) };
}

/** The beginning of a day; month 13 is January of the next year. */
function start(year: string, month: number, day: number): LocalTime {
  const [y, m] = month === 13 ? [Number(year) + 1, 1] : [Number(year), month];
  return `${`${y}`.padStart(4, '0')}-${two(m)}-${two(day)}T00:00:00`;
}

const two = (number: number) => `${number}`.padStart(2, '0');
const written = (pattern: string, local: LocalTime) => formatDate(pattern, { local, gmt: local }, 'UTC');

/** What a form that chooses a list sends (`choosing`), and the plain form of addresses of lists; null: the query is neither. */
export function chosenIn(query: string, model: Model): Chosen | null {
  const given = Object.entries(query === '' ? {} : parseQuery(query));
  const parameters = Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  for (const [name, choose] of Object.entries(choices)) {
    const value = parameters[name];
    if (value !== undefined) return choose(value, { model, parameters });
  }
  return null;
}

interface Asked {
  readonly model: Model;
  readonly parameters: Parameters;
}

const choices: Readonly<Record<string, (value: string, asked: Asked) => Chosen>> = {
  'archive-dropdown': (value, { model }) => {
    const { url } = model.site();
    if (value === '') return { address: `${url}/` };
    // Only addresses of the site: a redirect to any other could be used to mislead.
    return value.startsWith(`${url}/`) && URL.canParse(value) ? { address: new URL(value).href } : undefined;
  },
  m: (value, { model, parameters }) => {
    const [, year = '', ...rest] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(value) ?? [];
    const { url, startOfWeek } = model.site();
    const week = parameters['w'];
    if (week === undefined) {
      const parts = [year, ...rest.filter((part) => part !== undefined)];
      return datesOf(parts) === null ? undefined : { address: `${url}/${parts.join('/')}/` };
    }
    const days = /^\d\d?$/.test(week) ? weekIn(year, Number(week), startOfWeek) : null;
    const place = { address: `${url}/`, parameters: `m=${year}&w=${week}` };
    const listing = days && listingOfDays(days, place, model);
    return listing === null ? undefined : { listing };
  },
  cat: (value, { model }) =>
    /^\d{1,15}$/.test(value) ? termWith(model.term(Number(value)), model) : nothing(value, model),
  category_name: (value, { model }) => termWith(model.termBySlug(category.name, value), model) ?? nothing(value, model),
  tag: (value, { model }) => termWith(model.termBySlug(tag.name, value), model) ?? nothing(value, model),
};

function termWith(term: ReturnType<Model['term']>, model: Model): Chosen {
  return term === undefined ? undefined : { address: termLink(term, model) };
}

/** The value of the first option, with which nothing is chosen. */
function nothing(value: string, model: Model): Chosen {
  return value === '-1' ? { address: `${model.site().url}/` } : undefined;
}

import { type Format, formatNames } from '#domain/entry/vocabulary.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { formatDate } from '#domain/time/format.ts';
import { addSeconds, type LocalTime } from '#domain/time/local.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import { termAt } from '#site/addresses/former.ts';
import { frontPage, postsPage } from '#site/addresses/front.ts';
import { permalink, termLink, userLink } from '#site/addresses/items.ts';
import { normal, placeAt, segmentsOf } from '#site/addresses/place.ts';
import { published } from '#site/entries/newest.ts';
import { weekOfYear } from '#site/rendering/blocks/archives.ts';
import { textIn } from '#site/rendering/posts.ts';
import { plain } from '#text/html.ts';

export interface ListingPage {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly query: Partial<CollectionQuery>;
  readonly words?: string;
  /** The query of its address, if it has one. */
  readonly parameters?: string;
  /** What the address of its feed begins with. Default: its address. */
  readonly feed?: string;
  /** What its feed is called for ever, after the address of the site. Default: its path. */
  readonly lasting?: string;
}

/** Days of an archive, from the beginning of the first to the beginning of the one behind the last. */
export interface Days {
  readonly title: string;
  /** Segments of the address of the list of their posts. */
  readonly parts: readonly string[];
  readonly first: LocalTime;
  readonly end: LocalTime;
}

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
  const listing = ofPostsPage([kind ?? '', ...slugs], model) ?? listingOf(kind, slugs, model);
  return listing === null ? null : { listing, number };
}

function ofPostsPage(segments: readonly string[], model: Model): ListingPage | null {
  const row = postsPage(model);
  return row !== undefined && placeAt(segments.join('/'), model)?.row.id === row.id ? latest(model) : null;
}

function listingOf(kind: string | undefined, slugs: readonly string[], model: Model): ListingPage | null {
  if (kind === undefined) return frontPage(model) === undefined ? latest(model) : null;
  if (/^\d{4}$/.test(kind))
    return placeAt([kind, ...slugs].join('/'), model) === undefined ? ofDays(datesOf([kind, ...slugs]), model) : null;
  if (kind === 'author') return slugs.length === 1 ? byAuthor(model.userBySlug(slugs[0] ?? ''), model) : null;
  if (kind === 'type') return slugs.length === 1 ? withFormat(slugs[0] ?? '', model) : null;
  const term = termAt(kind, slugs, model);
  return term === undefined ? null : withTerm(term, model);
}

/** The newest posts. Where a page is shown at the address of the site, they are where the settings say, else nowhere but in feeds and searches. */
export function latest(model: Model): ListingPage {
  const row = postsPage(model);
  const address = row === undefined ? `${model.site().url}/` : permalink(row, model);
  const title = row === undefined ? 'Latest posts' : plain(textIn(row.titleJson)) || 'Latest posts';
  return { title, description: '', address, feed: `${model.site().url}/`, lasting: '', query: { stickyFirst: true } };
}

/** The posts of some days; null: there are none. */
export function ofDays(days: Days | null, model: Model): ListingPage | null {
  if (days === null) return null;
  const { title, parts, first, end } = days;
  const query = { after: addSeconds(first, -1), before: end };
  if (published({ ...query, limit: 1 }, model).total === 0) return null;
  return { title, description: '', address: `${model.site().url}/${parts.join('/')}/`, query };
}

/** The posts of an author; null: there are none. */
export function byAuthor(author: ReturnType<Model['user']>, model: Model): ListingPage | null {
  if (author === undefined) return null;
  const query = { authors: [author.id] };
  if (published({ ...query, limit: 1 }, model).total === 0) return null;
  return {
    title: `Posts by ${author.displayName}`,
    description: plain(author.description),
    address: userLink(author, model.site().url),
    lasting: `?author=${author.id}`,
    query,
  };
}

function withFormat(slug: string, model: Model): ListingPage | null {
  const name = slug === 'standard' || !Object.hasOwn(formatNames, slug) ? undefined : formatNames[slug as Format];
  if (name === undefined) return null;
  const address = `${model.site().url}/type/${slug}/`;
  return { title: name, description: '', address, query: { taxonomies: [{ by: 'format', formats: [slug] }] } };
}

/** The posts with a term, or with one below it. */
export function withTerm(term: TermRow, model: Model): ListingPage {
  const { type, hierarchical } = termKinds[term.taxonomy];
  const terms = hierarchical ? withDescendants([term.id], model) : [term.id];
  return {
    title: `${type.singular}: ${plain(term.name)}`,
    description: plain(term.description),
    address: termLink(term, model),
    lasting: `?term=${term.id}`,
    query: { taxonomies: [{ by: 'term', mode: 'any', terms }] },
  };
}

/** The year, month or day that parts such as `2026`, `11`, `24` name; null if they name none. */
export function datesOf([year = '', month, day, ...rest]: readonly string[]): Days | null {
  if (rest.length > 0 || !/^(?!0000|9999)\d{4}$/.test(year)) return null;
  if (month === undefined) return { title: year, parts: [year], first: start(year, 1, 1), end: start(year, 13, 1) };
  if (!/^(?:0[1-9]|1[0-2])$/.test(month)) return null;
  const first = start(year, Number(month), 1);
  const end = start(year, Number(month) + 1, 1);
  if (day === undefined) return { title: written('F Y', first), parts: [year, month], first, end };
  const that = /^\d\d$/.test(day) && day !== '00' ? addSeconds(first, (Number(day) - 1) * DAY) : end;
  return that >= end
    ? null
    : { title: written('F j, Y', that), parts: [year, month, day], first: that, end: addSeconds(that, DAY) };
}

/** The days of a year that are in a week of it; null if none is. `startOfWeek`: 0 is Sunday. */
export function weekIn(year: string, week: number, startOfWeek: number): Days | null {
  const whole = datesOf([year]);
  if (whole === null) return null;
  const inWeek: LocalTime[] = [];
  for (let day = whole.first; day < whole.end; day = addSeconds(day, DAY)) {
    if (weekOfYear(day, startOfWeek) === week) inWeek.push(day);
  }
  const [first, last] = [inWeek[0], inWeek.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { title: `Week of ${written('F j, Y', first)}`, parts: [year], first, end: addSeconds(last, DAY) };
}

/** The beginning of a day; month 13 is January of the next year. */
function start(year: string, month: number, day: number): LocalTime {
  const [y, m] = month === 13 ? [Number(year) + 1, 1] : [Number(year), month];
  return `${`${y}`.padStart(4, '0')}-${two(m)}-${two(day)}T00:00:00`;
}

const two = (number: number) => `${number}`.padStart(2, '0');
const written = (pattern: string, local: LocalTime) => formatDate(pattern, { local, gmt: local }, 'UTC');

export function pageAddress(
  { address, parameters }: Pick<ListingPage, 'address' | 'parameters'>,
  page: number,
): string {
  const path = page === 1 ? address : `${address}page/${page}/`;
  return parameters === undefined ? path : `${path}?${parameters}`;
}

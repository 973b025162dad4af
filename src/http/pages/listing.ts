import { formatNames } from '#domain/entry/format-names.ts';
import type { Format } from '#domain/entry/vocabulary.ts';
import { allTermKinds, type TermKind } from '#domain/term/kinds.ts';
import { addSeconds } from '#domain/time/local.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import { normal, placeAt, segmentsOf } from '#site/addresses/locate.ts';
import { termLink } from '#site/addresses/terms.ts';
import { userLink } from '#site/addresses/users.ts';
import { published } from '#site/entries/newest.ts';
import { plain } from '#text/html.ts';
import { type Days, datesOf } from './dates.ts';

export interface ListingPage {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly query: Partial<CollectionQuery>;
  readonly words?: string;
  /** The query of its address, if it has one. */
  readonly parameters?: string;
}

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
export function listingOfDays(
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
  if (author === undefined || author.published === 0) return null;
  return {
    title: `Posts by ${author.displayName}`,
    description: plain(author.description),
    address: userLink(author, model.site().url),
    query: { authors: [author.id] },
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

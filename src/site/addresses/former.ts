import { importedAddressKey, migrations } from '#domain/migration/area.ts';
import { taxonomies } from '#domain/term/events.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import { lineage } from '#projections/kernel/lineage.ts';
import { media } from '#projections/media/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { published } from '../entries/newest.ts';
import { sourceUrl, termLink, userLink } from './items.ts';
import { normal, placeAt, publicPlace, segmentsOf } from './place.ts';

/** What has a page of its own, wherever that is. */
export type SubjectOfPage =
  | { readonly type: 'item'; readonly id: number }
  | { readonly type: 'term'; readonly id: number }
  | { readonly type: 'author'; readonly id: number };

/** What follows the address of a page: its feeds, its frame, its further pages. */
const BELOW = /\/(?:feed(?:\/(?:rss2?|atom|rdf))?|embed|comment-page-\d+|page\/\d+)\/?$/i;
/** Posts of an author that are looked at, the oldest first. */
const few = 50;
/** Longer paths never led anywhere. */
const deepest = 20;

/**
 * The present address of what a path led to formerly; null if it never led to anything, or to nothing that is public now. What has the
 * address now goes first, and then what had it last.
 */
export function movedTo(path: string, model: Model): string | null {
  const below = BELOW.exec(path)?.[0] ?? '';
  const page = path.slice(0, path.length - below.length);
  const segments = segmentsOf(page);
  const ending = below === '' ? '' : `${segmentsOf(below).join('/')}/`;
  if (segments.length === 0 || segments.length > deepest || subjectAt(page, model) !== null) return null;
  const names = new Set(segments.flatMap((segment) => [segment.toLowerCase(), normal(segment)]));
  for (const left of model.left([...names])) {
    const then = model.earlier(left - 1);
    const subject = subjectAt(page, then);
    const address = subject === null ? null : presentAddress(subject, then, model);
    if (address !== null) return address.includes('?') ? address : `${address}${ending}`;
  }
  const address = importedFrom(segments.map(normal).join('/'), model) ?? uploadAt(page, model);
  return address === null || address.includes('?') ? address : `${address}${ending}`;
}

/** The present address of what a site that was imported had at a path. */
function importedFrom(path: string, model: Model): string | null {
  const { place } = model.plugin(migrations, importedAddressKey(path));
  if (place === null) return null;
  const file = place.area === 'media' && FILE.test(path) ? model.media(place.id) : undefined;
  if (file !== undefined) return file.status === 'private' ? null : sourceUrl(file, model);
  return presentAddress({ type: 'item', id: place.id }, model, model);
}

/** Pages of files have no such names. */
const FILE = /\.[a-z0-9]{1,10}$/i;
/** Other systems have their uploads below other folders. */
const ELSEWHERE = /^\/.+\/uploads\/(.+)$/;

function uploadAt(path: string, model: Model): string | null {
  const file = ELSEWHERE.exec(path)?.[1];
  const found = file === undefined ? undefined : model.present().of(media).served(file);
  return found === undefined || found.item.status === 'private' ? null : `${model.site().mediaUrl}/uploads/${file}`;
}

/** Every path that led to something formerly that is public now, and the present address of that; for a copy of the site. */
export function formerPaths(model: Model): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pages = published({ kind: 'page', limit: Number.MAX_SAFE_INTEGER }, model).ids;
  const terms = taxonomies.flatMap((taxonomy) => model.terms(taxonomy).map(({ id }) => id));
  for (const { what, id, position } of model.everyLeft()) {
    const then = model.earlier(position - 1);
    const below = what === 'author' ? [] : belowThen(id, what === 'item' ? pages : terms, what, then);
    for (const one of [id, ...below]) {
      const subject: SubjectOfPage = { type: what, id: one };
      const [before, now] = [presentAddress(subject, then, then), presentAddress(subject, then, model)];
      const path = before === null || before.includes('?') ? null : before.slice(then.site().url.length);
      if (path !== null && now !== null && now !== before && !found.has(path)) found.set(path, now);
    }
  }
  return found;
}

function belowThen(id: number, among: readonly number[], what: 'item' | 'term', then: Model): readonly number[] {
  const above = (one: number) =>
    what === 'item' ? then.lineage(one) : lineage(one, (term) => then.term(term)?.parent ?? 0);
  return among.filter((one) => one !== id && above(one).includes(id));
}

/** What a path leads to. */
export function subjectAt(path: string, model: Model): SubjectOfPage | null {
  const item = placeAt(path, model);
  if (item !== undefined) return { type: 'item', id: item.row.id };
  const [kind = '', ...slugs] = segmentsOf(path).map(normal);
  if (kind === 'author') return authorAt(slugs, model);
  const term = termAt(kind, slugs, model);
  return term === undefined ? null : { type: 'term', id: term.id };
}

function authorAt(slugs: readonly string[], model: Model): SubjectOfPage | null {
  const user = slugs.length === 1 ? model.userBySlug(slugs[0] ?? '') : undefined;
  return user === undefined ? null : { type: 'author', id: user.id };
}

/** The term whose page is at a path; `kind`: its first segment, `slugs`: the others. */
export function termAt(kind: string, slugs: readonly string[], model: Model): TermRow | undefined {
  const terms = allTermKinds.find(({ title, type }) => type.viewable && title === kind);
  const term = terms && model.termBySlug(terms.name, slugs.at(-1) ?? '');
  if (term === undefined) return undefined;
  const [, ...own] = segmentsOf(termLink(term, model).slice(model.site().url.length));
  return own.join('/') === slugs.join('/') ? term : undefined;
}

/** Its address now, if its page is public now and was public then. */
export function presentAddress({ type, id }: SubjectOfPage, then: Model, now: Model): string | null {
  if (type === 'item') return publicPlace(id, now)?.address ?? null;
  if (type === 'term') {
    const term = now.term(id);
    return term === undefined ? null : termLink(term, now);
  }
  const author = now.user(id);
  return author !== undefined && hadPage(author, then, now) ? userLink(author, now.site().url) : null;
}

/** Whether one of an author's posts was public then, too: otherwise nobody has seen the name that the author had. */
function hadPage({ id }: UserRow, then: Model, now: Model): boolean {
  return published({ authors: [id], order: 'asc', limit: few }, now).ids.some((post) => {
    const row = then.entry(post);
    return row?.status === 'publish' && row.author === id;
  });
}

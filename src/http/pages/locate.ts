import type { Model } from '#projections/model.ts';
import { parseQuery } from '../engine/query-string.ts';
import { type Place, publicPlace } from './place.ts';

/** What addresses of the site lead to: the inverse of the links in answers. Only what everybody may see is found. */

const PLAIN_LINKS = ['p', 'page_id', 'attachment_id'];
/** Only posts and products live in spaces of names of their own; the others come first, as in the reference system. */
const RANKS: readonly Place['type'][] = ['page', 'attachment', 'post', 'product'];

export function placeAt(path: string, model: Model): Place | undefined {
  const segments = segmentsOf(path);
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  const wanted = normalPath(segments);
  const start = model.site().url.length;
  return [...new Set([last.toLowerCase(), normal(last)])]
    .flatMap((slug) => model.named(slug))
    .flatMap((id) => publicPlace(id, model) ?? [])
    .filter(({ address }) => normalPath(segmentsOf(address.slice(start))) === wanted)
    .sort((a, b) => RANKS.indexOf(a.type) - RANKS.indexOf(b.type))[0];
}

/** The place that a plain link (`?p=12`) names; null when the query is none. */
export function placeInQuery(query: string, model: Model): Place | undefined | null {
  if (query === '') return null;
  const params = parseQuery(query);
  const id = PLAIN_LINKS.map((name) => params[name]).find((one) => typeof one === 'string' && /^\d{1,15}$/.test(one));
  return id === undefined ? null : publicPlace(Number(id), model);
}

/** The place that an address names which somebody gives: of this host, whatever its scheme (interface behaviour, section 23). */
export function placeByUrl(address: string, model: Model): Place | undefined {
  const url = URL.parse(address);
  if (url === null || !isOwn(address, model)) return undefined;
  const base = new URL(model.site().url).pathname.replace(/\/$/, '');
  if (!`${url.pathname}/`.startsWith(`${base}/`)) return undefined;
  const named = placeInQuery(url.search.slice(1), model);
  if (named !== null) return named;
  const path = url.pathname.slice(base.length);
  return placeAt(pathOfFramed(path) ?? path, model);
}

/** Whether an address is one of this site's host; a leading `www.` does not count. */
export function isOwn(address: string, model: Model): boolean {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return bareHost(url) === bareHost(new URL(model.site().url));
}

/** The path of the item that a path is the frame of; null when it is that of none. */
export function pathOfFramed(path: string): string | null {
  const segments = segmentsOf(path);
  return segments.pop()?.toLowerCase() === 'embed' ? segments.join('/') : null;
}

export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** A part of a path as slugs are written: lower case, everything outside of ASCII escaped. */
export function normal(segment: string): string {
  try {
    // Bytes that a client sends as they are come in one character each.
    const text = /[\x80-\xff]/.test(segment) ? Buffer.from(segment, 'latin1').toString('utf8') : segment;
    return encodeURIComponent(decodeURIComponent(text)).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

function normalPath(segments: readonly string[]): string {
  return segments.map(normal).join('/');
}

function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

import { kindOf } from '#domain/entry/kinds.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { parseQuery } from '#text/query-string.ts';
import { canReadEntry, canReadMedia } from '../rights.ts';
import { frontPage } from './front.ts';
import { atStore } from './interface.ts';
import { mediaLink, permalink, slugAddress } from './items.ts';

export type Place = Found<'post' | 'page' | 'product', EntryRow> | Found<'attachment', MediaRow>;

interface Found<T, R> {
  readonly type: T;
  readonly row: R;
  readonly address: string;
}

const PLAIN_LINKS = ['p', 'page_id', 'attachment_id'];
/** Products have a name space of their own. A file may come to the top where its post was, and then gives way. */
const RANKS: readonly Place['type'][] = ['page', 'post', 'attachment', 'product'];

/** Resolves addresses of the site: the inverse of the links in responses. Finds only what is public. */

/** The place of an entry or media item; undefined if it does not exist or is not public. */
export function publicPlace(id: number, model: Model): Place | undefined {
  const row = model.entry(id);
  if (row !== undefined) {
    return hasPage(row) ? { type: placeType(row.kind), row, address: permalink(row, model) } : undefined;
  }
  const media = model.media(id);
  if (media === undefined || !canReadMedia(anonymous, media, model)) return undefined;
  return { type: 'attachment', row: media, address: mediaLink(media, model, anonymous) };
}

export function frameAddress({ address: page }: { readonly address: string }, model: Model): string {
  const address = atStore(page, model.site());
  return address.includes('?') ? `${address}&embed=true` : `${address}embed/`;
}

function hasPage(row: EntryRow): boolean {
  return kindOf(row.kind).type.viewable && canReadEntry(anonymous, row);
}

export function placeType(kind: string): 'post' | 'page' | 'product' {
  return kind === 'page' || kind === 'product' ? kind : 'post';
}

export function placeAt(path: string, model: Model): Place | undefined {
  const segments = segmentsOf(path);
  const last = segments.at(-1);
  if (last === undefined) return publicPlace(frontPage(model)?.id ?? 0, model);
  const wanted = normalPath(segments);
  const start = model.site().url.length;
  return [...new Set([last.toLowerCase(), normal(last)])]
    .flatMap((slug) => model.named(slug))
    .flatMap((id) => publicPlace(id, model) ?? [])
    .filter((place) => normalPath(segmentsOf(ownAddress(place, model).slice(start))) === wanted)
    .sort((a, b) => RANKS.indexOf(a.type) - RANKS.indexOf(b.type))[0];
}

/** The place named by a plain link (`?p=12`); null if the query is not one. */
export function placeInQuery(query: string, model: Model): Place | undefined | null {
  if (query === '') return null;
  const params = parseQuery(query);
  const id = PLAIN_LINKS.map((name) => params[name]).find((one) => typeof one === 'string' && /^\d{1,15}$/.test(one));
  return id === undefined ? null : publicPlace(Number(id), model);
}

/** The place of an address from a user: on this host, with any scheme (interface behaviour, section 23). */
export function placeByUrl(address: string, model: Model): Place | undefined {
  const own = ownPath(address, model);
  if (own === null) return undefined;
  const [path = '', query = ''] = own.split(/\?(.*)/s);
  const named = placeInQuery(query, model);
  if (named !== null) return named;
  return placeAt(pathOfFramed(path) ?? path, model);
}

/** Whether an address is on a host of this site; a leading `www.` is ignored. */
export function isOwn(address: string, model: Model): boolean {
  return hostsOf(address, model).length > 0;
}

/** The path and query of an address below that of the site or of this server; null for other addresses. */
export function ownPath(address: string, model: Model): string | null {
  for (const own of hostsOf(address, model)) {
    const base = new URL(own).pathname.replace(/\/$/, '');
    const { pathname, search } = new URL(address);
    if (`${pathname}/`.startsWith(`${base}/`)) return pathname.slice(base.length) + search;
  }
  return null;
}

/** The addresses of the site and of this server that are on the host of an address, with any scheme. */
function hostsOf(address: string, model: Model): readonly string[] {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
  const { url: site, storeUrl } = model.site();
  const all = [...new Set([site, storeUrl])].filter((own) => bareHost(url) === bareHost(new URL(own)));
  // One may be below the other.
  return all.sort((one, other) => other.length - one.length);
}

/** The path of the item whose embed frame is at a path; null if the path is not that of a frame. */
export function pathOfFramed(path: string): string | null {
  const segments = segmentsOf(path);
  return segments.pop()?.toLowerCase() === 'embed' ? segments.join('/') : null;
}

export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Normalises a path segment as slugs are stored: lower case, everything outside ASCII escaped. */
export function normal(segment: string): string {
  try {
    // Raw bytes in a request target arrive as one character each.
    const text = /[\x80-\xff]/.test(segment) ? Buffer.from(segment, 'latin1').toString('utf8') : segment;
    return encodeURIComponent(decodeURIComponent(text)).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

/** The address that an item would have if it were not shown at that of the site. */
function ownAddress(place: Place, model: Model): string {
  const isFront = place.type === 'page' && place.address === `${model.site().url}/`;
  return isFront ? slugAddress(place.row, model) : place.address;
}

function normalPath(segments: readonly string[]): string {
  return segments.map(normal).join('/');
}

function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

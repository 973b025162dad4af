import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { parseQuery } from '../engine/query-string.ts';
import { permalink } from '../tables/entries/links.ts';
import { canRead } from '../tables/entries/policy.ts';

/** What addresses of the site lead to: the inverse of `permalink`. Only what everybody may read is found. */

const PLAIN_LINKS = ['p', 'page_id', 'attachment_id'];
const EMBED = /^embed$/i;

/** The entry whose permalink has this path below the site, whatever its case and escapes. */
export function entryAt(path: string, model: Model): EntryRow | undefined {
  const segments = segmentsOf(path);
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  const wanted = normalPath(segments);
  const fitting = [...new Set([last.toLowerCase(), normal(last)])]
    .flatMap((slug) => model.entriesNamed(slug))
    .flatMap((id) => publicEntry(id, model) ?? [])
    .filter((row) => normalPath(segmentsOf(pathOf(row, model))) === wanted);
  // Only posts live in a space of names of their own; the others come first, as in the reference system.
  return fitting.find(({ kind }) => kind !== 'post') ?? fitting[0];
}

/** The entry that a plain link (`?p=12`) names; null when the query is none. */
export function entryByQuery(query: string, model: Model): EntryRow | undefined | null {
  const id = idIn(query);
  return id === null ? null : publicEntry(id, model);
}

/** The entry that an address names which somebody gives: of this host, whatever its scheme (interface behaviour, section 23). */
export function entryByUrl(address: string, model: Model): EntryRow | undefined {
  const url = URL.parse(address);
  if (url === null || !isOwn(address, model)) return undefined;
  const base = new URL(model.site().url).pathname.replace(/\/$/, '');
  if (!url.pathname.startsWith(base)) return;
  const path = url.pathname.slice(base.length);
  const id = idIn(url.search.slice(1));
  if (id !== null) return publicEntry(id, model);
  const segments = segmentsOf(path);
  if (EMBED.test(segments.at(-1) ?? '')) segments.pop();
  return entryAt(segments.join('/'), model);
}

/** Whether an address is one of this site's host; a leading `www.` does not count. */
export function isOwn(address: string, model: Model): boolean {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return bareHost(url) === bareHost(new URL(model.site().url));
}

/** Path of an entry's permalink below the site. */
export function pathOf(row: EntryRow, model: Model): string {
  return permalink(row, model).slice(model.site().url.length);
}

/** Parts of a path between its slashes. */
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

function publicEntry(id: number, model: Model): EntryRow | undefined {
  const row = model.entry(id);
  return row !== undefined && canRead(anonymous, row) ? row : undefined;
}

function idIn(query: string): number | null {
  if (query === '') return null;
  const params = parseQuery(query);
  const value = PLAIN_LINKS.map((name) => params[name]).find(
    (one) => typeof one === 'string' && /^\d{1,15}$/.test(one),
  );
  return value === undefined ? null : Number(value);
}

function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

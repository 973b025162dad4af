import { createHash } from 'node:crypto';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { shownName } from '#domain/media/naming.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { lineage } from '#projections/kernel/lineage.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { NamedTerm } from '#projections/terms/definition.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { canReadEntry, isPrivate } from '../rights.ts';
import { isFront } from './front.ts';
import { CONTENT, namespaceUrl } from './interface.ts';

/** Addresses of entries, terms, users and media items, and of files (interface behaviour, sections 12 and 22). */

/** The address of the entry's page: its permalink if it is published or private, that of the site if it is shown there, else the plain link. */
export function permalink(row: EntryRow, model: Model): string {
  const site = model.site();
  const { url } = site;
  const kind = kindOf(row.kind);
  if (row.status !== 'publish' && row.status !== 'private') return plainLink(row, kind, url);
  return isFront(row, site) ? `${url}/` : slugAddress(row, model);
}

/** The address that the slugs of an entry and those above it make. */
export function slugAddress(row: EntryRow, model: Model): string {
  return `${model.site().url}/${kindOf(row.kind).root}${path(row, model)}${row.slug}/`;
}

export function permalinkTemplate(row: EntryRow, model: Model): string {
  const { url } = model.site();
  const kind = kindOf(row.kind);
  if (kind.hierarchical) return `${url}/${kind.root}${decodedSlug(path(row, model))}%pagename%/`;
  return row.status === 'trash' ? plainLink(row, kind, url) : `${url}/${kind.root}%postname%/`;
}

export function decodedSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

export function guid(row: EntryRow, model: Model): string {
  return plainLink(row, kindOf(row.kind), urlThen(row.id, model));
}

/** The address that the site had when an entry, a media item or a comment was made: what identifies it never changes. */
export function urlThen(id: number, model: Model, of: 'items' | 'comments' = 'items'): string {
  const { storeUrl, earlierUrls = [] } = model.site();
  return earlierUrls.find((earlier) => id < earlier[of])?.url ?? storeUrl;
}

function plainLink(row: EntryRow, kind: EntryKind, url: string): string {
  return `${url}/?${kind.plainLink}=${row.id}`;
}

export function collectionUrl(kind: EntryKind, model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/${kind.base}`;
}

function path(row: EntryRow, model: Model): string {
  if (row.parent === 0) return '';
  return model
    .lineage(row.parent)
    .map((id) => (model.entry(id) ?? model.media(id))?.slug ?? '')
    .filter((slug) => slug !== '')
    .reverse()
    .map((slug) => `${slug}/`)
    .join('');
}

/** The address of the page with the term's posts, below the slugs of its ancestors; a plain link for terms without a page. */
export function termLink(row: NamedTerm, model: Model): string {
  const { title, type } = termKinds[row.taxonomy];
  const { url } = model.site();
  if (!type.viewable) return `${url}/?taxonomy=${row.taxonomy}&term=${row.slug}`;
  const ancestors = lineage(row.id, (id) => model.term(id)?.parent ?? 0);
  const slugs = ancestors.map((id) => model.term(id)?.slug ?? '').reverse();
  return `${url}/${title}/${slugs.join('/')}/`;
}

export function userLink({ slug }: Pick<UserRow, 'slug'>, url: string): string {
  return `${url}/author/${slug}/`;
}

/** Addresses of a user's picture by size. They contain a digest, which does not reveal the mail address or login. */
export function avatars(user: Pictured, url: string): Record<number, string> {
  return Object.fromEntries([24, 48, 96].map((size) => [size, avatarAddress(user, url, size)]));
}

export interface Pictured {
  readonly email: string;
  readonly login: string;
}

export function avatarAddress({ email, login }: Pictured, url: string, size: number): string {
  const digest = createHash('sha256')
    .update((email || login).toLowerCase())
    .digest('hex');
  return `${url}/avatar/${digest}?s=${size}`;
}

/** The address of the item's page: below its host, if that is public. */
export function mediaLink(row: MediaRow, model: Model, viewer: Viewer): string {
  // A number there would mean a page of the post.
  const name = /^\d+$/.test(row.slug) ? `attachment/${row.slug}` : row.slug;
  if (row.parent === 0) return `${model.site().url}/${row.slug}/`;
  return belowHost(row, name, { model, viewer }) ?? plainMediaLink(row, model);
}

export function linkTemplate(row: MediaRow, model: Model, viewer: Viewer): string {
  return belowHost(row, '%postname%', { model, viewer }) ?? plainMediaLink(row, model);
}

/** Address of a file in the item's folder. A delivery network serves public files only. */
export function fileUrl(row: MediaRow, name: string, model: Model): string {
  const { storeUrl, mediaUrl } = model.site();
  return `${isPrivate(row) ? storeUrl : mediaUrl}/uploads/${row.folder}/${name}`;
}

/** Name of the file that is shown: the upload, or the one made in its place. */
export function shownFile({ name, shown }: Pick<MediaRow, 'name' | 'shown'>): string {
  return shown === null ? name : shownName(name, shown.suffix);
}

export function sourceUrl(row: MediaRow, model: Model): string {
  return fileUrl(row, shownFile(row), model);
}

/** The address of the shown file as it was when the item was made. */
export function mediaGuid(row: MediaRow, model: Model): string {
  return `${urlThen(row.id, model)}/uploads/${row.folder}/${shownFile(row)}`;
}

export function mediaUrl(model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/media`;
}

/** The entry that an item is attached to, if it exists, and its path in the interface below the namespace. */
export function mediaHostOf(row: MediaRow, model: Model): { readonly host: EntryRow; readonly path: string } | null {
  const host = row.parent === 0 ? undefined : model.entry(row.parent);
  return host === undefined ? null : { host, path: `${kindOf(host.kind).base}/${host.id}` };
}

function belowHost(
  row: MediaRow,
  name: string,
  { model, viewer }: { readonly model: Model; readonly viewer: Viewer },
): string | null {
  const host = mediaHostOf(row, model)?.host;
  const isOpen = host?.status === 'publish' || (host?.status === 'private' && canReadEntry(viewer, host));
  return host === undefined || !isOpen ? null : `${permalink(host, model)}${name}/`;
}

function plainMediaLink({ id }: MediaRow, model: Model): string {
  return `${model.site().url}/?attachment_id=${id}`;
}

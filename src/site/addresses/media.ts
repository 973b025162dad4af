import { kindOf } from '#domain/entry/kinds.ts';
import { shownName } from '#domain/media/naming.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canReadMedia, isPrivate } from '../rights/media.ts';
import { permalink } from './entries.ts';
import { CONTENT, namespaceUrl } from './interface.ts';

/** Addresses of a media item and of its files (interface behaviour, sections 12 and 22). */

/** The address of the item's page: below its host, if that is public. */
export function mediaLink(row: MediaRow, model: Model, viewer: Viewer): string {
  // A number there would mean a page of the post.
  const name = /^\d+$/.test(row.slug) ? `attachment/${row.slug}` : row.slug;
  if (row.parent === 0) return `${model.site().url}/${row.slug}/`;
  return belowHost(row, name, { model, viewer }) ?? plainLink(row, model);
}

export function linkTemplate(row: MediaRow, model: Model, viewer: Viewer): string {
  return belowHost(row, '%postname%', { model, viewer }) ?? plainLink(row, model);
}

/** Address of a file in the item's folder. A delivery network serves public files only. */
export function fileUrl(row: MediaRow, name: string, model: Model): string {
  const { url, mediaUrl } = model.site();
  return `${isPrivate(row) ? url : mediaUrl}/uploads/${row.folder}/${name}`;
}

/** Name of the file that is shown: the upload, or the one made in its place. */
export function shownFile({ name, shown }: Pick<MediaRow, 'name' | 'shown'>): string {
  return shown === null ? name : shownName(name, shown.suffix);
}

export function sourceUrl(row: MediaRow, model: Model): string {
  return fileUrl(row, shownFile(row), model);
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
  const isOpen = host?.status === 'publish' || (host?.status === 'private' && canReadMedia(viewer, row, model));
  return host === undefined || !isOpen ? null : `${permalink(host, model)}${name}/`;
}

function plainLink({ id }: MediaRow, model: Model): string {
  return `${model.site().url}/?attachment_id=${id}`;
}

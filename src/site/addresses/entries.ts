import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from './interface.ts';

/** Addresses of an entry (interface behaviour, section 12). */

/** The address of the entry's page: its permalink if it is published or private, else the plain link. */
export function permalink(row: EntryRow, model: Model): string {
  const { url } = model.site();
  const kind = kindOf(row.kind);
  if (row.status !== 'publish' && row.status !== 'private') return plainLink(row, kind, url);
  return `${url}/${kind.root}${path(row, model)}${row.slug}/`;
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
  return plainLink(row, kindOf(row.kind), model.site().url);
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

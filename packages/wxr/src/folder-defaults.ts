import type { AuthorRecord, ItemRecord } from './records.ts';

/** An item that says nothing. */
export const emptyItem: ItemRecord = {
  ...{ kind: 'item', id: 0, type: 'post', status: 'publish', slug: '', title: '', content: '', excerpt: '' },
  ...{ footnotes: '', link: '', guid: '', author: {}, date: null, dateGmt: null, modified: null, modifiedGmt: null },
  ...{ parent: 0, menuOrder: 0, commentStatus: '', pingStatus: '', password: '', sticky: false, template: '' },
  ...{ format: '', terms: [], featured: 0, file: null, menuItem: null, syncStatus: '', meta: [] },
};

/** An author of whom nothing is known. */
export const emptyAuthor: AuthorRecord = {
  ...{ kind: 'author', id: 0, login: '', email: '', displayName: '', firstName: '', lastName: '', slug: '' },
  ...{ url: '', description: '', roles: [] },
};

/** MIME types of files that texts show or lead to, by the endings of their names. */
export const fileTypes: Readonly<Record<string, string>> = {
  ...{
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    png: 'image/png',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
  },
  ...{ svg: 'image/svg+xml', ico: 'image/x-icon', bmp: 'image/bmp', tif: 'image/tiff', tiff: 'image/tiff' },
  ...{ mp3: 'audio/mpeg', m4a: 'audio/mp4', ogg: 'audio/ogg', wav: 'audio/wav', flac: 'audio/flac' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime', ogv: 'video/ogg', vtt: 'text/vtt' },
  ...{
    pdf: 'application/pdf',
    zip: 'application/zip',
    epub: 'application/epub+zip',
    txt: 'text/plain',
    csv: 'text/csv',
  },
};

/** The ending of a name, without the dot. */
export function fileEnding(path: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** A name as a part of addresses: letters, numbers and hyphens. */
export function asSlug(name: string): string {
  const parts =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return parts
    .join('-')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

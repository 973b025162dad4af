import { posix } from 'node:path';
import { asSlug, fileEnding, fileTypes } from './folder-defaults.ts';
import type { FolderPreset } from './folder-presets.ts';
import type { FolderTree } from './folder-tree.ts';

const textEndings = ['md', 'markdown', 'mdx', 'html', 'htm'];

export function isTextFile(path: string, { texts }: FolderPreset): boolean {
  const isBelow = texts === '' || path.startsWith(`${texts}/`) || /^_(?:posts|drafts)\//.test(path);
  return isBelow && textEndings.includes(fileEnding(path));
}

export function isMediaFile(path: string): boolean {
  return Object.hasOwn(fileTypes, fileEnding(path));
}

/** The type of an item in a file: that of the longest folder above it that has one. */
export function typeOfPath(path: string, { types }: FolderPreset): string {
  const fitting = Object.keys(types).filter((folder) => folder === '' || `/${path}`.includes(`/${folder}/`));
  const longest = fitting.sort((one, other) => other.length - one.length)[0];
  return (longest === undefined ? undefined : types[longest]) ?? 'post';
}

/** What the path of a file says about its text. */
export interface NameInFolder {
  /** Folders above it, below that of all texts. */
  readonly folders: readonly string[];
  /** Its own name, without date and ending; '': it is the text of its folder. */
  readonly name: string;
  /** Date at the beginning of its name; '': none. */
  readonly day: string;
}

export function namedText(path: string, { texts }: FolderPreset): NameInFolder {
  const below = texts !== '' && path.startsWith(`${texts}/`) ? path.slice(texts.length + 1) : path;
  const folders = below
    .split('/')
    .slice(0, -1)
    .filter((one) => !/^_(?:posts|drafts)$/.test(one));
  const file = posix.basename(path, posix.extname(path));
  const [, day = '', name = file] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(file) ?? [];
  if (!/^_?index$/.test(name)) return { folders, name, day };
  const own = folders.at(-1) ?? '';
  const [, ofFolder = day] = /^(\d{4}-\d\d-\d\d)-/.exec(own) ?? [];
  return { folders, name: '', day: ofFolder };
}

/** The slug of a text whose front matter has none. */
export function slugOfPath({ folders, name, day }: NameInFolder): string {
  const own = name || (folders.at(-1) ?? 'home');
  return asSlug(name === '' && day !== '' ? own.replace(/^\d{4}-\d\d-\d\d-/, '') : own);
}

/** The address of a text at the old site, without that of the site. */
export function addressOfText(
  named: NameInFolder,
  type: string,
  slug: string,
  parts: AddressParts,
  preset: FolderPreset,
): string {
  const pattern = parts.link || preset.permalinks[type] || '/:path/';
  const above = named.name === '' ? named.folders.slice(0, -1) : named.folders;
  const isTop = named.name === '' && named.folders.length === 0;
  const day = (parts.date ?? named.day).slice(0, 10).split('-');
  const values: Readonly<Record<string, string>> = {
    path: isTop ? '' : [...above, slug].join('/'),
    ...{
      title: slug,
      slug,
      slugorfilename: slug,
      name: named.name,
      filename: named.name,
      contentbasename: slug,
      basename: slug,
    },
    ...{ year: day[0] ?? '', month: day[1] ?? '', day: day[2] ?? '', output_ext: '.html' },
    ...{ categories: parts.categories.join('/'), section: named.folders[0] ?? '', sections: above.join('/') },
  };
  const filled = pattern.replace(/:([a-z_]+)/g, (_, name: string) => values[name] ?? '');
  if (/^https?:/.test(filled)) return filled;
  return `/${filled}`.replace(/\/{2,}/g, '/');
}

export interface AddressParts {
  /** An address or pattern of its own; '': the usual one. */
  readonly link: string;
  readonly date: string | null;
  /** Slugs. */
  readonly categories: readonly string[];
}

/** The address of a file that texts show: where the old site had it. */
export function addressOfFile(path: string, preset: FolderPreset): string {
  const own = encodeURI(pathOfFile(path, preset)).replace(/[?#()']/g, percentEncoded);
  return `${preset.baseUrl}/${own}`;
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Path of a file below the site. */
export function pathOfFile(path: string, { files, texts }: FolderPreset): string {
  const above = [...files, texts].filter((folder) => folder !== '' && path.startsWith(`${folder}/`));
  const longest = above.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? path : path.slice(longest.length + 1);
}

/** The file that an address in a text leads to; null: none of the folder. */
export function fileAt(address: string, from: string, preset: FolderPreset, tree: FolderTree): string | null {
  const { baseUrl, files, texts } = preset;
  const root = URL.parse(baseUrl)?.pathname.replace(/\/$/, '') ?? '';
  const below = [baseUrl, root].find((one) => one !== '' && `${address}/`.startsWith(`${one}/`));
  const own = below === undefined ? address : `/${address.slice(below.length)}`.replace(/^\/{2,}/, '/');
  if (own === '' || own.startsWith('#') || own.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(own)) return null;
  const path = decodedPath(/^[^?#]*/.exec(own)?.[0] ?? '').replace(/(?<=[^/])\/+$/, '');
  const atTop = path.replace(/^(?:[~@]\/|\/)/, '');
  const inFiles = files.map((folder) => posix.join(folder, atTop));
  const beside = posix.join(posix.dirname(from), path);
  const places = [...(path.startsWith('/') ? [] : [beside]), ...inFiles, posix.join(texts, atTop)];
  const found = places.flatMap((place) => [
    place,
    posix.join(place, 'index.md'),
    posix.join(place, '_index.md'),
    `${place}.md`,
  ]);
  return found.find((place) => tree.has(place)) ?? null;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

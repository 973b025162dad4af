import { posix } from 'node:path';
import { addressOfFile, fileAt, isMediaFile } from './folder-names.ts';
import type { FolderPreset } from './folder-presets.ts';
import type { FolderTree } from './folder-tree.ts';

/** What all texts of a folder say about each other. */
export interface FolderLinks {
  /** What an address in a text becomes. Files that it leads to are remembered. `lost`: told of one that leads to nothing in the folder. */
  readonly mapped: (address: string, from: string, lost?: () => void) => string;
  /** Id of the file that an address leads to, which is remembered; 0: none. */
  readonly fileId: (address: string, from: string) => number;
  /** Id of the text above another one; 0: none. */
  readonly parentOf: (path: string) => number;
  /** Whether a path is the address of another text than the one named. */
  readonly isOfAnother: (path: string, than: string) => boolean;
  /** The address of a text that another one calls by the path or name of its file; null: there is none. */
  readonly named: (name: string, from: string) => string | null;
}

/** Addresses by the paths of texts, and others that led to texts. */
export interface LinkedTexts {
  readonly links: ReadonlyMap<string, string>;
  readonly aliases: ReadonlySet<string>;
}

/** Pages that generators make of nothing but names and dates. */
const LISTS = /^\/(?:tags?|categor(?:y|ies)|authors?|archives?|page)(?:\/|$)|^\/(?:index|feed|rss|atom|sitemap)\.xml$/;

/** `shown`: gets the files that texts show or lead to. */
export function linksOf(
  tree: FolderTree,
  preset: FolderPreset,
  { links, aliases }: LinkedTexts,
  shown: Set<string>,
): FolderLinks {
  const base = new URL(preset.baseUrl);
  const root = base.pathname.replace(/\/$/, '');
  const byPath = new Map([...links.values()].map((link) => [plainPath(new URL(link, base)), link]));
  const folders = new Set([...byPath.keys()].map((path) => path.slice(0, path.lastIndexOf('/'))));
  const others = new Set([...aliases].map((one) => plainPath(new URL(one, base))));
  const fileOf = (address: string, from: string) => {
    const path = fileAt(address, from, preset, tree);
    if (path !== null && isMediaFile(path)) shown.add(path);
    return path;
  };
  const byAddress = (address: string, from: string, lost: () => void) => {
    const url = URL.parse(address, links.get(from) ?? preset.baseUrl);
    if (url === null || url.host !== base.host) return address;
    // Where the folder of the site is left out, it is meant.
    const paths = [plainPath(url), root + plainPath(url)];
    const link = paths.flatMap((path) => byPath.get(path) ?? [])[0];
    if (link !== undefined) return link + url.search + url.hash;
    const below = paths.map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length) : path));
    const isKnown = paths.some((path) => path === root || others.has(path) || folders.has(path));
    if (!isKnown && !below.some((path) => LISTS.test(path))) lost();
    return address;
  };
  return {
    isOfAnother: (path, than) => ![undefined, links.get(than)].includes(byPath.get(plainPath(new URL(path, base)))),
    mapped: (address, from, lost = () => undefined) => {
      if (address === '' || /^(?:#|\/\/)/.test(address)) return address;
      const path = fileOf(address, from);
      if (path !== null && isMediaFile(path)) return addressOfFile(path, preset);
      const link = path === null ? undefined : links.get(path);
      return link === undefined ? byAddress(address, from, lost) : link + restOf(address);
    },
    fileId: (address, from) => {
      const path = fileOf(address, from);
      return path !== null && isMediaFile(path) ? tree.idOf(path) : 0;
    },
    parentOf: (path) => {
      const folder = posix.dirname(path);
      const isOwn = /^_?index\.\w+$/.test(posix.basename(path));
      const above = isOwn ? posix.dirname(folder) : folder;
      if (above === '.' || above === preset.texts || (isOwn && folder === '.')) return 0;
      const found = ['_index.md', 'index.md', '_index.html', 'index.html'].map((name) => posix.join(above, name));
      const page = found.find((one) => links.has(one));
      return page === undefined ? 0 : tree.idOf(page);
    },
    named: (name, from) => {
      const own = /^[^#]*/.exec(name)?.[0] ?? '';
      const beside = [own, `../${own}`].flatMap((one) => fileAt(one, from, preset, tree) ?? []);
      const path = beside.find((one) => links.has(one)) ?? calledSo(own, links);
      return path === undefined ? null : (links.get(path) ?? '') + restOf(name);
    },
  };
}

/** The only text with a name. */
function calledSo(name: string, links: ReadonlyMap<string, string>): string | undefined {
  const wanted = bareName(name);
  const found = wanted === '' ? [] : [...links.keys()].filter((path) => bareName(path) === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** The name of a file without its ending, or of the folder of which it is the text. */
function bareName(path: string): string {
  const bare = path.replace(/\.(?:md|markdown|mdx|html?)$/i, '').replace(/\/_?index$|\/$/, '');
  return posix.basename(bare).toLowerCase();
}

function plainPath(url: URL): string {
  const path = url.pathname.replace(/(?:\/index\.html?|\/)$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function restOf(address: string): string {
  const end = address.search(/[?#]/);
  return end < 0 ? '' : address.slice(end);
}

import { createReadStream } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { asSlug, emptyAuthor } from './folder-defaults.ts';
import { findGhostExport, type GhostExport, ghostParts } from './folder-ghost.ts';
import { type FolderLinks, folderFile, folderHead, folderItem, readFolderText } from './folder-items.ts';
import type { FolderMapping } from './folder-mapping.ts';
import { addressOfFile, fileAt, isMediaFile, isTextFile } from './folder-names.ts';
import { isOwnText, ownParts, ownSite } from './folder-own.ts';
import { type FolderPreset, findPreset, folderSite } from './folder-presets.ts';
import { type FolderTree, openTree } from './folder-tree.ts';
import { type KnownThing, type SiteSource, SourceFault, type SourceFile, type SourcePart } from './records.ts';

export interface FolderOptions {
  readonly mapping?: FolderMapping;
  /** Milliseconds since 1970: what has a later date is to appear in future. Absent: nothing is. */
  readonly now?: number;
}

/** What one pass over all texts finds. */
interface FolderScan {
  readonly links: ReadonlyMap<string, string>;
  readonly authors: ReadonlyMap<string, string>;
  /** By taxonomy and slug. */
  readonly terms: ReadonlyMap<string, { readonly taxonomy: string; readonly slug: string; readonly name: string }>;
}

type Way = { readonly heads: boolean; readonly isKnown: (what: KnownThing) => boolean };

/** A folder of Markdown and HTML with front matter, as static site generators have it, or as `writeFolderSite` writes it. */
export async function openFolderSource(folder: string, options: FolderOptions = {}): Promise<SiteSource> {
  const all = await openTree(folder, []);
  const site = await ownSite(all);
  const bytes = new Map<string, string>();
  let done = 0;
  const counted = () => {
    done += 1;
  };
  const source = (total: number, parts: (way: Way) => AsyncIterable<SourcePart>, root: string): SiteSource => ({
    ...{ name: basename(folder), form: 'folder', total, unit: 'files', done: () => done },
    // What another program wrote has no ids.
    ...(site ? {} : { hasIds: false as const }),
    read: async function* ({ heads = false, isKnown = () => false } = {}) {
      done = 0;
      yield* parts({ heads, isKnown });
    },
    file: async (file) => {
      const path = bytes.get(keyOf(file));
      return path === undefined ? null : bytesOf(join(root, path));
    },
  });
  if (site) {
    const located = (item: object, path: string) => {
      if ('file' in item && item.file) bytes.set(keyOf(item.file as SourceFile), path);
    };
    const parts = ({ isKnown }: Way) => ownParts(all, site, { isKnown, located }, counted);
    return source(all.paths.filter(isOwnText).length, parts, all.root);
  }
  const preset = await findPreset(all, options.mapping ?? {});
  const tree = await openTree(folder, preset.leaveOut);
  for (const path of tree.paths.filter(isMediaFile)) {
    const { file } = folderFile(path, preset, 0);
    if (file) bytes.set(keyOf(file), path);
  }
  const ghost = await findGhostExport(tree);
  if (ghost) return source(1, (way) => ghostRecords(ghost, tree, preset, way, counted), tree.root);
  const texts = tree.paths.filter((path) => isTextFile(path, preset));
  return source(texts.length, (way) => partsOf(tree, preset, texts, options.now, way, counted), tree.root);
}

function keyOf({ url, path }: SourceFile): string {
  return `${url}\n${path}`;
}

async function bytesOf(path: string): Promise<AsyncIterable<Buffer>> {
  const stream = createReadStream(path);
  return new Promise((resolve, reject) => {
    stream.once('ready', () => resolve(stream));
    stream.once('error', (error) =>
      reject(new SourceFault('file_missing', `${path} cannot be read: ${error.message}`)),
    );
  });
}

async function* ghostRecords(
  ghost: GhostExport,
  tree: FolderTree,
  preset: FolderPreset,
  { isKnown }: Way,
  counted: () => void,
): AsyncGenerator<SourcePart> {
  const shown = new Set<string>();
  const { mapped, fileId } = linksOf(tree, preset, { links: new Map() }, shown);
  const links = {
    mapped: (address: string) => mapped(address, ghost.path),
    fileId: (address: string) => fileId(address, ghost.path),
  };
  for (const part of ghostParts(ghost, links)) {
    const item = 'record' in part && part.record.kind === 'item' ? part.record : null;
    if (!item || item.modifiedGmt === null || !isKnown(item)) yield part;
  }
  yield* filesOf(shown, tree, preset);
  counted();
}

/** The files that texts show or lead to. */
function* filesOf(shown: ReadonlySet<string>, tree: FolderTree, preset: FolderPreset): Generator<SourcePart> {
  for (const path of [...shown].sort()) {
    yield { record: folderFile(path, preset, tree.idOf(path)), place: { file: path, line: 0 } };
  }
}

async function* partsOf(
  tree: FolderTree,
  preset: FolderPreset,
  texts: readonly string[],
  now: number | undefined,
  way: Way,
  counted: () => void,
): AsyncGenerator<SourcePart> {
  const scan = await scanned(tree, preset, texts);
  const at = (file: string) => ({ file, line: 0 });
  yield { record: folderSite(preset), place: at('') };
  for (const [login, displayName] of scan.authors)
    yield { record: { ...emptyAuthor, login, displayName }, place: at('') };
  for (const term of scan.terms.values())
    yield { record: { ...term, kind: 'term', id: 0, description: '', parent: null, meta: [] }, place: at('') };
  const shown = new Set<string>();
  const links = linksOf(tree, preset, scan, shown);
  for (const path of texts) {
    counted();
    const text = await readFolderText(tree, path);
    if (text === null) continue;
    if ('what' in text) {
      yield { notice: text };
      continue;
    }
    const head = folderHead(text, preset, tree.idOf, now);
    const item = folderItem(text, head, preset, links);
    const { id, modifiedGmt } = head;
    // Without a date of its last change, it may have changed.
    if (modifiedGmt !== null && way.isKnown({ kind: 'item', id, modifiedGmt })) continue;
    if ('what' in item) yield { notice: item };
    else yield { record: way.heads ? { ...item, content: '' } : item, place: at(path) };
  }
  yield* filesOf(shown, tree, preset);
}

async function scanned(tree: FolderTree, preset: FolderPreset, texts: readonly string[]): Promise<FolderScan> {
  const links = new Map<string, string>();
  const authors = new Map<string, string>();
  const terms = new Map<string, { taxonomy: string; slug: string; name: string }>();
  for (const path of texts) {
    const text = await readFolderText(tree, path);
    if (text === null || 'what' in text) continue;
    const head = folderHead(text, preset, tree.idOf);
    links.set(path, head.link);
    const login = head.author.name;
    if (login !== undefined && !authors.has(login)) authors.set(login, authorNamed(text.data, preset, login));
    for (const { taxonomy, name = '', label } of head.terms) {
      const key = `${taxonomy} ${name}`;
      if (!terms.has(key)) terms.set(key, { taxonomy, slug: name, name: label });
    }
  }
  return { links, authors, terms };
}

/** The name of an author as it was written. */
function authorNamed(data: Readonly<Record<string, unknown>>, { fields }: FolderPreset, login: string): string {
  const given = fields.authors
    .flatMap((name) => data[name] ?? [])
    .flatMap((one) => (typeof one === 'object' ? Object.values(one) : one));
  const names = given.flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  return names.map((name) => name.trim()).find((name) => asSlug(name) === login) ?? login;
}

/** `shown`: gets the files that texts show or lead to. */
function linksOf(
  tree: FolderTree,
  preset: FolderPreset,
  scan: Pick<FolderScan, 'links'>,
  shown: Set<string>,
): FolderLinks {
  const fileOf = (address: string, from: string) => {
    const path = fileAt(address, from, preset, tree);
    if (path !== null && isMediaFile(path)) shown.add(path);
    return path;
  };
  return {
    mapped: (address, from) => {
      const path = fileOf(address, from);
      const end = address.search(/[?#]/);
      const rest = end < 0 ? '' : address.slice(end);
      if (path === null) return address;
      if (isMediaFile(path)) return addressOfFile(path, preset);
      const link = scan.links.get(path);
      return link === undefined ? address : `${link}${rest}`;
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
      const page = found.find((one) => scan.links.has(one));
      return page === undefined ? 0 : tree.idOf(page);
    },
  };
}

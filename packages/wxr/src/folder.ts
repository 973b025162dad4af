import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { asSlug, emptyAuthor } from './folder-defaults.ts';
import { findGhostExport, type GhostExport, ghostParts } from './folder-ghost.ts';
import { folderFile, folderItem, type HeadedText, readFolderText } from './folder-items.ts';
import { type FolderLinks, type LinkedTexts, linksOf } from './folder-links.ts';
import type { FolderMapping } from './folder-mapping.ts';
import { isMediaFile, isTextFile } from './folder-names.ts';
import { isOwnText, ownParts, ownSite } from './folder-own.ts';
import { type FolderPreset, findPreset, folderSite } from './folder-presets.ts';
import { type FolderTree, folderNotice, openTree } from './folder-tree.ts';
import { type KnownThing, type SiteSource, SourceFault, type SourceFile, type SourcePart } from './records.ts';

export interface FolderOptions {
  readonly mapping?: FolderMapping;
  /** Milliseconds since 1970: what has a later date is to appear in future. Absent: nothing is. */
  readonly now?: number;
}

/** What one pass over all texts finds. */
interface FolderScan extends LinkedTexts {
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
    const { file } = folderFile(path, preset, { id: 0, time: 0 });
    if (file) bytes.set(keyOf(file), path);
  }
  const ghost = await findGhostExport(tree);
  if (ghost) return source(1, (way) => ghostRecords(ghost, tree, preset, way, counted), tree.root);
  const texts = tree.paths.filter((path) => isTextFile(path, preset));
  if (texts.length === 0) throw new SourceFault('nothing_found', nothingIn(folder, preset));
  return source(texts.length, (way) => partsOf(tree, preset, texts, options.now, way, counted), tree.root);
}

function nothingIn(folder: string, { generator, texts }: FolderPreset): string {
  const below = texts === '' ? '' : ` below ${texts}/, as ${generator} has them`;
  return `${folder} has no texts: looked for files .md, .markdown, .mdx and .html${below}, for an export of Ghost (.json at the top), and for site.json of an export of this store.`;
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
  const { mapped, fileId } = linksOf(tree, preset, { links: new Map(), aliases: new Set() }, shown);
  const links = {
    mapped: (address: string) => mapped(address, ghost.path),
    fileId: (address: string) => fileId(address, ghost.path),
  };
  for (const part of ghostParts(ghost, links, preset.baseUrl)) {
    const item = 'record' in part && part.record.kind === 'item' ? part.record : null;
    if (!item || item.modifiedGmt === null || !isKnown(item)) yield part;
  }
  yield* filesOf(shown, tree, preset);
  counted();
}

/** The files that texts show or lead to. */
function* filesOf(shown: ReadonlySet<string>, tree: FolderTree, preset: FolderPreset): Generator<SourcePart> {
  for (const path of [...shown].sort()) {
    yield {
      record: folderFile(path, preset, { id: tree.idOf(path), time: tree.timeOf(path) }),
      place: { file: path, line: 0 },
    };
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
  const scan = await scanned(tree, preset, texts, now);
  const at = (file: string) => ({ file, line: 0 });
  yield { record: folderSite(preset), place: at('') };
  for (const [login, displayName] of scan.authors)
    yield { record: { ...emptyAuthor, login, displayName }, place: at('') };
  for (const term of scan.terms.values())
    yield { record: { ...term, kind: 'term', id: 0, description: '', parent: null, meta: [] }, place: at('') };
  for (const notice of tree.notices) yield { notice };
  const shown = new Set<string>();
  const links = linksOf(tree, preset, scan, shown);
  for (const path of texts) {
    counted();
    const text = await readFolderText(tree, path, preset, now);
    if (text === null) continue;
    if ('what' in text) {
      yield { notice: text };
      continue;
    }
    const { item, notices } = folderItem(withoutTakenAliases(text, links), preset, links);
    for (const notice of notices) yield { notice };
    const { id, modifiedGmt } = text.head;
    // Without a date of its last change, it may have changed.
    if (item === null || (modifiedGmt !== null && way.isKnown({ kind: 'item', id, modifiedGmt }))) continue;
    yield { record: way.heads ? { ...item, content: '' } : item, place: at(path) };
  }
  yield* filesOf(shown, tree, preset);
}

/** The text without other addresses that are those of other texts, which is named. */
function withoutTakenAliases(text: HeadedText, { isOfAnother }: FolderLinks): HeadedText {
  const notices = [...text.notices];
  const meta = text.head.meta.flatMap(({ key, value }) => {
    if (key !== 'aliases') return { key, value };
    const aliases: readonly string[] = JSON.parse(value);
    const free = aliases.filter((alias) => !isOfAnother(alias, text.path));
    for (const alias of aliases.filter((one) => !free.includes(one)))
      notices.push(
        folderNotice(text.path, 'alias_taken', `has the alias ${alias}, which is the address of another text.`),
      );
    return free.length === 0 ? [] : { key, value: JSON.stringify(free) };
  });
  return { ...text, head: { ...text.head, meta }, notices };
}

async function scanned(
  tree: FolderTree,
  preset: FolderPreset,
  texts: readonly string[],
  now: number | undefined,
): Promise<FolderScan> {
  const aliases = new Set<string>();
  const links = new Map<string, string>();
  const authors = new Map<string, string>();
  const terms = new Map<string, { taxonomy: string; slug: string; name: string }>();
  for (const path of texts) {
    const text = await readFolderText(tree, path, preset, now);
    if (text === null || 'what' in text) continue;
    const { head } = text;
    const other = head.meta.find(({ key }) => key === 'aliases')?.value ?? '[]';
    for (const alias of JSON.parse(other)) aliases.add(alias);
    links.set(path, head.link);
    const login = head.author.name;
    if (login !== undefined && !authors.has(login)) authors.set(login, authorNamed(text.data, preset, login));
    for (const { taxonomy, name = '', label } of head.terms) {
      const key = `${taxonomy} ${name}`;
      if (!terms.has(key)) terms.set(key, { taxonomy, slug: name, name: label });
    }
  }
  return { links, aliases, authors, terms };
}

/** The name of an author as it was written. */
function authorNamed(data: Readonly<Record<string, unknown>>, { fields }: FolderPreset, login: string): string {
  const given = fields.authors
    .flatMap((name) => data[name] ?? [])
    .flatMap((one) => (typeof one === 'object' ? Object.values(one) : one));
  const names = given.flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  return names.map((name) => name.trim()).find((name) => asSlug(name) === login) ?? login;
}

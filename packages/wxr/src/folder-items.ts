import { posix } from 'node:path';
import { type FolderMoment, readFolderDate } from './folder-dates.ts';
import { asSlug, emptyItem, fileEnding, fileTypes } from './folder-defaults.ts';
import { FrontMatterFault, splitFrontMatter } from './folder-front-matter.ts';
import type { FolderField } from './folder-mapping.ts';
import { mapAddresses, markdownToBlocks, replaceTemplateTags } from './folder-markdown.ts';
import { addressOfFile, addressOfText, namedText, slugOfPath, typeOfPath } from './folder-names.ts';
import type { FolderPreset } from './folder-presets.ts';
import { type FolderTree, folderNotice, readText } from './folder-tree.ts';
import type { ItemRecord, ItemTerm, SourceNotice } from './records.ts';

/** A file with a text, as it stands in a folder. */
export interface FolderText {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly isMarkdown: boolean;
}

/** What all texts of a folder say about each other. */
export interface FolderLinks {
  /** What an address in a text becomes. Files that it leads to are remembered. */
  readonly mapped: (address: string, from: string) => string;
  /** Id of the file that an address leads to, which is remembered; 0: none. */
  readonly fileId: (address: string, from: string) => number;
  /** Id of the text above another one; 0: none. */
  readonly parentOf: (path: string) => number;
}

/** Reads a text of a folder. Null: it is none, such as a page of a theme. */
export async function readFolderText(tree: FolderTree, path: string): Promise<FolderText | SourceNotice | null> {
  const file = await readText(tree, path);
  if (typeof file !== 'string') return file;
  try {
    const { data, body, isThere } = splitFrontMatter(file);
    const isMarkdown = !/^html?$/.test(fileEnding(path));
    return isThere || isMarkdown ? { path, data, body, isMarkdown } : null;
  } catch (error) {
    const notice = textNotice(path, error);
    if (notice) return notice;
    throw error;
  }
}

/** What an exception says about a file; null: it is none of the file. */
export function textNotice(path: string, error: unknown): SourceNotice | null {
  if (error instanceof FrontMatterFault) return folderNotice(path, 'front_matter', error.message, error.line);
  const isDeep = error instanceof RangeError;
  return isDeep ? folderNotice(path, 'too_deep', 'has lists or quotations that are nested too deeply.') : null;
}

/** What tells and connects an item, without its text. */
export function folderHead(
  text: FolderText,
  preset: FolderPreset,
  idOf: (path: string) => number,
  now?: number,
): ItemRecord {
  const taken = takeFields(text, preset);
  const { take } = taken;
  const named = namedText(text.path, preset);
  const type = (take('type', textOrNull) ?? '') || typeOfPath(text.path, preset);
  const date = take('date', readFolderDate) ?? readFolderDate(named.day);
  const modified = take('modified', readFolderDate);
  const slug = asSlug(take('slug', textOrNull) ?? '') || slugOfPath(named);
  // One text is several words there.
  const asTerms = preset.generator === 'Jekyll' ? wordsOrNames : asNames;
  const categories = termsAs('category', take('categories', asTerms) ?? []);
  const terms = [...categories, ...termsAs('post_tag', take('tags', asTerms) ?? [])];
  const link = take('link', textOrNull) ?? '';
  const slugs = categories.map(({ name = '' }) => name);
  const address = addressOfText(named, type, slug, { link, date: date?.date ?? null, categories: slugs }, preset);
  const aliases = take('aliases', asNames) ?? [];
  const author = (take('authors', asNames) ?? [])[0];
  return {
    ...emptyItem,
    ...{ id: idOf(text.path), type, slug, terms, status: statusOf(taken, text.path, date, now) },
    title: (take('title', textOrNull) ?? '') || titleOf(text, named.name || slug),
    excerpt: take('excerpt', textOrNull) ?? '',
    link: address.startsWith('/') ? `${preset.baseUrl.replace(/(?<!\/)\/+$/, '')}${address}` : address,
    author: author === undefined ? {} : { name: asSlug(author) },
    ...{ date: date?.date ?? null, dateGmt: date?.dateGmt ?? null },
    ...{ modified: modified?.date ?? null, modifiedGmt: modified?.dateGmt ?? null },
    menuOrder: take('order', (value) => (Number.isSafeInteger(value) ? (value as number) : null)) ?? 0,
    commentStatus: { true: 'open', false: 'closed' }[String(take('comments', asBoolean))] ?? '',
    password: take('password', textOrNull) ?? '',
    sticky: take('sticky', asBoolean) === true,
    template: take('template', textOrNull) ?? '',
    meta: [...(aliases.length > 0 ? [{ key: 'aliases', value: JSON.stringify(aliases) }] : []), ...taken.others()],
  };
}

/** An item in full, or why it cannot be read. */
export function folderItem(
  text: FolderText,
  head: ItemRecord,
  preset: FolderPreset,
  links: FolderLinks,
): ItemRecord | SourceNotice {
  try {
    return withContent(text, head, preset, links);
  } catch (error) {
    const notice = textNotice(text.path, error);
    if (notice) return notice;
    throw error;
  }
}

function withContent(text: FolderText, head: ItemRecord, preset: FolderPreset, links: FolderLinks): ItemRecord {
  const mapped = (address: string) => links.mapped(address, text.path);
  const body = replaceTemplateTags(withoutTitle(text), preset.generator);
  const content = text.isMarkdown ? markdownToBlocks(body, mapped) : mapAddresses(body.trim(), mapped);
  const key = preset.fields.featured.find((name) => asImage(text.data[name]) !== null);
  const image = key === undefined ? null : asImage(text.data[key]);
  const featured = image === null ? 0 : links.fileId(image, text.path);
  const meta = featured === 0 ? head.meta : head.meta.filter((one) => one.key !== `frontmatter:${key}`);
  return { ...head, content, featured, meta, parent: head.type === 'post' ? 0 : links.parentOf(text.path) };
}

/** A file that texts show or lead to. */
export function folderFile(path: string, preset: FolderPreset, id: number): ItemRecord {
  const name = posix.basename(path, posix.extname(path));
  const address = addressOfFile(path, preset);
  const type = fileTypes[fileEnding(path)] ?? '';
  return {
    ...emptyItem,
    ...{ id, type: 'attachment', status: 'inherit', slug: asSlug(name), title: name, link: address },
    file: {
      ...{ url: address, path: decodeURI(address).slice(1), type, altText: '', width: 0, height: 0, original: '' },
      sizes: [],
    },
  };
}

/** Takes what fields mean out of front matter; the others are what nobody took. */
function takeFields({ data }: FolderText, { fields }: FolderPreset) {
  const used = new Set<string>();
  const take = <T = unknown>(
    field: FolderField,
    read: (value: unknown) => T | null = (value) => value as T,
  ): T | null => {
    for (const name of fields[field]) {
      const value = Object.hasOwn(data, name) ? data[name] : null;
      const found = value === null || value === undefined ? null : read(value);
      if (found === null) continue;
      used.add(name);
      return found;
    }
    return null;
  };
  const others = () =>
    Object.entries(data)
      .filter(([name, value]) => !used.has(name) && value !== null && value !== undefined)
      .map(([name, value]) => ({ key: `frontmatter:${name}`, value: JSON.stringify(value) }));
  return { take, others };
}

function statusOf(
  { take }: ReturnType<typeof takeFields>,
  path: string,
  date: FolderMoment | null,
  now: number | undefined,
): string {
  const [draft, published] = [take('draft', asBoolean), take('published', asBoolean)];
  const known = ['publish', 'draft', 'pending', 'private', 'future', 'trash'];
  const given = take('status', (value) => {
    const status = value === 'published' ? 'publish' : value === 'scheduled' ? 'future' : value;
    return typeof status === 'string' && known.includes(status) ? status : null;
  });
  if (draft === true || published === false || /(?:^|\/)_drafts\//.test(path)) return 'draft';
  return given ?? (date !== null && now !== undefined && date.time > now ? 'future' : 'publish');
}

function termsAs(taxonomy: string, names: readonly string[]): ItemTerm[] {
  const bySlug = new Map(names.map((label) => [asSlug(label), label]));
  bySlug.delete('');
  return [...bySlug].map(([name, label]) => ({ taxonomy, name, label }));
}

const heading = /^\s*#[ \t]+([^\n]+)/;

/** The heading at the beginning, or the name of the file in words. */
function titleOf({ body, isMarkdown }: FolderText, name: string): string {
  const found = isMarkdown ? heading.exec(body)?.[1] : undefined;
  const words = name.replaceAll('-', ' ');
  return found?.trim() ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** A heading that is the title is no part of the text. */
function withoutTitle({ body, data, isMarkdown }: FolderText): string {
  return isMarkdown && data['title'] === undefined ? body.replace(heading, '') : body;
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textOrNull(value: unknown): string | null {
  return asText(value) || null;
}

function wordsOrNames(value: unknown): readonly string[] | null {
  return asNames(typeof value === 'string' ? value.split(/\s/).filter((word) => word !== '') : value);
}

function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Names in a list, also of objects with names; a text is one name, or several with commas between them. */
function asNames(value: unknown): readonly string[] | null {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  if (!Array.isArray(value)) return isNamed(value) ? [value.name] : null;
  return value.flatMap((one) => (isNamed(one) ? [one.name] : asText(one) || []));
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function asImage(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { image, src, url, path } = value as Record<string, unknown>;
  return ([image, src, url, path].find((one) => typeof one === 'string') as string | undefined) ?? null;
}

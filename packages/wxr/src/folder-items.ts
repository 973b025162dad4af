import { posix } from 'node:path';
import { folderMoment } from './folder-dates.ts';
import { asSlug, emptyItem, fileEnding, fileTypes } from './folder-defaults.ts';
import { asBoolean, asImage, asNames, type FolderText, takeFields, textOrNull, wordsOrNames } from './folder-fields.ts';
import { takeFootnotes } from './folder-footnotes.ts';
import { FrontMatterFault, splitFrontMatter } from './folder-front-matter.ts';
import type { FolderLinks } from './folder-links.ts';
import { mapAddresses, markdownToBlocks } from './folder-markdown.ts';
import { addressOfFile, addressOfText, namedText, pathOfFile, slugOfPath, typeOfPath } from './folder-names.ts';
import type { FolderPreset } from './folder-presets.ts';
import { replaceTags } from './folder-tags.ts';
import { folderTimes } from './folder-times.ts';
import { type FolderTree, folderNotice, readText } from './folder-tree.ts';
import type { ItemRecord, ItemTerm, SourceNotice } from './records.ts';

/** A text with all that is known of it before the other ones are read. */
export interface HeadedText extends FolderText {
  readonly head: ItemRecord;
  readonly notices: readonly SourceNotice[];
}

/** Reads a text of a folder. Null: it has none, such as a page that only lists others. */
export async function readFolderText(
  tree: FolderTree,
  path: string,
  preset: FolderPreset,
  now: number | undefined,
): Promise<HeadedText | SourceNotice | null> {
  const file = await readText(tree, path);
  if (typeof file !== 'string') return file;
  try {
    const { data, body, isThere } = splitFrontMatter(file);
    const isMarkdown = !/^html?$/.test(fileEnding(path));
    if (!isThere && !isMarkdown) return folderNotice(path, 'no_front_matter', withoutFrontMatter);
    const lineBefore = (length: number) => file.slice(0, file.length - length).split('\n').length;
    const lineOf = (words: string) => (file.includes(words) ? lineBefore(file.length - file.indexOf(words)) : 0);
    const text = { path, data, body, isMarkdown, time: tree.timeOf(path), lineOf, lineBefore };
    const headed = folderHead(text, preset, tree.idOf, now);
    return isListOnly(text, headed.head, preset) ? null : { ...text, ...headed };
  } catch (error) {
    const notice = textNotice(path, error);
    if (notice) return notice;
    throw error;
  }
}

const withoutFrontMatter =
  'has no front matter, so it is left out: put a line --- twice at its beginning if it is a text.';

/** Whether it is the empty text of a folder, for which generators show what is in the folder. */
function isListOnly({ path, body }: FolderText, { type }: ItemRecord, preset: FolderPreset): boolean {
  const { name, folders } = namedText(path, preset);
  return name === '' && body.trim() === '' && (folders.length === 0 || (type === 'post' && /_index\.\w+$/.test(path)));
}

/** What an exception says about a file; null: it is none of the file. */
export function textNotice(path: string, error: unknown): SourceNotice | null {
  if (error instanceof FrontMatterFault) return folderNotice(path, 'front_matter', error.message, error.line);
  const isDeep = error instanceof RangeError;
  return isDeep ? folderNotice(path, 'too_deep', 'has lists or quotations that are nested too deeply.') : null;
}

/** What tells and connects an item, without its text. */
function folderHead(
  text: FolderText,
  preset: FolderPreset,
  idOf: (path: string) => number,
  now: number | undefined,
): Pick<HeadedText, 'head' | 'notices'> {
  const taken = takeFields(text, preset);
  const { take } = taken;
  const named = namedText(text.path, preset);
  const type = (take('type', textOrNull) ?? '') || typeOfPath(text.path, preset);
  const { record, said, notices } = folderTimes(text, taken, preset, { day: named.day, now });
  const slug = asSlug(take('slug', textOrNull) ?? '') || slugOfPath(named);
  // One text is several words there.
  const asTerms = preset.generator === 'Jekyll' ? wordsOrNames : asNames;
  const categories = termsAs('category', take('categories', asTerms) ?? []);
  const terms = [...categories, ...termsAs('post_tag', take('tags', asTerms) ?? [])];
  const own = take('link', textOrNull) ?? '';
  const slugs = categories.map(({ name = '' }) => name);
  const address = addressOfText(named, type, slug, { link: own, date: said?.date ?? null, categories: slugs }, preset);
  const link = address.startsWith('/') ? `${preset.baseUrl}${address}` : address;
  const aliases = (take('aliases', asNames) ?? []).flatMap((one) => aliasPath(one, link, preset));
  const author = (take('authors', asNames) ?? [])[0];
  const head = {
    ...emptyItem,
    ...{ ...record, id: idOf(text.path), type, slug, terms, link },
    title: (take('title', textOrNull) ?? '') || titleOf(text, named.name || slug),
    excerpt: take('excerpt', textOrNull) ?? '',
    author: author === undefined ? {} : { name: asSlug(author) },
    menuOrder: take('order', (value) => (Number.isSafeInteger(value) ? (value as number) : null)) ?? 0,
    commentStatus: { true: 'open', false: 'closed' }[String(take('comments', asBoolean))] ?? '',
    password: take('password', textOrNull) ?? '',
    sticky: take('sticky', asBoolean) === true,
    template: take('template', textOrNull) ?? '',
    meta: [...(aliases.length > 0 ? [{ key: 'aliases', value: JSON.stringify(aliases) }] : []), ...taken.others()],
  };
  return { head, notices };
}

/** The path of another address of a text, which is below the site or, with Hugo, beside the text. */
function aliasPath(alias: string, link: string, { baseUrl, generator }: FolderPreset): string | readonly [] {
  const beside = generator === 'Hugo' && !alias.startsWith('/') ? new URL('..', link).href : `${baseUrl}/`;
  const url = URL.parse(/^https?:/.test(alias) ? alias : beside + alias.replace(/^\/+/, ''));
  return url === null ? [] : url.pathname;
}

/** An item in full, or none if it cannot be read, and what is to be said of it. */
export function folderItem(
  text: HeadedText,
  preset: FolderPreset,
  links: FolderLinks,
): { readonly item: ItemRecord | null; readonly notices: readonly SourceNotice[] } {
  const notices = [...text.notices];
  try {
    const item = withContent(text, preset, links, (code, message, line) => {
      notices.push(folderNotice(text.path, code, message, line));
    });
    return { item, notices };
  } catch (error) {
    const notice = textNotice(text.path, error);
    if (notice) return { item: null, notices: [notice] };
    throw error;
  }
}

function withContent(
  text: HeadedText,
  preset: FolderPreset,
  links: FolderLinks,
  notice: (code: string, message: string, line: number) => void,
): ItemRecord {
  const { head, path, data, lineOf, lineBefore, isMarkdown } = text;
  const lost = (address: string) => () =>
    notice('leads_nowhere', `leads to ${address}, which is not in the folder.`, lineOf(address));
  const mapped = (address: string) => links.mapped(address, path, lost(address));
  const untold = (what: string, line: number) => notice('not_translated', `has ${what}, which stands as it is.`, line);
  const written = withoutTitle(text);
  const named = (name: string) => links.named(name, path);
  const tags = { generator: preset.generator, siteTitle: preset.title, title: head.title, named };
  const told = replaceTags(written, tags);
  for (const { tag, index } of told.untold) untold(oneLine(tag), lineBefore(written.length - index));
  const noted = isMarkdown ? takeFootnotes(told.body, path, mapped) : { body: told.body, footnotes: '', untold: [] };
  for (const label of noted.untold) untold(`the footnote [^${label}]`, lineOf(`[^${label}]`));
  const content = isMarkdown ? markdownToBlocks(noted.body, mapped) : mapAddresses(noted.body.trim(), mapped);
  const key = preset.fields.featured.find((name) => asImage(data[name]) !== null);
  const image = key === undefined ? null : asImage(data[key]);
  const featured = image === null ? 0 : links.fileId(image, path);
  if (image !== null && featured === 0 && !/^(?:[a-z]+:)?\/\//i.test(image)) lost(image)();
  const meta = featured === 0 ? head.meta : head.meta.filter((one) => one.key !== `frontmatter:${key}`);
  const parent = head.type === 'post' ? 0 : links.parentOf(path);
  return { ...head, content, footnotes: noted.footnotes, featured, meta, parent };
}

function oneLine(tag: string): string {
  const words = tag.replace(/\s+/g, ' ');
  return words.length > 80 ? `${words.slice(0, 80)}…` : words;
}

/** A file that texts show or lead to. `time`: when it was last written. */
export function folderFile(path: string, preset: FolderPreset, { id, time }: { id: number; time: number }): ItemRecord {
  const name = posix.basename(path, posix.extname(path));
  const [url, below] = [addressOfFile(path, preset), pathOfFile(path, preset)];
  const type = fileTypes[fileEnding(path)] ?? '';
  const { date, dateGmt } = folderMoment(time, preset.timezone);
  return {
    ...emptyItem,
    ...{ id, type: 'attachment', status: 'inherit', slug: asSlug(name), title: name, date, dateGmt },
    file: { ...{ url, path: below, type, altText: '', width: 0, height: 0, original: '' }, sizes: [] },
  };
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

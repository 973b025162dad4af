import {
  type AuthorRecord,
  type CommentRecord,
  type ItemRecord,
  type ItemTerm,
  realMoment,
  type SiteRecord,
  type SourceMeta,
  type SourceMoment,
  type SourceRecord,
  type SourceRef,
  type TermRecord,
} from './records.ts';
import { type WxrElement, withoutReferences } from './wxr-elements.ts';
import { fieldsOfMeta, idOf, metaBesideFields } from './wxr-meta.ts';
import type { LossCode } from './wxr-notices.ts';

/** What an item of an export gives: its records, elements that are not read, and why it gives none. */
export interface WxrItem {
  readonly records: readonly SourceRecord[];
  readonly unread: readonly string[];
  readonly lost: LossCode | null;
}

/** Logins by id and ids by login of the authors so far. */
export interface WxrAuthors {
  readonly ids: Map<string, number>;
  readonly logins: Map<number, string>;
}

const statuses: Readonly<Record<string, string>> = {
  '1': 'approved',
  '0': 'hold',
  approve: 'approved',
  'post-trashed': 'post-trashed',
  approved: 'approved',
  spam: 'spam',
  trash: 'trash',
};

/** Elements of items that fields say, or that say nothing. */
const readInItems = new Set(
  ['title', 'link', 'pubDate', 'dc:creator', 'guid', 'category', 'content:encoded', 'excerpt:encoded', 'wp:post_id']
    .concat(['post_date', 'post_date_gmt', 'post_modified', 'post_modified_gmt'].map((name) => `wp:${name}`))
    .concat(['comment_status', 'ping_status', 'post_name', 'status', 'post_parent'].map((name) => `wp:${name}`))
    .concat(
      ['menu_order', 'post_type', 'post_password', 'is_sticky', 'attachment_url', 'post_mime_type'].map(
        (name) => `wp:${name}`,
      ),
    )
    .concat(['wp:postmeta', 'wp:comment']),
);

/** The site, from what stands before its authors. `texts` are those of the channel by name. */
export function wxrSiteOf(texts: ReadonlyMap<string, string>, generator: string): SiteRecord {
  const of = (name: string) => texts.get(name) ?? '';
  const url = withoutSlash(of('wp:base_blog_url') || of('link'));
  return {
    kind: 'site',
    generator: generator || of('generator'),
    title: of('title'),
    description: of('description'),
    language: of('language'),
    url,
    baseUrl: withoutSlash(of('wp:base_site_url')) || url,
    timezone: '',
    settings: {},
  };
}

export function wxrAuthorOf(element: WxrElement): AuthorRecord {
  const of = textsOf(element);
  return {
    kind: 'author',
    id: idOf(of('wp:author_id')),
    login: of('wp:author_login'),
    email: of('wp:author_email'),
    displayName: withoutReferences(of('wp:author_display_name')),
    firstName: withoutReferences(of('wp:author_first_name')),
    lastName: withoutReferences(of('wp:author_last_name')),
    slug: '',
    url: '',
    description: '',
    roles: [],
  };
}

/** A term from any of the three elements that say one; null for any other element. */
export function wxrTermOf(element: WxrElement): TermRecord | null {
  const of = textsOf(element);
  const term = (taxonomy: string, slug: string, name: string, description: string, parent: string): TermRecord => ({
    kind: 'term',
    id: idOf(of('wp:term_id')),
    taxonomy,
    slug,
    name: withoutReferences(name),
    description,
    parent: parent === '' ? null : { name: parent },
    meta: metaOf(element, 'wp:termmeta'),
  });
  if (element.name === 'wp:category') {
    const [slug, name, parent] = [of('wp:category_nicename'), of('wp:cat_name'), of('wp:category_parent')];
    return term('category', slug, name, of('wp:category_description'), parent);
  }
  if (element.name === 'wp:tag')
    return term('post_tag', of('wp:tag_slug'), of('wp:tag_name'), of('wp:tag_description'), '');
  if (element.name !== 'wp:term') return null;
  const [slug, name, parent] = [of('wp:term_slug'), of('wp:term_name'), of('wp:term_parent')];
  return term(of('wp:term_taxonomy').trim(), slug, name, of('wp:term_description'), parent);
}

/** Names of the dates of an item and its comments that look like dates, and are in no calendar. */
export function impossibleDates({ name, text, children }: WxrElement): readonly string[] {
  const isDate = /^wp:(?:post|comment)_(?:date|modified)(?:_gmt)?$/.test(name);
  const isImpossible = isDate && /^\s*(?!0000)\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text) && folderMoment(text) === null;
  return isImpossible ? [name] : children.flatMap(impossibleDates);
}

/** An item with its comments. `heads`: without their texts. */
export function wxrItemOf(element: WxrElement, authors: WxrAuthors, heads: boolean): WxrItem {
  const of = textsOf(element);
  const type = of('wp:post_type').trim();
  if (type === '' && of('wp:post_id') === '') return { records: [], unread: [], lost: 'not_an_item' };
  const item = plainItem(element, of, type || 'post', authors);
  const others = element.children.filter((child) => !readInItems.has(child.name) && !isEmpty(child));
  const simple = others.filter(isSimple).map(({ name, text }) => ({ key: `xml:${name}`, value: text }));
  const unread = others.filter((child) => !isSimple(child)).map(({ name }) => name);
  const whole = { ...item, meta: [...item.meta, ...simple] };
  if (type === 'revision') return { records: heads ? [] : [revisionOf(whole)], unread, lost: null };
  if (/^wp_(?:template|template_part|global_styles)$/.test(type)) return { ...ofTheme(whole), unread };
  const short = heads ? { ...whole, content: '', excerpt: '' } : whole;
  const comments = element.children
    .filter(({ name }) => name === 'wp:comment')
    .map((comment) => commentOf(comment, item.id, authors));
  const records = [short, ...(heads ? comments.map((comment) => ({ ...comment, content: '' })) : comments)];
  return { records, unread, lost: null };
}

function plainItem(element: WxrElement, of: (name: string) => string, type: string, authors: WxrAuthors): ItemRecord {
  const meta = metaOf(element, 'wp:postmeta');
  const fields = fieldsOfMeta(type, meta, of('wp:attachment_url').trim());
  const { terms, format } = termsOf(element);
  const login = of('dc:creator');
  const id = authors.ids.get(login) ?? 0;
  return {
    kind: 'item',
    id: idOf(of('wp:post_id')),
    type,
    status: of('wp:status').trim() || 'publish',
    slug: of('wp:post_name'),
    title: of('title'),
    content: of('content:encoded'),
    excerpt: of('excerpt:encoded'),
    footnotes: fields.footnotes,
    link: of('link'),
    guid: of('guid'),
    author: { ...(id > 0 && { id }), ...(login !== '' && { name: login }) },
    date: folderMoment(of('wp:post_date')),
    dateGmt: has(element, 'wp:post_date_gmt') ? folderMoment(of('wp:post_date_gmt')) : momentOfHeader(of('pubDate')),
    modified: folderMoment(of('wp:post_modified')),
    modifiedGmt: folderMoment(of('wp:post_modified_gmt')),
    parent: idOf(of('wp:post_parent')),
    menuOrder: orderOf(of('wp:menu_order')),
    commentStatus: of('wp:comment_status'),
    pingStatus: of('wp:ping_status'),
    password: of('wp:post_password'),
    sticky: of('wp:is_sticky').trim() === '1',
    template: fields.template,
    format,
    terms,
    featured: fields.featured,
    file: fields.file && { ...fields.file, type: of('wp:post_mime_type').trim() },
    menuItem: fields.menuItem,
    syncStatus: fields.syncStatus,
    meta: metaBesideFields(meta, fields),
  };
}

function revisionOf(item: ItemRecord): SourceRecord {
  const { id, parent, slug, author, date, dateGmt, title, content, excerpt, footnotes } = item;
  const isAutosave = /-autosave-v\d+$/.test(slug);
  return { kind: 'revision', id, of: parent, isAutosave, author, date, dateGmt, title, content, excerpt, footnotes };
}

function ofTheme(item: ItemRecord): { readonly records: readonly SourceRecord[]; readonly lost: LossCode | null } {
  if (item.status !== 'publish') return { records: [], lost: 'template_not_published' };
  const { id, type, slug, title, excerpt: description, content } = item;
  const named = (taxonomy: string) => item.terms.find((term) => term.taxonomy === taxonomy)?.name ?? '';
  if (type !== 'wp_global_styles') {
    const [theme, area] = [named('wp_theme'), named('wp_template_part_area')];
    return { records: [{ kind: 'template', id, type, theme, slug, title, description, content, area }], lost: null };
  }
  const said = jsonOf(content);
  if (said === null) return { records: [], lost: 'styles_unreadable' };
  const theme = named('wp_theme') || decodedOf(slug.replace(/^wp-global-styles-/, ''));
  const [settings, styles] = [objectOf(said['settings']), objectOf(said['styles'])];
  return { records: [{ kind: 'styles', id, theme, settings, styles }], lost: null };
}

function commentOf(element: WxrElement, item: number, authors: WxrAuthors): CommentRecord {
  const of = textsOf(element);
  const user = idOf(of('wp:comment_user_id'));
  const login = authors.logins.get(user);
  const author: SourceRef = { ...(user > 0 && { id: user }), ...(login !== undefined && { name: login }) };
  return {
    kind: 'comment',
    id: idOf(of('wp:comment_id')),
    of: item,
    type: of('wp:comment_type').trim() || 'comment',
    status: statuses[of('wp:comment_approved').trim()] ?? 'hold',
    parent: idOf(of('wp:comment_parent')),
    name: withoutReferences(of('wp:comment_author')),
    email: of('wp:comment_author_email'),
    url: of('wp:comment_author_url'),
    ip: of('wp:comment_author_IP'),
    agent: '',
    author,
    date: folderMoment(of('wp:comment_date')),
    dateGmt: folderMoment(of('wp:comment_date_gmt')),
    content: of('wp:comment_content'),
    meta: metaOf(element, 'wp:commentmeta'),
  };
}

/** Version 1.0 names each term twice, once without its slug. */
function termsOf(element: WxrElement): { readonly terms: readonly ItemTerm[]; readonly format: string } {
  const found = element.children.flatMap(({ name, attributes, text }): ItemTerm[] => {
    if (name !== 'category') return [];
    const domain = attributes['domain'] || 'category';
    const slug = attributes['nicename'] ?? '';
    const taxonomy = domain === 'tag' ? 'post_tag' : domain;
    return [{ taxonomy, ...(slug !== '' && { name: slug }), label: withoutReferences(text) }];
  });
  const named = new Set(found.filter(({ name }) => name !== undefined).map(({ label }) => label));
  const isFormat = ({ taxonomy, name }: ItemTerm) => taxonomy === 'post_format' && name?.startsWith('post-format-');
  return {
    terms: found.filter((term) => !isFormat(term) && (term.name !== undefined || !named.has(term.label))),
    format: found.find(isFormat)?.name?.slice('post-format-'.length) ?? '',
  };
}

function textsOf(element: WxrElement): (name: string) => string {
  const texts = new Map<string, string>();
  for (const { name, text } of element.children) if (!texts.has(name)) texts.set(name, text);
  return (name) => texts.get(name) ?? '';
}

function metaOf(element: WxrElement, name: string): SourceMeta[] {
  return element.children
    .filter((child) => child.name === name)
    .map((child) => {
      const of = textsOf(child);
      return { key: of('wp:meta_key'), value: of('wp:meta_value') };
    });
}

function has(element: WxrElement, name: string): boolean {
  return element.children.some((child) => child.name === name);
}

function isSimple({ children, attributes }: WxrElement): boolean {
  return children.length === 0 && Object.keys(attributes).length === 0;
}

function isEmpty(element: WxrElement): boolean {
  return element.text.trim() === '' && isSimple(element);
}

function folderMoment(text: string): SourceMoment {
  const found = /^\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  return found === null || found[1]?.startsWith('0000') ? null : realMoment(`${found[1]}T${found[2]}`);
}

/** A time as in headers of mails: that of drafts is in the year -1. */
function momentOfHeader(text: string): SourceMoment {
  const time = text.includes('-0001') ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) || time < -62_000_000_000_000 ? null : new Date(time).toISOString().slice(0, 19);
}

function orderOf(text: string): number {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}

function withoutSlash(text: string): string {
  return text.trim().replace(/(?<!\/)\/+$/, '');
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? objectOf(value) : null;
  } catch {
    return null;
  }
}

/** PHP writes an empty object as an empty list. */
function objectOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { isRow, type LiveRow, liveNumber, livePlain, liveText, liveTexts, row, rows, written } from './live-rows.ts';
import {
  type AuthorRecord,
  type CommentRecord,
  type ItemRecord,
  type ItemTerm,
  type RevisionRecord,
  realMoment,
  type SiteRecord,
  type SourceFile,
  type SourceMenuItem,
  type SourceMeta,
  type SourceMoment,
  type SourceRef,
  type StylesRecord,
  type TemplateRecord,
  type TermRecord,
} from './records.ts';

/** What items of one type need to be understood. */
export interface LiveType {
  /** `post`, `attachment`, … */
  readonly name: string;
  /** Path of its list, such as `/cms/v2/posts`. */
  readonly path: string;
  /** Taxonomies by the field that has their terms. */
  readonly taxonomies: ReadonlyMap<string, string>;
}

/** Login of an account, if it is known. */
export type LoginOf = (id: number) => string | undefined;

export function siteOf(index: LiveRow, settings: LiveRow): SiteRecord {
  const { title, description, url: _, timezone, language, ...others } = settings;
  const withoutSlash = (address: string) => (address.endsWith('/') ? address.slice(0, -1) : address);
  const ofIndex = Object.entries(index).filter(([name]) =>
    /^(?:show_on_front|page_on_front|page_for_posts|site_logo|site_icon)$/.test(name),
  );
  return {
    kind: 'site',
    generator: '',
    title: livePlain(title) || livePlain(index['name']),
    description: livePlain(description) || livePlain(index['description']),
    language: liveText(language).replaceAll('_', '-'),
    url: withoutSlash(liveText(index['home'])),
    baseUrl: withoutSlash(liveText(index['url'])),
    timezone: liveText(timezone) || liveText(index['timezone_string']) || offsetOf(Number(index['gmt_offset'] ?? 0)),
    settings: { ...Object.fromEntries(ofIndex), ...others },
  };
}

/** Hours as an offset such as `+05:30`. */
function offsetOf(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export function liveAuthorOf(user: LiveRow): AuthorRecord {
  return {
    kind: 'author',
    id: liveNumber(user['id']),
    login: liveText(user['username']) || liveText(user['slug']),
    email: liveText(user['email']),
    displayName: livePlain(user['name']),
    firstName: livePlain(user['first_name']),
    lastName: livePlain(user['last_name']),
    slug: liveText(user['slug']),
    url: livePlain(user['url']),
    description: liveText(user['description']),
    roles: liveTexts(user['roles']),
  };
}

export function termOf(term: LiveRow, taxonomy: string): TermRecord {
  const parent = liveNumber(term['parent']);
  const ofMenu = ['locations', 'auto_add'].filter((key) => term[key] !== undefined);
  return {
    kind: 'term',
    id: liveNumber(term['id']),
    taxonomy,
    slug: liveText(term['slug']),
    name: liveText(term['name']),
    description: liveText(term['description']),
    parent: parent === 0 ? null : { id: parent },
    meta: [...metaOf(term['meta']), ...ofMenu.map((key) => ({ key, value: JSON.stringify(term[key]) }))],
  };
}

/** An item as it is listed, in full or without texts. `isRaw`: its texts are answered as they were written. */
export function liveItemOf(item: LiveRow, type: LiveType, loginOf: LoginOf, isRaw: boolean): ItemRecord {
  const isFile = type.name === 'attachment';
  const isOfMenu = type.name === 'nav_menu_item';
  const sync = liveText(item['wp_pattern_sync_status']) || liveText(row(item['meta'])['wp_pattern_sync_status']);
  const format = liveText(item['format']);
  return {
    kind: 'item',
    id: liveNumber(item['id']),
    type: type.name,
    status: liveText(item['status']) || (isFile ? 'inherit' : 'publish'),
    slug: liveText(item['slug']),
    title: written(item['title']),
    content: isOfMenu ? liveText(item['description']) : written(item[isFile ? 'description' : 'content']),
    excerpt: isOfMenu ? liveText(item['attr_title']) : written(item[isFile ? 'caption' : 'excerpt']),
    footnotes: liveText(row(item['meta'])['footnotes']),
    ...(!isRaw && { isRendered: true as const }),
    link: liveText(item['link']),
    guid: written(item['guid']),
    author: authorRef(item['author'], loginOf),
    ...itemDates(item),
    modified: moment(item['modified']),
    modifiedGmt: moment(item['modified_gmt']),
    parent: isOfMenu ? 0 : liveNumber(item[isFile ? 'post' : 'parent']),
    menuOrder: liveNumber(item['menu_order']),
    commentStatus: liveText(item['comment_status']),
    pingStatus: liveText(item['ping_status']),
    password: liveText(item['password']),
    sticky: item['sticky'] === true,
    template: liveText(item['template']),
    format: format === 'standard' ? '' : format,
    terms: [...type.taxonomies].flatMap(([field, taxonomy]) => termsIn(item[field], taxonomy)),
    featured: liveNumber(item['featured_media']),
    file: isFile ? fileOf(item) : null,
    menuItem: isOfMenu ? menuItemOf(item) : null,
    syncStatus: sync,
    meta: metaOf(item['meta'], ['footnotes', 'wp_pattern_sync_status']),
  };
}

function termsIn(value: unknown, taxonomy: string): ItemTerm[] {
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number' && id > 0);
  return ids.map((id: number) => ({ taxonomy, id, label: '' }));
}

function fileOf(item: LiveRow): SourceFile {
  const details = row(item['media_details']);
  const url = liveText(item['source_url']);
  const [, ...afterUploads] = url.split('/uploads/');
  const sizes = Object.entries(row(details['sizes'])).filter(([name, size]) => name !== 'full' && isRow(size));
  return {
    url,
    path: liveText(details['file']) || afterUploads.join('/uploads/'),
    type: liveText(item['mime_type']),
    altText: liveText(item['alt_text']),
    width: liveNumber(details['width']),
    height: liveNumber(details['height']),
    original: liveText(details['original_image']),
    sizes: sizes.map(([name, size]) => sizeOf(name, row(size))),
  };
}

function sizeOf(name: string, size: LiveRow) {
  return { name, file: liveText(size['file']), width: liveNumber(size['width']), height: liveNumber(size['height']) };
}

function menuItemOf(item: LiveRow): SourceMenuItem {
  return {
    type: liveText(item['type']),
    object: liveText(item['object']),
    objectId: liveNumber(item['object_id']),
    parent: liveNumber(item['parent']),
    url: liveText(item['url']),
    target: liveText(item['target']),
    classes: liveTexts(item['classes']),
    xfn: liveTexts(item['xfn']),
  };
}

export function revisionOf(revision: LiveRow, of: number, loginOf: LoginOf): RevisionRecord {
  return {
    kind: 'revision',
    id: liveNumber(revision['id']),
    of,
    isAutosave: /-autosave-v\d+$/.test(liveText(revision['slug'])),
    author: authorRef(revision['author'], loginOf),
    ...datesOf(revision),
    title: written(revision['title']),
    content: written(revision['content']),
    excerpt: written(revision['excerpt']),
    footnotes: liveText(row(revision['meta'])['footnotes']),
  };
}

export function commentOf(comment: LiveRow, loginOf: LoginOf): CommentRecord {
  return {
    kind: 'comment',
    id: liveNumber(comment['id']),
    of: liveNumber(comment['post']),
    type: liveText(comment['type']) || 'comment',
    status: liveText(comment['status']) || 'approved',
    parent: liveNumber(comment['parent']),
    name: liveText(comment['author_name']),
    email: liveText(comment['author_email']),
    url: liveText(comment['author_url']),
    ip: liveText(comment['author_ip']),
    agent: liveText(comment['author_user_agent']),
    author: authorRef(comment['author'], loginOf),
    ...datesOf(comment),
    content: written(comment['content']),
    meta: metaOf(comment['meta']),
  };
}

export function liveTemplateOf(template: LiveRow, type: string): TemplateRecord {
  return {
    kind: 'template',
    id: liveNumber(template['wp_id']),
    type,
    theme: liveText(template['theme']),
    slug: liveText(template['slug']),
    title: written(template['title']),
    description: liveText(template['description']),
    content: written(template['content']),
    area: type === 'wp_template_part' ? liveText(template['area']) : '',
  };
}

/** Styles of a site; null: nobody changed any. */
export function liveStylesOf(styles: LiveRow, theme: string): StylesRecord | null {
  const found = { settings: row(styles['settings']), styles: row(styles['styles']) };
  const isEmpty = Object.keys(found.settings).length === 0 && Object.keys(found.styles).length === 0;
  return isEmpty ? null : { kind: 'styles', id: liveNumber(styles['id']), theme, ...found };
}

function authorRef(id: unknown, loginOf: LoginOf): SourceRef {
  if (liveNumber(id) === 0) return {};
  const name = loginOf(liveNumber(id));
  return { id: liveNumber(id), ...(name !== undefined && { name }) };
}

function datesOf(item: LiveRow): { readonly date: SourceMoment; readonly dateGmt: SourceMoment } {
  return { date: moment(item['date']), dateGmt: moment(item['date_gmt']) };
}

/** The date of a draft that nobody has set is that of its last save; the interface does not say so. */
function itemDates(item: LiveRow) {
  const { date, dateGmt } = datesOf(item);
  const isFloating = /^(?:draft|pending)$/.test(liveText(item['status'])) && date === moment(item['modified']);
  return { date, dateGmt: isFloating ? null : dateGmt };
}

function moment(value: unknown): SourceMoment {
  return realMoment(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(liveText(value))?.[0]);
}

/** Meta that says something: what nobody has set is answered as nothing or as an empty text. */
function metaOf(meta: unknown, except: readonly string[] = []): SourceMeta[] {
  const set = Object.entries(row(meta)).filter(
    ([key, value]) => !except.includes(key) && value !== null && value !== '',
  );
  return set.map(([key, value]) => ({ key, value: typeof value === 'string' ? value : JSON.stringify(value) }));
}

/** Relations of a record whose name ends with a word, as addresses. */
export function linksNamed(of: LiveRow, ending: string): readonly string[] {
  const found = Object.entries(row(of['_links'])).filter(([relation]) => relation.endsWith(ending));
  return found.flatMap(([, links]) => rows(links).map(({ href }) => liveText(href)));
}

import type {
  AuthorRecord,
  CommentRecord,
  ItemRecord,
  ItemTerm,
  SiteRecord,
  SourceMeta,
  SourceMoment,
  SourceRecord,
  SourceRef,
  StylesRecord,
  TemplateRecord,
  TermRecord,
} from './records.ts';
import { allMeta } from './wxr-meta.ts';
import { type DroppedCharacters, WxrTexts, wxrEnd, wxrStart } from './wxr-texts.ts';

/** Where one part of an export goes. */
export interface WxrPart {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

export interface WxrTarget {
  /** How long a part may be; one with a single long item is longer. */
  readonly maxBytes: number;
  /** `part`: its number, from 1. */
  open(part: number): Promise<WxrPart>;
  readonly now: Date;
}

/** What the form cannot say, so it is in no part: how much of each. */
export interface WxrLeft {
  revision: number;
  autosave: number;
  /** Comments that do not follow their item. */
  comment: number;
  /** Terms and authors of items by a number that no record has. */
  term: number;
  author: number;
  /** Settings of the site besides its title, description, language and addresses. */
  setting: number;
  /** Authors with more than a login, a mail address and names. */
  profile: number;
  /** What programs sent comments. */
  agent: number;
}

export interface WxrWritten {
  readonly parts: number;
  readonly bytes: number;
  readonly items: number;
  readonly comments: number;
  readonly left: WxrLeft;
  readonly dropped: DroppedCharacters;
}

const approvals: Readonly<Record<string, string>> = { approved: '1', hold: '0' };
const usual = { commentStatus: 'closed', pingStatus: 'closed', password: '', link: '', guid: '' };

/**
 * Writes records as an export in version 1.2: in parts, each a whole file with the site, all authors and terms, and some of the items.
 * Read again, they are equal but for what `left` counts and `isRendered`; terms are called by their slugs alone, and meta with the key of a field
 * is in that field. An item of type `revision`, `wp_template`, … is a record of that kind, without what that does not have.
 */
export async function writeWxr(records: AsyncIterable<SourceRecord>, to: WxrTarget): Promise<WxrWritten> {
  const writer = new WxrWriter(to);
  for await (const record of records) await writer.add(record);
  return writer.finish();
}

class WxrWriter {
  readonly #to: WxrTarget;
  readonly #texts = new WxrTexts();
  readonly #left = { revision: 0, autosave: 0, comment: 0, term: 0, author: 0, setting: 0, profile: 0, agent: 0 };
  readonly #logins = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  /** Slug and name of each term that has an id, by taxonomy and id. */
  readonly #terms = new Map<string, { readonly slug: string; readonly name: string }>();
  /** What each part begins with. */
  readonly #head: string[] = [];
  #part: WxrPart | null = null;
  #parts = 0;
  #bytes = 0;
  #bytesOfPart = 0;
  #itemsOfPart = 0;
  #items = 0;
  #comments = 0;
  /** The item to which comments may come. */
  #item: { readonly id: number; readonly pieces: string[] } | null = null;

  constructor(to: WxrTarget) {
    this.#to = to;
  }

  async add(record: SourceRecord): Promise<void> {
    const { kind } = record;
    this.#texts.place = 'id' in record ? `${kind} ${record.id}` : kind;
    if (kind === 'site') await this.#addHead(this.#site(record));
    else if (kind === 'author') await this.#addHead(this.#author(record));
    else if (kind === 'term') await this.#addHead(this.#term(record));
    else if (kind === 'revision') this.#left[record.isAutosave ? 'autosave' : 'revision'] += 1;
    else if (kind === 'comment') this.#comment(record);
    else await this.#begin(record.id, this.#anyItem(record));
  }

  async finish(): Promise<WxrWritten> {
    await this.#endItem();
    if (this.#part === null) await this.#open();
    await this.#close();
    const [parts, bytes, items, comments] = [this.#parts, this.#bytes, this.#items, this.#comments];
    return { parts, bytes, items, comments, left: this.#left, dropped: this.#texts.dropped };
  }

  async #addHead(text: string): Promise<void> {
    await this.#endItem();
    this.#head.push(text);
    if (this.#part !== null) await this.#write(text);
  }

  async #begin(id: number, text: string): Promise<void> {
    await this.#endItem();
    this.#item = { id, pieces: [text] };
    this.#items += 1;
  }

  async #endItem(): Promise<void> {
    if (this.#item === null) return;
    const pieces = [...this.#item.pieces, '</item>\n'];
    this.#item = null;
    const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    const isFull = this.#bytesOfPart + size + wxrEnd.length > this.#to.maxBytes;
    if (this.#part !== null && isFull && this.#itemsOfPart > 0) await this.#close();
    if (this.#part === null) await this.#open();
    for (const piece of pieces) await this.#write(piece);
    this.#itemsOfPart += 1;
  }

  async #open(): Promise<void> {
    this.#parts += 1;
    [this.#bytesOfPart, this.#itemsOfPart] = [0, 0];
    this.#part = await this.#to.open(this.#parts);
    for (const text of [wxrStart, ...this.#head]) await this.#write(text);
  }

  async #close(): Promise<void> {
    await this.#write(wxrEnd);
    await this.#part?.end();
    this.#part = null;
  }

  async #write(text: string): Promise<void> {
    await this.#part?.write(text);
    const size = Buffer.byteLength(text);
    this.#bytes += size;
    this.#bytesOfPart += size;
  }

  #site(site: SiteRecord): string {
    const t = this.#texts;
    this.#left.setting += Object.keys(site.settings).length + (site.timezone === '' ? 0 : 1);
    return [
      t.plain('title', site.title),
      t.plain('link', site.url),
      t.plain('description', site.description),
      t.plain('pubDate', this.#to.now.toUTCString().replace('GMT', '+0000')),
      t.plain('language', site.language),
      t.plain('wp:wxr_version', '1.2'),
      t.plain('wp:base_site_url', site.baseUrl),
      t.plain('wp:base_blog_url', site.url),
      t.plain('generator', site.generator),
    ].join('');
  }

  #author(author: AuthorRecord): string {
    const t = this.#texts;
    if (author.id > 0) this.#logins.set(author.id, author.login);
    this.#ids.set(author.login, author.id);
    if (author.slug || author.url || author.description || author.roles.length > 0) this.#left.profile += 1;
    return [
      '<wp:author>\n',
      t.plain('wp:author_id', author.id),
      t.text('wp:author_login', author.login),
      t.text('wp:author_email', author.email),
      t.name('wp:author_display_name', author.displayName),
      t.name('wp:author_first_name', author.firstName),
      t.name('wp:author_last_name', author.lastName),
      '</wp:author>\n',
    ].join('');
  }

  #term(term: TermRecord): string {
    const t = this.#texts;
    const { id, taxonomy, slug, name, description } = term;
    if (id > 0) this.#terms.set(`${taxonomy} ${id}`, { slug, name });
    const parent = term.parent === null ? '' : (term.parent.name ?? this.#known(taxonomy, term.parent)?.slug ?? '');
    const [element, fields] =
      taxonomy === 'category'
        ? ['wp:category', ['wp:category_nicename', 'wp:category_parent', 'wp:cat_name', 'wp:category_description']]
        : taxonomy === 'post_tag'
          ? ['wp:tag', ['wp:tag_slug', '', 'wp:tag_name', 'wp:tag_description']]
          : ['wp:term', ['wp:term_slug', 'wp:term_parent', 'wp:term_name', 'wp:term_description']];
    const [slugs = '', parents = '', names = '', descriptions = ''] = fields;
    return [
      `<${element}>\n`,
      id > 0 ? t.plain('wp:term_id', id) : '',
      element === 'wp:term' ? t.text('wp:term_taxonomy', taxonomy) : '',
      t.text(slugs, slug),
      parents === '' ? '' : t.text(parents, parent),
      t.name(names, name),
      description === '' ? '' : t.text(descriptions, description),
      this.#meta('wp:termmeta', term.meta),
      `</${element}>\n`,
    ].join('');
  }

  #anyItem(record: ItemRecord | TemplateRecord | StylesRecord): string {
    if (record.kind === 'item') return this.#itemText(record);
    const theme = { taxonomy: 'wp_theme', name: record.theme, label: record.theme };
    if (record.kind === 'styles') {
      const { settings, styles } = record;
      const content = JSON.stringify({ version: 3, isGlobalStylesUserThemeJSON: true, settings, styles });
      const slug = `wp-global-styles-${encodeURIComponent(record.theme.toWellFormed())}`;
      return this.#ofTheme(record.id, 'wp_global_styles', { slug, title: 'Custom Styles', content, excerpt: '' }, [
        theme,
      ]);
    }
    const { slug, title, content, description: excerpt, area } = record;
    const place = { taxonomy: 'wp_template_part_area', name: area, label: area };
    return this.#ofTheme(
      record.id,
      record.type,
      { slug, title, content, excerpt },
      area === '' ? [theme] : [theme, place],
    );
  }

  #ofTheme(
    id: number,
    type: string,
    texts: Pick<ItemRecord, 'slug' | 'title' | 'content' | 'excerpt'>,
    terms: readonly ItemTerm[],
  ): string {
    return this.#itemText({
      ...{ kind: 'item', id, type, status: 'publish', ...texts, ...usual, footnotes: '', author: {}, terms, meta: [] },
      ...{ date: null, dateGmt: null, modified: null, modifiedGmt: null, parent: 0, menuOrder: 0, sticky: false },
      ...{ template: '', format: '', featured: 0, file: null, menuItem: null, syncStatus: '' },
    });
  }

  #itemText(item: ItemRecord): string {
    const t = this.#texts;
    const moment = (name: string, value: SourceMoment) =>
      t.text(name, value?.replace('T', ' ') ?? '0000-00-00 00:00:00');
    const published = item.dateGmt === null ? '' : new Date(`${item.dateGmt}Z`).toUTCString().replace('GMT', '+0000');
    return [
      '<item>\n',
      t.text('title', item.title),
      t.plain('link', item.link),
      t.plain('pubDate', published),
      t.text('dc:creator', this.#login(item.author)),
      `<guid isPermaLink="false">${t.escaped(item.guid)}</guid>\n<description></description>\n`,
      t.text('content:encoded', item.content),
      t.text('excerpt:encoded', item.excerpt),
      t.plain('wp:post_id', item.id),
      moment('wp:post_date', item.date),
      moment('wp:post_date_gmt', item.dateGmt),
      item.modified === null ? '' : moment('wp:post_modified', item.modified),
      item.modifiedGmt === null ? '' : moment('wp:post_modified_gmt', item.modifiedGmt),
      t.text('wp:comment_status', item.commentStatus),
      t.text('wp:ping_status', item.pingStatus),
      t.text('wp:post_name', item.slug),
      t.text('wp:status', item.status),
      t.plain('wp:post_parent', item.parent),
      t.plain('wp:menu_order', item.menuOrder),
      t.text('wp:post_type', item.type),
      t.text('wp:post_password', item.password),
      t.plain('wp:is_sticky', item.sticky ? 1 : 0),
      item.file === null ? '' : t.text('wp:attachment_url', item.file.url),
      item.file === null || item.file.type === '' ? '' : t.text('wp:post_mime_type', item.file.type),
      ...item.terms.map((term) => this.#itemTerm(term)),
      item.format === '' ? '' : this.#category('post_format', `post-format-${item.format}`, item.format),
      this.#meta('wp:postmeta', allMeta(item.type, item.meta, item)),
    ].join('');
  }

  #itemTerm(term: ItemTerm): string {
    const known = this.#known(term.taxonomy, term);
    const slug = term.name ?? known?.slug;
    const label = term.label || known?.name || slug;
    if (label !== undefined) return this.#category(term.taxonomy, slug, label);
    this.#left.term += 1;
    return '';
  }

  #category(domain: string, slug: string | undefined, label: string): string {
    const t = this.#texts;
    const nicename = slug === undefined ? '' : ` nicename="${t.escaped(slug)}"`;
    const name = t.name('category', label).slice('<category>'.length);
    return `<category domain="${t.escaped(domain)}"${nicename}>${name}`;
  }

  #comment(comment: CommentRecord): void {
    if (this.#item === null || this.#item.id !== comment.of) {
      this.#left.comment += 1;
      return;
    }
    const t = this.#texts;
    if (comment.agent !== '') this.#left.agent += 1;
    this.#comments += 1;
    const moment = (value: SourceMoment) => value?.replace('T', ' ') ?? '0000-00-00 00:00:00';
    const { id, name } = comment.author;
    this.#item.pieces.push(
      '<wp:comment>\n',
      t.plain('wp:comment_id', comment.id),
      t.name('wp:comment_author', comment.name),
      t.text('wp:comment_author_email', comment.email),
      t.plain('wp:comment_author_url', comment.url),
      t.text('wp:comment_author_IP', comment.ip),
      t.text('wp:comment_date', moment(comment.date)),
      t.text('wp:comment_date_gmt', moment(comment.dateGmt)),
      t.text('wp:comment_content', comment.content),
      t.text('wp:comment_approved', approvals[comment.status] ?? comment.status),
      t.text('wp:comment_type', comment.type),
      t.plain('wp:comment_parent', comment.parent),
      t.plain('wp:comment_user_id', id ?? (name === undefined ? 0 : (this.#ids.get(name) ?? 0))),
      this.#meta('wp:commentmeta', comment.meta),
      '</wp:comment>\n',
    );
  }

  #meta(element: string, list: readonly SourceMeta[]): string {
    const t = this.#texts;
    const one = ({ key, value }: SourceMeta) => t.text('wp:meta_key', key) + t.text('wp:meta_value', value);
    return list.map((meta) => `<${element}>\n${one(meta)}</${element}>\n`).join('');
  }

  #login({ id, name }: SourceRef): string {
    const login = name ?? (id === undefined ? '' : this.#logins.get(id));
    if (login === undefined) this.#left.author += 1;
    return login ?? '';
  }

  #known(taxonomy: string, { id }: SourceRef): { readonly slug: string; readonly name: string } | undefined {
    return id === undefined ? undefined : this.#terms.get(`${taxonomy} ${id}`);
  }
}
